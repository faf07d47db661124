/** What a returning user would open again, by a table of weights. */
import { clipColumns } from "../text/clip.ts";
import { baseName, shortPath } from "../text/paths.ts";
import { literal } from "../text/statement.ts";
import { lastTurn, stepsOf } from "../timeline/turn.ts";
import type { FileChange, Link, Timeline } from "../timeline/types.ts";
import { newestRun } from "./evidence.ts";
import type { Recap } from "./record.ts";

type Artifact = Recap["artifacts"][number];

export const MAX_ARTIFACTS = 4;
/** Characters beyond which a locator is no name of a file or page that a person would open. */
const MAX_LOCATOR = 240;

const WEIGHTS = {
	namedInReply: 3,
	changedForRequest: 2.5,
	/** For the newest change; less for each older one. */
	newest: 2,
	each: 0.35,
	/** For each call that changed it, up to five. */
	time: 0.2,
	folder: 0.6,
	notCommitted: 1,
	/** By the newest `git status`, though no call of the session changed it. */
	othersNotCommitted: 2.2,
	/** The newest failed run names it with a line. */
	failing: 3,
	commit: 4.2,
	page: 4,
	/** Looked at only; counts where the current request changed nothing. */
	read: 1.6,
	temporary: -6,
	/** Only its place changed. */
	moved: -1.5,
	/** For each turn since. */
	turn: -0.4,
} as const;
const TEMPORARY = /^(?:\/tmp\/|\/var\/folders\/|\/private\/tmp\/)|node_modules\//;

/** Turns before the current request whose files may belong to it. */
const RECENT = 2;

interface Candidate extends Artifact {
	score: number;
}

/** `from`: index of the turn with the current request. */
export function chooseArtifacts(timeline: Timeline, from: number): Artifact[] {
	const reply = lastTurn(timeline.turns)?.reply ?? timeline.turns.findLast((turn) => turn.reply)?.reply ?? "";
	const ranked = [
		...fileCandidates(timeline, from, reply),
		...linkCandidates(timeline, from, reply),
	].toSorted((a, b) => b.score - a.score);
	const chosen: Artifact[] = [];
	for (const { score, ...artifact } of ranked) {
		if (chosen.length === MAX_ARTIFACTS || score <= 0) break;
		if (artifact.locator === "" || artifact.locator.length > MAX_LOCATOR) continue;
		if (!chosen.some((known) => known.locator === artifact.locator)) chosen.push(artifact);
	}
	return chosen;
}

const LINE_ARTIFACTS = 3;
const NAME_COLUMNS = 48;

/** Up to three artifacts in one line, each as short as tells it apart: a path's end, a commit's hash, a page's name. */
export function artifactLine(artifacts: readonly Artifact[]): string {
	return artifacts.slice(0, LINE_ARTIFACTS).map(artifactName).join(" · ");
}

/** An artifact in a few columns. */
export function artifactName({ kind, label, locator }: Artifact): string {
	if (kind === "file")
		return clipColumns(locator.length <= NAME_COLUMNS ? locator : shortPath(locator), NAME_COLUMNS);
	if (kind !== "commit") return clipColumns(label, NAME_COLUMNS);
	const hash = locator.slice(0, 7);
	return clipColumns(label.includes(hash) ? label : `${hash} ${label}`.trim(), NAME_COLUMNS);
}

function fileCandidates(timeline: Timeline, from: number, reply: string): Candidate[] {
	const changed = timeline.files.filter(({ kind }) => kind !== "removed").toReversed();
	const own = changed.filter(({ turn }) => turn >= from);
	const failing = failingFiles(
		timeline,
		changed.map(({ path }) => path),
	);
	// What was changed for earlier requests is another story, unless the reply comes back to it.
	const told = changed.filter(
		({ turn, path }) => own.length === 0 || turn >= from - RECENT || failing.has(path) || names(reply, path),
	);
	const found = told.map((file, age) => {
		const failed = failing.has(file.path) ? WEIGHTS.failing : 0;
		return fileCandidate(file.path, weigh(file, age, timeline, from, reply) + failed);
	});
	for (const path of timeline.uncommitted) found.push(fileCandidate(path, WEIGHTS.othersNotCommitted));
	if (own.length > 0) return found;
	const recent = timeline.turns.slice(Math.max(0, from));
	const reads = [
		...new Set(
			recent
				.flatMap(stepsOf)
				.flatMap((step) => step.reads)
				.reverse(),
		),
	];
	const looked = reads.slice(0, 16).map((path, age) => {
		const named = names(reply, path) ? WEIGHTS.namedInReply : 0;
		const place = (path.includes("/") ? WEIGHTS.folder : 0) + (TEMPORARY.test(path) ? WEIGHTS.temporary : 0);
		return fileCandidate(path, WEIGHTS.read + named + place - age * WEIGHTS.each * 0.5);
	});
	return [...found, ...looked];
}

