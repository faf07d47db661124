/** Matches characters that open a tag, and their lookalikes. */
const OPENING = /[<＜﹤〈〈⟨‹❮❬˂≪«《&]/gu;
const ENTITY = /&(?:lt|#0{0,8}60|#x0{0,8}3c);/iy;
/** Matches characters that may be between the bracket and the name of the tag. */
const GAP = /[\s\\\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{M}]*/uy;
const INVISIBLE = /[\\\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{M}]/gu;
/**
 * Maximum number of characters that are read to recognize the name of a tag. This is enough for any tag, even if its name contains
 * invisible characters.
 */
const REACH = 200;

/** Letters of other scripts that look like Latin letters, but are not mapped to them by Unicode normalization. */
const LOOKALIKES = new Map(
	Object.entries({
		a: "аɑαᴀ",
		b: "вʙ",
		c: "сϲᴄ",
		d: "ԁᴅ",
		e: "еєεᴇ",
		g: "ɡɢ",
		h: "һнʜ",
		i: "іıιɪӏ",
		j: "јϳᴊ",
		k: "кκᴋ",
		l: "ⅼʟ",
		m: "мᴍ",
		n: "ոηпɴ",
		o: "оοσօᴏ",
		p: "рρᴘ",
		r: "гʀ",
		s: "ѕꜱ",
		t: "тτᴛ",
		u: "υսᴜ",
		v: "νѵᴠ",
		w: "ԝᴡ",
		x: "хχ",
		y: "уγʏ",
		"/": "⁄∕╱⧸／",
	}).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Folds a character to the plain lowercase letters that it looks like, or to an empty string if the character is invisible. */
function plainLetters(char: string): string {
	if (/[a-z/]/.test(char)) return char;
	const plain = char.normalize("NFKD").toLowerCase().replace(INVISIBLE, "");
	return [...plain].map((part) => LOOKALIKES.get(part) ?? part).join("");
}

/** Whether the name of one of the tags begins at `start`, which is after an opening bracket. */
function isTagAt(text: string, start: number, tags: readonly string[]): boolean {
	let name = "";
	for (const char of text.slice(start, start + REACH)) {
		const letters = plainLetters(char);
		if (letters === "" || (name === "" && /[/\s]/.test(letters))) continue;
		if (tags.includes(name) && !/[a-z0-9]/.test(letters)) return true;
		name += letters;
		if (!tags.some((tag) => tag.startsWith(name))) return false;
	}
	return tags.includes(name);
}

/**
 * Makes a text safe to be enclosed in tags as data in a prompt. The text can neither close its own fence nor open another one of `tags`,
 * even with spaces, invisible characters or lookalikes in the tag. Only the bracket is replaced, so the text remains readable.
 */
export function fenced(text: string, tags: readonly string[]): string {
	return text.replace(OPENING, (bracket, at: number) => {
		const opened = bracket === "&" ? endOf(ENTITY, text, at) : at + bracket.length;
		if (opened === undefined) return bracket;
		return isTagAt(text, endOf(GAP, text, opened) ?? opened, tags) ? "‹" : bracket;
	});
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}
