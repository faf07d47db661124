import type { Shown } from "./claims.ts";
import { type CommandFact, readCommand, readManual } from "./commands.ts";
import { type FileEdit, namedFiles, readEdits, readSource, removalOf, shellMoves, shellReads, shellWrites } from "./files.ts";
import { uncommittedFiles } from "./gitstate.ts";
import { commandLinks, type FoundLink, repositoryOf, urlLinks } from "./links.ts";
import type { PathNamer } from "./paths.ts";
import type { Step, Turn } from "./turns.ts";
import type { CommandRun, Digest, FileChange, Link } from "./types.ts";
import { judgeChecks, type Run, shownBy } from "./verdict.ts";

type Work = Pick<Digest, "files" | "reads" | "commands" | "links" | "failures" | "checks" | "uncommitted"> & {
	shown: Shown;
};

/** Newest facts kept of each kind: what is shown is a handful, what a model gets a dozen. */
const KEPT = { files: 40, reads: 24, commands: 40, links: 24, failures: 5 };

/** Where the session ran, and from which turn on facts belong to the current thread. */
export interface WorkContext {
	name: PathNamer;
	cwd: string | undefined;
	threadStart: number;
}

/** Collects what the tools did, in order. */
export function readWork(turns: readonly Turn[], context: WorkContext): Work {
	const log = workLog(context);
	turns.forEach((turn, index) => {
		log.enter(index);
		for (const step of turn.steps) log.addStep(step, index === turns.length - 1);
		for (const run of turn.manual) log.addRun(readManual(run));
		const reply = turn.says.at(-1);
		if (reply) for (const link of urlLinks(reply)) log.addLink(link);
	});
	return log.result();
}

function workLog({ name, cwd, threadStart }: WorkContext) {
	const files = new Map<string, FileChange>();
	const reads = new Map<string, boolean>();
	const links = new Map<string, Omit<Link, "age"> & { turn: number }>();
	const runs: Run[] = [];
	const failures: string[] = [];
	let uncommitted: string[] = [];
	let repository: string | undefined;
	let order = 0;
	let lastEdit = -1;
	let turn = 0;

	const addRead = (path: string): void => {
		reads.delete(path);
		reads.set(path, turn >= threadStart);
	};
	const addEdit = (edit: FileEdit): void => {
		const known = files.get(edit.path);
		files.delete(edit.path);
		files.set(edit.path, {
			path: edit.path,
			kind: known?.kind ?? edit.kind,
			added: (known?.added ?? 0) + edit.added,
			removed: (known?.removed ?? 0) + edit.removed,
			times: (known?.times ?? 0) + 1,
			inThread: turn >= threadStart,
		});
		lastEdit = order++;
	};
	const addLink = (link: FoundLink): void => {
		const known = links.get(link.locator);
		links.delete(link.locator);
		const evidence = known?.evidence === "made" ? "made" : link.evidence;
		const label = known && known.label.length > link.label.length ? known.label : link.label;
		links.set(link.locator, { ...link, label, evidence, inThread: turn >= threadStart, turn });
		repository = repositoryOf(link.locator) ?? repository;
	};
	const addRun = (fact: CommandFact): void => {
		if (fact.outcome === "ok") {
			if (fact.changesFiles) lastEdit = order++;
			for (const edit of shellWrites(fact.command, name)) addEdit(edit);
		}
		for (const { from, to } of fact.outcome === "ok" ? shellMoves(fact.command, name) : []) {
			const moved = files.get(from);
			files.delete(from);
			if (moved) addEdit({ ...moved, path: to });
		}
		const removed = removalOf(fact.command, name);
		if (removed) for (const path of files.keys()) if (removed(path)) files.delete(path);
		for (const path of shellReads(fact.command, name)) addRead(path);
		if (fact.verdict === "failed") {
			for (const path of namedFiles(fact.output, cwd, [...reads.keys(), ...files.keys()], name)) addRead(path);
		}
		for (const link of commandLinks(fact.command, fact.output, repository)) addLink(link);
		if (fact.outcome === "ok" && /\bgit\b[^\n]*\bcommit\b/.test(fact.command)) uncommitted = [];
		uncommitted = uncommittedFiles(fact.command, fact.output, name) ?? uncommitted;
		runs.push({ fact, turn, order: order++ });
	};
	const addStep = (step: Step, isLastTurn: boolean): void => {
		const fact = readCommand(step);
		if (fact) {
			addRun(fact);
			if (isLastTurn && fact.detail) failures.push(`${firstLine(fact.command)}: ${fact.detail}`);
			return;
		}
		for (const edit of readEdits(step, name)) addEdit(edit);
		const source = readSource(step, name);
		if (source !== undefined) addRead(source);
		if (isLastTurn && step.result?.isError) failures.push(`${step.call.name}: ${firstLine(step.result.text)}`);
	};
	const result = (): Work => ({
		files: [...files.values()].slice(-KEPT.files),
		reads: [...reads].slice(-KEPT.reads).map(([path, inThread]) => ({ path, inThread })),
		commands: runs.slice(-KEPT.commands).map((run) => commandRun(run, lastEdit, threadStart)),
		links: [...links.values()].slice(-KEPT.links).map(({ turn: at, ...link }) => ({ ...link, age: turn - at })),
		failures: failures.slice(-KEPT.failures),
		checks: judgeChecks(runs, lastEdit),
		uncommitted,
		shown: shownBy(runs, lastEdit),
	});
	const enter = (index: number): void => {
		turn = index;
	};
	return { enter, addStep, addRun, addLink, result };
}

function commandRun({ fact, turn, order }: Run, lastEdit: number, threadStart: number): CommandRun {
	return {
		command: fact.command,
		outcome: fact.verdict === "failed" ? "failed" : fact.outcome,
		isCheck: fact.isCheck,
		afterLastEdit: order > lastEdit,
		inThread: turn >= threadStart,
		...(fact.isCheck ? { verdict: fact.verdict } : {}),
		...(fact.detail === undefined ? {} : { detail: fact.detail }),
	};
}

function firstLine(text: string): string {
	return (text.trim().split("\n")[0] ?? "").slice(0, 200);
}
