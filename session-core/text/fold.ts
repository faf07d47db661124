/** Letters that differ in case only are one letter: full case folding, so `ß` is `ss` and a final sigma is a sigma. */
export function foldCase(text: string): string {
	if (ASCII.test(text)) return text.toLowerCase();
	// Lower case first: `ẞ` is its own upper case.
	return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const ASCII = /^[\0-\x7f]*$/;

/** A text folded, with the way back to where something stood. */
export class FoldedText {
	readonly folded: string;
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
		this.folded = foldCase(text);
	}

	/** Where a place of the folded text is in the text; undefined for one inside a letter that became several. */
	placeOf(at: number): number | undefined {
		// Nearly always: no letter became several.
		if (this.folded.length === this.#text.length) return at;
		let place = 0;
		let folded = 0;
		for (const char of this.#text) {
			if (folded >= at) break;
			folded += foldCase(char).length;
			place += char.length;
		}
		return folded === at ? place : undefined;
	}
}

/** Where letters with a case stand, roughly: between them are ideographs and syllables. */
const CASED_BLOCKS = [
	[0x41, 0x2dff],
	[0xa640, 0xabbf],
	[0xfb00, 0xff5a],
	[0x10400, 0x10fff],
	[0x11800, 0x118ff],
	[0x16e00, 0x16fff],
	[0x1e000, 0x1e9ff],
] as const;
const CASED = /[\p{Changes_When_Uppercased}\p{Changes_When_Lowercased}]/u;

let unfolded: ReadonlyMap<string, readonly string[]> | undefined;

/** By what letters are folded to, the other letters that are: `k` has `K` and the Kelvin sign, `ss` has `ß` and `ẞ`. Made at first use. */
export function casesOf(): ReadonlyMap<string, readonly string[]> {
	unfolded ??= readCases();
	return unfolded;
}

function readCases(): Map<string, string[]> {
	const cases = new Map<string, string[]>();
	for (const [from, to] of CASED_BLOCKS) {
		for (let code = from; code <= to; code++) {
			const char = String.fromCodePoint(code);
			const folded = CASED.test(char) ? foldCase(char) : char;
			if (folded !== char) cases.set(folded, [...(cases.get(folded) ?? []), char]);
		}
	}
	return cases;
}
