/** Returns excerpts of session text that are safe to send and to show: limited in length, and cut at words or sentences. */

import { headUnits, tailUnits } from "./clip.ts";
import { sentencesOf } from "./markdown.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

/** Returns session text as one line. It is redacted before it is cut, because half a key is still a secret. */
export function safeLine(text: string, room: number): string {
	return headUnits(cleanLine(safeText(text)), room);
}

/** Redacts and sanitizes multiline text, and removes blanks at line ends and repeated blank lines. */
export function safeLines(text: string): string {
	return safeText(text)
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.trim();
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
	const text = withoutLayout(safeLines(reply));
	if (text.length <= room) return text;
	const tail = tailUnits(text, Math.floor(room * 0.6));
	return `${headUnits(text, room - tail.length)}\n${tail}`;
}

/** Returns Markdown without the markup that only affects the layout. */
function withoutLayout(text: string): string {
	return text
		.replace(/^\s*(?:```\w*|(?:[-*_=]\s*){3,}|\|[-:| ]+\|)\s*$\n?/gm, "")
		.replace(/^(\s*)#{1,6} /gm, "$1")
		.replace(/\*\*|(?<=\|) +| +(?=\|)/g, "")
		.replace(/\t/g, "  ")
		.replace(/\n{2,}/g, "\n");
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