function weigh(
	file: FileChange,
	age: number,
	{ turns, uncommitted }: Timeline,
	from: number,
	reply: string,
): number {
	return (
		(names(reply, file.path) ? WEIGHTS.namedInReply : 0) +
		(file.turn >= from ? WEIGHTS.changedForRequest : 0) +
		Math.max(0, WEIGHTS.newest - age * WEIGHTS.each) +
		Math.min(file.times, 5) * WEIGHTS.time +
		(file.path.includes("/") ? WEIGHTS.folder : 0) +
		(file.kind === "moved" ? WEIGHTS.moved : 0) +
		(uncommitted.includes(file.path) ? WEIGHTS.notCommitted : 0) +
		(TEMPORARY.test(file.path) ? WEIGHTS.temporary : 0) +
		Math.max(-6, (turns.length - 1 - file.turn) * WEIGHTS.turn)
	);
}

const PLACE = /([\w./@-]+\.\w{1,6})[:(]\d/g;

/** Files that the newest failed run's output names with a line, as compilers and tests print them. */
function failingFiles(timeline: Timeline, known: readonly string[]): ReadonlySet<string> {
	const run = newestRun(timeline);
	if (run?.passed !== false) return new Set();
	const named = [...run.step.output.slice(-8_000).matchAll(PLACE)].map(([, path = ""]) =>
		path.replace(/^(?:\.\.?\/)+/, ""),
	);
	return new Set(known.filter((path) => named.some((name) => path === name || path.endsWith(`/${name}`))));
}

function linkCandidates({ links, turns }: Timeline, from: number, reply: string): Candidate[] {
	const isTold = (link: Link): boolean => link.turn >= from || isNamed(link, reply);
	const newestCommit = links.findLast((link) => link.kind === "commit" && isTold(link));
	const pages = links.filter((link) => link.kind === "page" && isTold(link)).slice(-2);
	const age = (turn: number): number => Math.max(-6, (turns.length - 1 - turn) * WEIGHTS.turn);
	const found: Candidate[] = [];
	if (newestCommit) {
		const { locator, label, turn } = newestCommit;
		const named = isNamed(newestCommit, reply) ? WEIGHTS.namedInReply : 0;
		const score = (turn >= from ? WEIGHTS.commit : WEIGHTS.commit / 2) + named + age(turn);
		found.push({ kind: "commit", label: clipColumns(literal(label), 60), locator: literal(locator), score });
	}
	for (const page of pages) {
		const { locator, label, turn } = page;
		const score = WEIGHTS.page + (isNamed(page, reply) ? WEIGHTS.namedInReply : 0) + age(turn);
		found.push({ kind: "url", label: literal(label), locator: literal(locator), score });
	}
	return found;
}

/** Whether a text names a commit by its hash, or a page by its address or number. */
function isNamed({ kind, locator }: Link, text: string): boolean {
	if (kind === "commit") return text.includes(locator.slice(0, 7));
	return text.includes(locator) || text.includes(`#${/\d+$/.exec(locator)?.[0] ?? "-"}`);
}

function fileCandidate(path: string, score: number): Candidate {
	const locator = literal(path);
	const isPage = /^https?:\/\//.test(locator);
	return { kind: isPage ? "url" : "file", label: isPage ? locator : literal(baseName(path)), locator, score };
}

/** Whether a text names a file, or what is in it: `session_detector.go` is where `SessionDetector` lives. */
function names(text: string, path: string): boolean {
	const name = baseName(path);
	if (name.length > 3 && text.includes(name)) return true;
	const stem = name.replace(/\.\w+$/, "");
	if (stem.length <= 6 || !/[-_]|[a-z][A-Z]/.test(stem)) return false;
	return squeeze(text).includes(squeeze(stem));
}

function squeeze(text: string): string {
	return text.replace(/[-_]/g, "").toLowerCase();
}
