import {
	commandText,
	editedPaths,
	type FileChange,
	type Link,
	programText,
	resultLines,
	resultOf,
	type Step,
	shortCommand,
	stepsOf,
	type Timeline,
	type Turn,
} from "../log/timeline/index.ts";
import {
	baseName,
	clipColumns,
	countWords,
	cutAtClause,
	displayWidth,
	plainLine,
	shortPath,
	shownName,
} from "../text/index.ts";
import { isProgramFile, isTemporary } from "./artifacts.ts";
import type { CardWords } from "./card-words.ts";
import type { SessionRecord } from "./record.ts";

const COLUMNS = 190;
const COMMAND_COLUMNS = 44;
const LINE_COLUMNS = 90;
const LINK_COLUMNS = 80;
const SUBJECT_COLUMNS = 64;
const MOST = { files: 3, made: 2, before: 3 };

export function didLine(timeline: Timeline, from: number, words: CardWords["recap"]): string | undefined {
	const now = lineOf([
		editedPart(timeline, from, words),
		branchPart(timeline, from),
		runPart({ turns: timeline.turns.slice(from) }, words),
		...linkParts(timeline.links, from, words),
	]);
	const earlier = workBefore(timeline, from, words);
	return [now, earlier && words.before(earlier)].filter(Boolean).join(" · ") || undefined;
}

function lineOf(all: readonly string[]): string {
	const [first, ...rest] = all.filter((part) => part !== "");
	const joined = (text: string, part: string): string =>
		displayWidth(`${text} · ${part}`) <= COLUMNS ? `${text} · ${part}` : text;
	return first === undefined ? "" : rest.reduce(joined, clipColumns(first, COLUMNS));
}

function workBefore({ links, files }: Timeline, from: number, words: CardWords["recap"]): string {
	const commits = links.filter(({ kind, label }) => kind === "commit" && countWords(label) > 1);
	const now = commits.filter(({ turn }) => turn >= from).map(({ label }) => label);
	const labels = commits.map(({ label }) => label).filter((label) => !now.includes(label));
	const subjects = [...new Set(labels)]
		.reverse()
		.map((label) => cutAtClause(plainLine(label), SUBJECT_COLUMNS));
	if (subjects.length > 0) {
		const more = subjects.length - MOST.before;
		return words.committed(subjects.slice(0, MOST.before).join("; ") + (more > 0 ? ` (+${more})` : ""));
	}
	const before = files.filter(
		({ path, turn, kind }) => turn < from && kind !== "removed" && !isTemporary(path),
	);
	return editedText(projectFirst(before.toSorted((one, other) => other.times - one.times)), words);
}

const projectFirst = (files: readonly FileChange[]) =>
	files.toSorted((one, other) => Number(isProgramFile(one.path)) - Number(isProgramFile(other.path)));

function editedText(
	files: readonly FileChange[],
	words: CardWords["recap"],
	timesOf: (path: string) => number = () => 1,
): string {
	const names = files.map(({ path }) => {
		const name = baseName(path);
		const isShared = files.filter((file) => baseName(file.path) === name).length > 1;
		const times = timesOf(path);
		return shownName(isShared ? shortPath(path) : name) + (times > 1 ? ` ×${times}` : "");
	});
	const shown = [...new Set(names)].slice(0, MOST.files);
	return shown.length === 0 ? "" : words.edited(shown.join(", "), files.length - shown.length);
}

export function lastStep(turn: Turn | undefined, words: CardWords): string | undefined {
	const step = turn && stepsOf(turn).at(-1);
	if (!step) return undefined;
	const { command, purpose = command === undefined ? `${step.name} ${step.argument}` : undefined } = step;
	const text =
		purpose === undefined
			? shortCommand(commandText(command ?? ""), LINE_COLUMNS)
			: cutAtClause(shownName(purpose), LINE_COLUMNS);
	if (step.outcome === "cancelled") return `${text} → ${words.outcome.aborted}`;
	const result = step.looks ? undefined : resultLines(step)[0]?.text;
	return result === undefined ? text : `${text} → ${cutAtClause(shownName(result), LINE_COLUMNS)}`;
}

function editedPart({ files, turns }: Timeline, from: number, words: CardWords["recap"]): string {
	const steps = turns.slice(from).flatMap(stepsOf);
	const all = files.filter(({ turn, kind }) => turn >= from && kind !== "removed").toReversed();
	const lasting = all.filter(({ path }) => !isTemporary(path));
	return editedText(
		projectFirst(lasting.length > 0 ? lasting : all),
		words,
		(path) => steps.flatMap(({ edits }) => edits).filter((edit) => edit.path === path).length,
	);
}

