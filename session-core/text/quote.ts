/** Returns excerpts of session text that are safe to send and to show: limited in length, and cut at words or sentences. */

import { headUnits, tailUnits } from "./clip.ts";
import { sentencesOf } from "./markdown.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

/** Returns session text as one line. It is redacted before it is cut, because half a key is still a secret. */
export function safeLine(text: string, room: number): string {
	return headUnits(cleanLine(safeText(text)), room);
}

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
	return safeLine(quoted, Math.min(room, 160));
}

/** Returns the end of session text as one line of about `room` characters. */
export function safeEnd(text: string, room: number): string {
	return tailUnits(cleanLine(safeText(text)), room);
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

/** Returns as many of the last lines as fit into `room` characters, line breaks included. */
export function lastThatFit(lines: readonly string[], room: number): string[] {
	let left = room;
	const before = lines.findLastIndex((line) => {
		left -= line.length + 1;
		return left < 0;
	});
	return lines.slice(before + 1);
}
