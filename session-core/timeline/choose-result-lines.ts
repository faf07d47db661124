/**
 * Chooses the one or two output lines that show the outcome of a tool call. The lines are recognized by their form, regardless of which
 * tool was called.
 */
import { replaceEscapes } from "../text/sanitize.ts";
import { isPlain, type Line, LOG_ROW, PLACE, PROGRESS, readLine, SOURCE } from "./result-forms.ts";

/** A line of a result. `passed`: whether the summary reports success (true) or failure (false); undefined if it reports neither. */
export type ResultLine = Pick<Line, "kind" | "text" | "passed"> & {
	/** Whether the output contains more errors, at other locations. */
	isOneOfMany?: boolean;
};

/** The output of a call, and how the call ended according to the log. */
export interface Printed {
	output: string;
	/** How the call ended. `failed`: with an error flag or a non-zero exit status. `pending`: no result yet. */
	outcome: "ok" | "failed" | "cancelled" | "pending";
	/** Whether the call only read something: a file, a listing or a search. */
	looks: boolean;
}

/**
 * Number of lines that are read at the beginning and at the end of an output. The summary is at the end, whereas the first error can be
 * anywhere.
 */
const HEAD_LINES = 240;
const TAIL_LINES = 160;
const LINE_BOUND = 400;

/** Returns the most informative lines of a result, at most `most` of them, in the order of the output. */
export function resultLines(step: Printed, most = 2): ResultLine[] {
	const lines = outputLines(step.output);
	const found = lines.map(readLine).filter((line) => line !== undefined);
	const isFailed = step.outcome === "failed";
	const onlyLooked = step.looks && !isFailed;
	const summary = onlyLooked ? undefined : summaryOf(found, isFailed);
	// If there is an error but no summary, the program was interrupted or does not print summaries.
	const error = onlyLooked ? undefined : errorOf(found, isFailed, summary);
	const figures =
		summary?.kind === "verdict" ? weightiest(found.filter(({ kind }) => kind === "count")) : undefined;
	// A bare "FAIL" adds no information to an error.
	const stated = error && summary && summary.weight < 0 && summary.kind === "verdict" ? undefined : summary;
	// In the result of a read-only call, such as a log, the newest line is the first one.
	const made = onlyLooked
		? found.filter(({ kind }) => kind === "made").slice(0, 1)
		: madeIn(found).filter(({ weight }) => !isFailed || weight >= -1);
	// If more than two lines are allowed, the other errors are added.
	const others = error && most > 2 ? found.filter(({ kind }) => kind === "error") : [];
	const all = [...new Set([error, stated, figures, ...made, ...others])].filter((one) => one !== undefined);
	const chosen = all.slice(0, most).toSorted((a, b) => found.indexOf(a) - found.indexOf(b));
	const isUnstated = chosen.every(({ kind }) => isFailed && kind === "made");
	const plain = isUnstated ? plainLine(lines, isFailed, step.looks) : undefined;
	const isOneOfMany =
		error !== undefined && found.some((line) => !chosen.includes(line) && isAlike(line, error));
	if (!plain)
		return chosen.map((one) =>
			one === error && isOneOfMany ? { ...resultLineOf(one), isOneOfMany } : resultLineOf(one),
		);
	return [...chosen.filter(({ text }) => text !== plain.text).map(resultLineOf), plain].slice(-most);
}

/** Returns the line of a step's output that states the outcome. Undefined if neither a summary nor an error shows it. */
export function resultOf(step: Omit<Printed, "looks">): ResultLine | undefined {
	const found = outputLines(step.output)
		.map(readLine)
		.filter((line) => line !== undefined);
	const isFailed = step.outcome === "failed";
	const summary = summaryOf(found, isFailed);
	const error = errorOf(found, isFailed, summary?.passed === false ? summary : undefined);
	// Without a summary, only a compiler error that includes its location proves a failure.
	const isShown = isFailed || (error?.weight ?? 0) > 5;
	const shown = summary?.passed === undefined || (isFailed && summary.passed) ? isShown && error : summary;
	return shown && shown.passed !== undefined ? resultLineOf(shown) : undefined;
}

/** Whether two lines are different errors, each with a location. */
function isAlike(one: Line, other: Line): boolean {
	return (
		[one, other].every(({ kind, text }) => kind === "error" && PLACE.test(text)) && one.text !== other.text
	);
}

