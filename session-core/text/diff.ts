/** Describes an edit in one line, with the old and the new text. */

import { headUnits } from "./clip.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

/** Number of characters at the beginning of a diff that are read. The first changes are representative. */
const READ = 6_000;
/** Maximum number of changed lines for which each old line is shown together with its replacement. */
const PAIRS = 8;
/** Number of characters before a change that are shown as context. */
const LEAD = 40;

/** Returns a diff in the host's format, in which a sign (`+` or `-`) and a line number precede each line. */
export function diffOf(before: string, after: string): string {
	const signed = (sign: string, text: string): string[] =>
		text === "" ? [] : text.split("\n").map((line, index) => `${sign}${index + 1} ${line}`);
	return [...signed("-", before), ...signed("+", after)].join("\n");
}

/** Returns the number of added and removed lines in a diff. */
export function diffCounts(diff: string): { added: number; removed: number } {
	const lines = diff.split("\n");
	const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
	return { added: count("+"), removed: count("-") };
}

/**
 * Returns a summary of the first changes in a diff, about `room` characters long and safe to send. Returns an empty string if no changed
 * line contains a word.
 */
export function changeLine(diff: string, room: number): string {
	const lines = diff.slice(0, READ).split("\n");
	const before = sideOf(lines, "-");
	const after = sideOf(lines, "+");
	const gone = before.filter((line) => !after.includes(line));
	const came = after.filter((line) => !before.includes(line));
	if (gone.length === came.length && gone.length <= PAIRS) {
		const each = Math.max(40, Math.floor(room / Math.max(1, gone.length)));
		return headUnits(gone.map((line, index) => pairLine(line, came[index] ?? "", each)).join("; "), room);
	}
	if (gone.length === 0) return headUnits(came.join(" / "), room);
	if (came.length === 0) return headUnits(`removed: ${gone.join(" / ")}`, room);
	const half = Math.floor(room / 2) - 2;
	return `${headUnits(gone.join(" / "), half)} → ${headUnits(came.join(" / "), half)}`;
}

/**
 * Returns the lines of one side of a diff, without signs and line numbers. Lines without words are left out. The text is redacted before it
 * is cut, because half a key is still a secret.
 */
function sideOf(lines: readonly string[], sign: string): string[] {
	const side = lines
		.filter((line) => line.startsWith(sign))
		.map((line) => line.slice(1).replace(/^\s*\d+(?:[| ]|$)/, ""));
	return (
		safeText(side.join("\n"))
			.split("\n")
			.map(cleanLine)
			// Leaves out lines of minified code or encoded data, which are unreadable.
			.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/\S{100}/.test(line))
	);
}

/**
 * Returns the old and the new version of a line. Words that both versions begin with are shown only once, and words that both end with are
 * left out.
 */
function pairLine(before: string, after: string, room: number): string {
	const [old, now] = [before.split(" "), after.split(" ")];
	let start = 0;
	while (start < Math.min(old.length, now.length) - 1 && old[start] === now[start]) start++;
	let end = 0;
	while (
		end < Math.min(old.length, now.length) - start - 1 &&
		old[old.length - 1 - end] === now[now.length - 1 - end]
	)
		end++;
	const lead = old.slice(0, start).join(" ");
	const shown = lead.length <= LEAD ? lead : `…${lead.slice(-LEAD)}`;
	const half = Math.max(12, Math.floor((room - shown.length - 4) / 2));
	const part = (words: readonly string[]): string =>
		headUnits(
			words
				.slice(start, words.length - end)
				.join(" ")
				.replace(/[,;]$/, ""),
			half,
		);
	return `${shown} ${part(old)} → ${part(now)}`.trim();
}
