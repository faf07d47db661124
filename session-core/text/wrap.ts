import { type Clipping, graphemesOf } from "./clip.ts";

export interface WrapOptions {
	columns: number;
	/** In front of every line but the first. Default none. */
	indent?: string;
	/** Maximum number of lines. The last one is clipped if the text is longer. */
	max?: number;
}

/** Characters of writing systems in which words are not separated by spaces. */
const IDEOGRAPHS = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー";
/** Characters that never begin a line. */
const CLOSERS =
	"、。，．！？：；）」』】〉》”’…‥ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％\\p{M},.!?:;)\\]}%";
const OPENERS = "（「『【〈《“‘(\\[{";
/** Matches the positions in a word at which a line may end. */
const BREAK = new RegExp(
	`(?<=[${IDEOGRAPHS}、。，．！？：；）」』】〉》])(?![${CLOSERS}])|(?<![${OPENERS}])(?=[${IDEOGRAPHS}${OPENERS}])(?![${CLOSERS}(\\[{])`,
	"u",
);
const HAS_IDEOGRAPHS = new RegExp(`[${IDEOGRAPHS}]`, "u");

/**
 * Returns a function that breaks sanitized text into lines: at spaces and between ideographs, or inside a word that is longer than a line,
 * such as a path.
 */
export function wrappingBy({ displayWidth, clipColumns }: Pick<Clipping, "displayWidth" | "clipColumns">) {
	return (text: string, { columns, indent = "", max = Number.POSITIVE_INFINITY }: WrapOptions): string[] => {
		const lines: string[] = [];
		let line = /^ */.exec(text)?.[0] ?? "";
		const fits = (longer: string) => displayWidth(longer) <= columns || lines.length + 1 >= max;
		const startLine = () => {
			lines.push(line.trimEnd());
			line = indent;
		};
		for (const word of text.trimStart().split(" ")) {
			let lead = line.trim() === "" ? "" : " ";
			for (const part of HAS_IDEOGRAPHS.test(word) ? word.split(BREAK) : [word]) {
				if (!fits(line + lead + part)) {
					if (line.trim() !== "") startLine();
					lead = "";
				}
				line += lead;
				lead = "";
				if (fits(line + part)) line += part;
				else
					for (const grapheme of graphemesOf(part)) {
						if (!fits(line + grapheme) && line.trim() !== "") startLine();
						line += grapheme;
					}
			}
		}
		return [...lines, line].map((one) => clipColumns(one, columns));
	};
}