const NEW_BRANCH = /\bgit (?:checkout -b|switch -c) [\w./-]+/;

function branchPart({ links, turns }: Timeline, from: number): string {
	if (links.some(({ turn }) => turn >= from)) return "";
	const steps = turns.slice(from).flatMap(stepsOf);
	const created = steps.flatMap(({ command = "", outcome, looks }) =>
		outcome === "ok" && !looks ? (NEW_BRANCH.exec(command) ?? []) : [],
	);
	const command = created.at(-1) ?? "";
	return shortCommand(shownName(command), LINK_COLUMNS);
}

function runPart(timeline: Pick<Timeline, "turns">, words: CardWords["recap"]): string {
	const run = lastRun(timeline);
	if (!run) return "";
	const then = run.editedAfter.slice(-1).map((path) => ` (${words.thenEdited(shownName(baseName(path)))})`);
	const line = run.line === "" ? "" : ` → ${cutAtClause(run.line, LINE_COLUMNS)}`;
	return shortCommand(run.command, COMMAND_COLUMNS) + line + then.join("");
}

function linkParts(links: readonly Link[], from: number, words: CardWords["recap"]): string[] {
	const since = links.filter(({ turn }) => turn >= from);
	const newest = since.findLast(({ kind }) => kind === "commit");
	const named = (text: string): string => cutAtClause(plainLine(text), LINK_COLUMNS);
	return [
		...(newest ? [words.committed(named(`${shownName(newest.locator.slice(0, 7))} ${newest.label}`))] : []),
		...since
			.filter(({ kind, label }) => kind === "page" && /^\w+ #\d+ \S/.test(label))
			.slice(-MOST.made)
			.map(({ label }) => named(label)),
	];
}

const REACH = 3;

interface Run {
	command: string;
	/**
	 * The output line that shows the result of a command. The line is empty for a command in a script,
	 * because session files often do not contain the output of scripts.
	 */
	line: string;
	passed: boolean | undefined;
	editedAfter: string[];
}

function lastRun({ turns }: Pick<Timeline, "turns">): Run | undefined {
	const steps = turns.slice(-REACH).flatMap(stepsOf);
	const lastCall = steps.findLast(({ kind }) => kind === "call");
	let isOutdated = false;
	let gitWorked = false;
	for (const [index, step] of [...steps.entries()].reverse()) {
		if (step.outcome === "ok" && /\bgit\b[^\n;&|]*\bcommit\b/.test(step.command ?? "")) return undefined;
		const program = programText(step.command ?? step.name);
		const isGit = GIT.test(program);
		gitWorked ||= isGit && step.outcome === "ok" && !step.looks;
		// If the agent's last tool call failed, that failure is reported, even if the tool only reads data.
		const isFinal = step === lastCall && step.command === undefined && step.outcome === "failed";
		if (!isFinal && !isRun(step, isGit)) continue;
		// Only commands report results reliably, because the output of other tools may be arbitrary text.
		const result = step.command === undefined ? undefined : resultOf(step);
		const isBad = step.outcome === "failed" || result?.passed === false;
		const line =
			(isBad ? resultLines(step)[0]?.text : result?.text) ?? (step.isScripted && !isGit ? "" : undefined);
		// A later command without output may have fixed an earlier failure.
		if (line === undefined || (isBad && (isOutdated || (isGit && gitWorked)))) {
			isOutdated ||= line === undefined;
			continue;
		}
		const after = steps.slice(index + 1);
		return {
			command: shownName(step.command === undefined ? `${step.name} ${step.argument}` : program),
			line: shownName(line),
			passed: isBad ? false : result?.passed,
			editedAfter: editedPaths(after),
		};
	}
	return undefined;
}

const GIT = /^(?:git|gh)\b/;

function isRun(step: Step, isGit: boolean): boolean {
	if (step.looks || step.outcome === "pending" || step.outcome === "cancelled") return false;
	if (step.command === undefined) return step.outcome === "ok" && step.edits.length === 0;
	return step.outcome === "failed" || !isGit;
}

export function checksOf(timeline: Pick<Timeline, "turns">): Pick<SessionRecord, "checks" | "evidence"> {
	const run = lastRun(timeline);
	if (!run || run.passed === undefined) return {};
	const evidence = [{ command: run.command, line: run.line, edits_after: run.editedAfter.length }];
	// A test result is outdated if files were edited after the test run.
	return run.editedAfter.length > 0 ? { evidence } : { checks: run.passed ? "passed" : "failed", evidence };
}