function resultLineOf({ kind, text, passed }: ResultLine): ResultLine {
	return { kind, text, passed };
}

function outputLines(output: string): string[] {
	const text = /[\x1b\r]/.test(output) ? replaceEscapes(output, "").replace(/\r\n?/g, "\n") : output;
	const all = text.split("\n");
	const bounded = [...all.slice(0, HEAD_LINES), ...all.slice(HEAD_LINES).slice(-TAIL_LINES)];
	return bounded.map((line) => line.slice(0, LINE_BOUND).trim()).filter((line) => line !== "");
}

/**
 * Number of neighboring summary lines that are compared with each other, because test runners print the figures for files, tests and errors
 * on consecutive lines.
 */
const TOGETHER = 4;

/** Returns the best summary line. Failures rank above successes, and lines with figures above lines without. */
function summaryOf(found: readonly Line[], isFailed: boolean): Line | undefined {
	const counts = found.filter(({ kind }) => kind === "count");
	const verdicts = found.filter(({ kind }) => kind === "verdict");
	const failing = weightiest(counts.filter(({ passed }) => passed === false).slice(-TOGETHER));
	if (failing) return failing;
	const passing = weightiest(counts.filter(({ passed }) => passed === true).slice(-TOGETHER));
	const bad = weightiest(verdicts.filter(({ passed }) => passed === false));
	// Figures after a verdict of failure belong to a later run.
	if (bad && (isFailed || !passing || found.indexOf(bad) > found.indexOf(passing))) return bad;
	if (passing) return passing;
	const good = isFailed ? undefined : weightiest(verdicts.slice(-TOGETHER));
	const neutral = weightiest(counts);
	return good?.passed === true ? good : (neutral ?? good);
}

/** Returns the first of the highest-ranking errors. If nothing else shows a failure, only unmistakable errors count. */
function errorOf(found: readonly Line[], isFailed: boolean, summary: Line | undefined): Line | undefined {
	if (!isFailed && summary?.passed === true) return undefined;
	const least = isFailed && !summary ? 0 : 1;
	const errors = found.filter(({ kind, weight }) => kind === "error" && weight >= least);
	const isShown = isFailed || summary?.passed === false;
	const sure = errors.filter(({ weight }) => isShown || weight >= (summary ? 5 : 4));
	// Low-ranking errors, such as a wrapper's message about the command that it ran.
	const relayed = summary ? [] : errors.filter(({ weight }) => weight < 2);
	return weightiest(sure.toReversed()) ?? weightiest(relayed.toReversed());
}

/** Returns the last line that reports a created item of each kind. The kind with the highest rank comes first. */
function madeIn(found: readonly Line[]): Line[] {
	const last = new Map(found.filter(({ kind }) => kind === "made").map((line) => [line.weight, line]));
	return [...last.values()].toSorted((a, b) => b.weight - a.weight);
}

/** Returns the last of the lines with the highest rank. */
function weightiest(lines: readonly Line[]): Line | undefined {
	const most = Math.max(...lines.map(({ weight }) => weight));
	return lines.findLast(({ weight }) => weight === most);
}

/**
 * Returns a representative line of a result that has no known form: the newest commit in a log, the only line, a total, or the last line of
 * a run.
 */
function plainLine(lines: readonly string[], isFailed: boolean, looks: boolean): ResultLine | undefined {
	const all = lines.filter(isPlain);
	const plain = all.length > 1 && !isFailed ? all.filter((line) => !PROGRESS.test(line)) : all;
	const first = plain[0];
	const last = plain.at(-1);
	if (first === undefined || last === undefined) return undefined;
	const line = (text: string) => resultLineOf({ kind: "verdict", text, passed: undefined });
	if (LOG_ROW.test(first)) return line(first);
	if (isFailed) {
		const stated = plain.filter((text) => !SOURCE.test(text));
		const reason = stated.find((text) => /^[A-Z].*\w\.$/.test(text)) ?? stated.at(-1);
		return reason !== undefined || !looks ? line(reason ?? first) : undefined;
	}
	const isTotal = /^[\d.,]+\w?\s+total$/.test(last);
	return all.length === 1 || isTotal || !(looks || SOURCE.test(last)) ? line(last) : undefined;
}
