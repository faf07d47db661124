import type { Shown } from "./claims.ts";
import { type CommandFact, readCommand, readManual, runsGit } from "./commands.ts";
import { type FileEdit, readEdits, readSource } from "./files.ts";
import { uncommittedFiles } from "./gitstate.ts";
import { commandLinks, type FoundLink, repositoryOf, urlLinks } from "./links.ts";
import { onlyLooks, onlyShows } from "./looking.ts";
import type { PathNamer } from "./paths.ts";
import { namedFiles, removalOf, shellMoves, shellReads, shellWrites } from "./shellfiles.ts";
import type { Step, Turn } from "./turns.ts";
import type { CommandRun, Digest, FileChange, Link, Source } from "./types.ts";
import { concerns, judgeChecks, type Run, settleRuns, shownBy } from "./verdict.ts";

type Work = Pick<
	Digest,
	"files" | "reads" | "commands" | "links" | "failures" | "checks" | "onlyLooked" | "uncommitted"
> & {
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
	const files = new Map<string, Omit<FileChange, "age"> & { turn: number }>();
	const reads = new Map<string, boolean>();
	const links = new Map<string, Omit<Link, "age"> & { turn: number }>();
	const runs: Run[] = [];
	const failures: string[] = [];
	let uncommitted: string[] = [];
	let failed: CommandFact | undefined;
	let repository: string | undefined;
	let order = 0;
	let lastEdit = -1;
	let turn = 0;
	let onlyLooked = true;

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
			turn,
		});
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
		// A line that failed or was stopped in the middle may have changed files before.
		if (fact.changesFiles) lastEdit = order++;
		if (fact.outcome === "ok") {
			for (const edit of shellWrites(fact.line, name)) addEdit(edit);
		}
		for (const { from, to } of fact.outcome === "ok" ? shellMoves(fact.line, name) : []) {
			const moved = files.get(from);
			files.delete(from);
			if (moved) addEdit({ ...moved, path: to });
		}
		const removed = removalOf(fact.line, name);
		if (removed) {
			for (const path of files.keys()) {
				if (!removed(path)) continue;
				// What the session itself made to try something out is cleaned up; what stood there before is missed.
				if (files.get(path)?.kind === "edited") lastEdit = order++;
				files.delete(path);
			}
		}
		for (const path of shellReads(fact.line, name)) addRead(path);
		if (fact.verdict === "failed" && turn >= threadStart) failed = fact;
		for (const link of commandLinks(fact, repository)) addLink(link);
		if (fact.outcome === "ok" && runsGit(fact.line, /^commit$/)) uncommitted = [];
		uncommitted = uncommittedFiles(fact, name) ?? uncommitted;
		if (turn >= threadStart && !onlyShows(fact)) onlyLooked = false;
		runs.push({ fact, turn, order: order++ });
		// A check says nothing of what its own line changed behind it; `git stash` around one least of all.
		if (fact.changesBehindCheck) lastEdit = order++;
	};
	const addStep = (step: Step, isLastTurn: boolean): void => {
		const fact = readCommand(step);
		if (fact) {
			addRun(fact);
			if (isLastTurn && fact.detail) failures.push(`${firstLine(fact.command)}: ${fact.detail}`);
			return;
		}
		for (const edit of readEdits(step, name)) {
			addEdit(edit);
			lastEdit = order++;
		}
		if (mayChange(step)) lastEdit = order++;
		if (turn >= threadStart && !onlyLooks(step)) onlyLooked = false;
		const source = readSource(step, name);
		if (source !== undefined) addRead(source);
		if (isLastTurn && step.result?.isError)
			failures.push(`${step.call.name}: ${firstLine(step.result.text)}`);
	};
	const result = (): Work => {
		const failing = failed ? namedFiles(failed.output, cwd, [...reads.keys(), ...files.keys()], name) : [];
		for (const path of failing) addRead(path);
		const changed = [...files.values()].map(({ turn: at, ...file }) => ({ ...file, age: turn - at }));
		const settled = settleRuns(runs);
		const judged = settled.filter(({ fact }) => !fact.isCheck || concerns(fact, changed, { name, cwd }));
		return {
			files: changed.slice(-KEPT.files),
			reads: [...reads].slice(-KEPT.reads).map(([path, inThread]) => source(path, inThread, failing)),
			commands: settled.slice(-KEPT.commands).map((run) => commandRun(run, lastEdit, threadStart)),
			links: [...links.values()]
				.slice(-KEPT.links)
				.map(({ turn: at, ...link }) => ({ ...link, age: turn - at })),
			failures: failures.slice(-KEPT.failures),
			checks: judgeChecks(judged, lastEdit, changed),
			onlyLooked,
			uncommitted,
			shown: shownBy(judged, lastEdit),
		};
	};
	const enter = (index: number): void => {
		turn = index;
	};
	return { enter, addStep, addRun, addLink, result };
}

const CHANGES =
	/(?:^|[_.-])(?:edit|write|patch|replace|rename|move|delete|remove|insert|format|refactor)(?:$|[_.-])/i;
const KEEPS_NOTES = /todo|memory|note|issue|task|plan|comment|pull|label|message/i;

/** Whether a foreign tool sounds as if it changed files: no edit that could be named, but checks before it say nothing now. */
function mayChange({ call, result }: Step): boolean {
	if (!result || result.isError) return false;
	return CHANGES.test(call.name) && !KEEPS_NOTES.test(call.name);
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

function source(path: string, inThread: boolean, failing: readonly string[]): Source {
	const failRank = failing.indexOf(path);
	return failRank < 0 ? { path, inThread } : { path, inThread, failRank };
}

function firstLine(text: string): string {
	return (text.trim().split("\n")[0] ?? "").slice(0, 200);
}
