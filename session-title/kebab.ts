const KEBAB_WORDS = 6;
const KEBAB_CHARACTERS = 60;

/** Returns letters and digits in any writing system, joined by hyphens; undefined if the title contains none. */
export function toKebab(title: string): string | undefined {
	const words = title
		.normalize("NFC")
		.replace(/(\p{Ll}\p{M}*)(\p{Lu})/gu, "$1 $2")
		.toLowerCase()
		.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
	if (!words) return undefined;
	let name = "";
	for (const word of words.slice(0, KEBAB_WORDS)) {
		const longer = name === "" ? word : `${name}-${word}`;
		if (longer.length > KEBAB_CHARACTERS && name !== "") break;
		name = longer;
	}
	return [...name].slice(0, KEBAB_CHARACTERS).join("");
}
