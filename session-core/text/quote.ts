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

/**
 * Matches lines that report a result or an unresolved issue: lines that contain an unticked box, a cross, a warning symbol or a word that
 * tools commonly use in such reports.
 */
const WEIGHTY =
	/[✗✘✖❌☐⚠⏳]|\[ \]|\b(?:not|fail\w*|pending|commit\w*|pushed|todo|remaining|blocked|error)\b|n't\b|#\d+|\b\d+ (?:passed|failed|tests?)\b/i;

/**
 * Shortens a reply to about `room` characters. It keeps the beginning, the end and, from the text in between, complete lines that report
 * failures, unresolved issues or commits. Where possible, the reply is cut at line ends.
 */
export function headAndTail(reply: string, room: number): string {
	const text = withoutLayout(safeLines(reply));
	if (text.length <= room) return text;
	const headRoom = Math.floor(room * 0.36);
	const tailRoom = Math.floor(room * 0.4);
	const head = cutAfterLine(text, headRoom);
	const tail = tailUnits(text, tailRoom);
	const between = text.slice(head.length, text.length - tail.length);
	const kept: string[] = [];
	let left = room - head.length - tail.length - 8;
	for (const line of between.split("\n")) {
		const short = line.trim();
		if (!WEIGHTY.test(short) || /^```|^\|?[-:| ]+\|?$/.test(short)) continue;
		if (short.length + 3 > left) continue;
		kept.push(short);
		left -= short.length + 3;
	}
	return [head.trimEnd(), "…", ...kept, ...(kept.length > 0 ? ["…"] : []), tail.trimStart()].join("\n");
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

function cutAfterLine(text: string, room: number): string {
	const head = text.slice(0, room);
	const line = head.lastIndexOf("\n");
	const sentence = head.search(/[.!?。！？](?=\s)[^.!?。！？]*$/);
	const end = Math.max(line, sentence + 1);
	return end > room * 0.5 ? head.slice(0, end) : head.slice(0, Math.max(head.lastIndexOf(" "), room * 0.7));
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
