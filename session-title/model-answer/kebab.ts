/** Words of a kebab-case name. */
const MAX_WORDS = 6;
/** And its characters. */
const MAX_CHARACTERS = 60;

/** Any title as a kebab-case name: lower case, letters and digits of every script, hyphens between. Undefined: nothing is left. */
export function toKebab(title: string): string | undefined {
	const words = title
		.normalize("NFC")
		.replace(/(\p{Ll}\p{M}*)(\p{Lu})/gu, "$1 $2")
		.toLowerCase()
		.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
	if (!words) return undefined;
	let name = "";
	for (const word of words.slice(0, MAX_WORDS)) {
		const longer = name === "" ? word : `${name}-${word}`;
		if (longer.length > MAX_CHARACTERS && name !== "") break;
		name = longer;
	}
	return [...name].slice(0, MAX_CHARACTERS).join("");
}
