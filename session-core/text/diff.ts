import { headUnits } from "./clip.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

/** The number of characters at the beginning of a diff that are read for its summary. */
const READ = 6_000;
export function diffOf(before: string, after: string): string {
	const signed = (sign: string, text: string): string[] =>
		text === "" ? [] : text.split("\n").map((line, index) => `${sign}${index + 1} ${line}`);
	return [...signed("-", before), ...signed("+", after)].join("\n");
}

export function diffCounts(diff: string): { added: number; removed: number } {
	const lines = diff.split("\n");
	const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
	return { added: count("+"), removed: count("-") };
}

/**
 * Summarizes a diff in about `room` characters, such as `old text → new text`. The result is redacted. If
 * no changed line contains a letter or digit, the result is empty.
 */
export function changeLine(diff: string, room: number): string {
	const lines = diff.slice(0, READ).split("\n");
	const before = sideOf(lines, "-");
	const after = sideOf(lines, "+");
	const gone = before.filter((line) => !after.includes(line)).join(" / ");
	const came = after.filter((line) => !before.includes(line)).join(" / ");
	if (gone === "" || came === "") return headUnits(gone === "" ? came : `removed: ${gone}`, room);
	const half = Math.floor(room / 2) - 2;
	return `${headUnits(gone, half)} → ${headUnits(came, half)}`;
}

/** Redacts all lines before any line is cut, because a part of a secret key is still a secret. */
function sideOf(lines: readonly string[], sign: string): string[] {
	const signed = lines.filter((line) => line.startsWith(sign));
	const side = signed.map((line) => line.slice(1).replace(/^\s*\d+(?:[| ]|$)/, ""));
	const safe = safeText(side.join("\n")).split("\n").map(cleanLine);
	return safe.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/\S{100}/.test(line));
}
