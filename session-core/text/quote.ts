/** Returns excerpts of session text that are safe to send and to show: limited in length, and cut at words or sentences. */

import { headUnits, tailUnits } from "./clip.ts";
import { sentencesOf } from "./markdown.ts";
import { safeText } from "./safe.ts";
import { shownLine } from "./shown-line.ts";

/** Returns the first sentence of a text, or the first few sentences if they are short. */
export function openingLine(text: string, room: number): string {
	const plain = text
		.replace(/```[\s\S]*?(?:```|$)/g, " ")
		.split("\n")
		.map((line) => line.replace(/^[#>*\s-]+|\*\*/g, "").trim())
		.join(" ");
	let quoted = "";
	for (const sentence of sentencesOf(plain)) {
		quoted = quoted === "" ? sentence : `${quoted} ${sentence}`;
		if (quoted.length >= 50) break;
	}
	return shownLine(quoted, Math.min(room, 160));
}

/** Shortens a reply to about `room` characters: its beginning and, at greater length, its end, which states the results and the next steps. */
export function headAndTail(reply: string, room: number): string {
	const text = withoutLayout(safeText(reply));
	if (text.length <= room) return text;
	const tail = tailUnits(text, Math.floor(room * 0.6));
	return `${headUnits(text, room - tail.length)}\n${tail}`;
}

/** Matches lines of Markdown that only affect the layout: fences, rules and the separators of tables. */
const LAYOUT = /^\s*(?:```\w*|(?:[-*_=]\s*){3,}|\|[-:| ]+\|)?$/;

/** Returns Markdown without the markup that only affects the layout. */
function withoutLayout(text: string): string {
	return text
		.split("\n")
		.map((line) => line.trimEnd())
		.filter((line) => !LAYOUT.test(line))
		.map((line) => line.replace(/^(\s*)#{1,6} /, "$1").replaceAll("**", ""))
		.map((line) =>
			/^\s*\|/.test(line)
				? line
						.split(/\|/)
						.map((cell) => cell.trim())
						.join("|")
				: line,
		)
		.join("\n")
		.replace(/\t/g, "  ");
}
