import { isCheck, programName } from "./checks.ts";
import { FAILURE, NOTHING, STATUS_ZERO, SUCCESS, SUMMARY, TAIL } from "./checkwords.ts";
import type { ShellLine, ShellSegment } from "./shell.ts";

/** What a command's result shows of the checks in it. `unknown`: the log does not show how they went. */
export type CheckVerdict = "passed" | "failed" | "unknown";

/**
 * How the checks of one command line went, by exit status where the shell passes it on, and by the tools' own words where a pipe or
 * a later command hides it.
 */
export function checkVerdict(
	{ segments }: ShellLine,
	output: string,
	outcome: "ok" | "failed" | "aborted" | "unknown",
): CheckVerdict {
	const tail = output.slice(-TAIL);
	const checks = segments.flatMap(({ words }, index) => (isCheck(words) ? [index] : []));
	if (outcome === "failed") return failedVerdict(segments, checks, tail);
	if (outcome !== "ok" || checks.some((index) => segments[index]?.isInverted)) return "unknown";
	if (ranNothing(tail)) return "unknown";
	const hidden = checks.filter((index) => isHidden(segments, index));
	if (hidden.length === 0) return "passed";
	if (FAILURE.test(tail)) return "failed";
	if (hidden.some((index) => isFiltered(segments, index))) return "unknown";
	// A run in the background has shown no end, and the words of one check say nothing of another.
	if (hidden.some((index) => segments[index]?.next === "&")) return "unknown";
	if (checks.length === 1 && showsSuccess(segments, hidden, tail)) return "passed";
	return hidden.every((index) => showsItsEnd(segments, index)) && tail.trim() !== "" ? "passed" : "unknown";
}

/** Whether the shell passes a command's exit status on only in part: anything but `&&` stands behind it. */
function isHidden(segments: readonly ShellSegment[], index: number): boolean {
	if (segments[index]?.words.includes("--if-present")) return true;
	return segments.slice(index).some(({ next }) => next !== "&&" && next !== "");
}

/** Whether the output's own words, or an exit status that somebody printed, say that all went well. */
function showsSuccess(segments: readonly ShellSegment[], hidden: readonly number[], tail: string): boolean {
	const isCut = hidden.some((index) => pipeBehind(segments, index).some(({ words }) => words[0] === "head"));
	if ((isCut ? SUMMARY : SUCCESS).test(tail)) return true;
	// `$?` is the status of the command directly before; behind a pipe, of the pipe's last.
	const [index = 0] = hidden;
	const isEchoed = segments[index]?.next === ";" && segments[index + 1]?.words[0] === "echo";
	return isEchoed && STATUS_ZERO.test(tail);
}

/** The commands that a command's output went through. */
function pipeBehind(segments: readonly ShellSegment[], index: number): ShellSegment[] {
	const pipe: ShellSegment[] = [];
	for (let at = index; segments[at]?.next === "|"; at++) {
		const next = segments[at + 1];
		if (next) pipe.push(next);
	}
	return pipe;
}

/** Whether something picked lines out of a check's output that may have left its failures out. */
function isFiltered(segments: readonly ShellSegment[], index: number): boolean {
	return pipeBehind(segments, index).some(({ words, bare }) => {
		if (/^(?:tail|tee|cat|head|ts|nl|less|more)$/.test(words[0] ?? "")) return false;
		return !(/^(?:grep|egrep|rg)$/.test(words[0] ?? "") && /fail|error/i.test(bare) && !/\s-\w*v/.test(bare));
	});
}

/** A run that found nothing to run shows nothing. */
function ranNothing(tail: string): boolean {
	return (
		NOTHING.test(tail) &&
		!/\b[1-9]\d* (?:passed|passing|pass|tests?)\b|^\s*ok\s+\S+(?!.*\[no test)/im.test(tail)
	);
}

/**
 * Runners that always end a failed run's output with a line of their own, so that an end without it means success. npm and
 * yarn print nothing of their own when a script fails (seen with npm 11.19).
 */
const SIGNS_FAILURE = /^(?:pnpm|make|gmake|cargo|go|mvn|gradle|gradlew)$/;

/** Runners that sign failures in some places only: npm does inside a workspace. */
const SIGNS_SOMETIMES = /^(?:npm|yarn)$/;

/** Whether the log shows the whole end of the output of a script runner that may or may not sign its failures. */
export function showsUnsignedEnd({ segments }: ShellLine, output: string): boolean {
	const checks = segments.flatMap(({ words }, index) => (isCheck(words) ? [index] : []));
	const isOwn = (index: number): boolean =>
		SIGNS_SOMETIMES.test(programName(segments[index]?.words[0] ?? ""));
	const isShown = checks.every((index) => isOwn(index) && isEndShown(segments, index));
	return checks.length > 0 && isShown && output.trim() !== "" && !ranNothing(output.slice(-TAIL));
}

/** Whether the log shows the end of a check's output, of a runner that would have signed a failure there. */
function showsItsEnd(segments: readonly ShellSegment[], index: number): boolean {
	const words = segments[index]?.words ?? [];
	const program = programName(words[0] ?? "");
	if (!SIGNS_FAILURE.test(program) || (program === "go" && words[1] !== "test")) return false;
	return isEndShown(segments, index);
}

/** Nothing stands behind the check but `tail` of three lines or more. */
function isEndShown(segments: readonly ShellSegment[], index: number): boolean {
	const bare = segments[index]?.bare ?? "";
	// Runners that are told to be silent or to ignore errors, and those whose errors went elsewhere, sign nothing.
	if (
		/\s(?:-s|-i|-q|-k|-j\d*|--silent|--quiet|--ignore-errors|--loglevel\S*|--if-present)(?:\s|$)|2>\s*[^&\s]|&>/.test(
			bare,
		)
	)
		return false;
	return segments.slice(index + 1).every((behind) => {
		const lines = behind.bare.trim().match(/^tail(?:\s+-(?:n\s*)?(\d+))?$/);
		return lines !== null && Number(lines[1] ?? 10) >= 3;
	});
}

/** A failed line of several commands may have failed before or after its checks. */
function failedVerdict(
	segments: readonly ShellSegment[],
	checks: readonly number[],
	output: string,
): CheckVerdict {
	if (checks.some((index) => segments[index]?.isInverted)) return "unknown";
	const others = segments.filter(
		({ words }) => !isCheck(words) && !/^(?:cd|export|set)$/.test(words[0] ?? ""),
	);
	if (others.length === 0 || FAILURE.test(output)) return "failed";
	return SUCCESS.test(output) ? "unknown" : "failed";
}

/** The line of a failed command's output that says most. */
export function failureLine(output: string): string | undefined {
	const lines = output.slice(-TAIL).split("\n");
	const telling =
		lines.find((line) => FAILURE.test(line)) ?? lines.filter((line) => line.trim() !== "").at(-1);
	return telling?.trim().slice(0, 300);
}
