/**
 * Ranks the files, commits and pages that a returning user may want to open again. Each property has a weight, because ranking the same
 * kinds of artifacts in a fixed order finds fewer of the artifacts that people named (78 % instead of 83 %).
 */

import { type Link, readPaths, stepsOf, type Timeline } from "../log/timeline/index.ts";
import { baseName, clipColumns, namesFile, shortPath, shownName } from "../text/index.ts";
import type { SessionRecord } from "./record.ts";

type Artifact = SessionRecord["artifacts"][number];

const MAX_ARTIFACTS = 4;
/** Maximum length of a locator. Nobody would open a longer path or URL. */
const MAX_LOCATOR = 240;

const WEIGHTS = {
	namedInReply: 3,
	changedForRequest: 2.5,
	/** Weight of the newest change. Each older change weighs `each` less than the next newer one. */
	newest: 2,
	each: 0.35,
	/** Weight of each call that changed the file, for up to five calls. */
	time: 0.2,
	folder: 0.6,
	/** Weight of a file that the newest `git status` lists but that none of the session's calls changed. */
	othersNotCommitted: 2.2,
	commit: 4.2,
	page: 4,
	/** Weight of a file that was only read; used if nothing was changed for the current request. */
	read: 4,
	temporary: -6,
} as const;
const TEMPORARY = /^(?:\/tmp\/|\/var\/folders\/|\/private\/tmp\/)|node_modules\/|\/AppData\/Local\/Temp\//;

/** Whether a path is in a folder that the system or a package manager may empty at any time. */
export function isTemporary(path: string): boolean {
	return TEMPORARY.test(path);
}

type Candidate = Artifact & { score: number };

/** Chooses the artifacts of a recap. `from` is the index of the turn with the current request. */
export function chooseArtifacts(timeline: Timeline, from: number): Artifact[] {
	const reply = timeline.turns.slice(from).findLast((turn) => turn.reply)?.reply ?? "";
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

/** Returns up to three artifacts on one line, each with a short name: a path or its end, a commit's hash and label, or a page's label. */
export function artifactLine(artifacts: readonly Artifact[]): string {
	return artifacts.slice(0, LINE_ARTIFACTS).map(artifactName).join(" · ");
}

/** Returns a short name for an artifact, at most `NAME_COLUMNS` columns wide. */
export function artifactName({ kind, label, locator }: Artifact): string {
	if (kind === "file")
		return clipColumns(locator.length <= NAME_COLUMNS ? locator : shortPath(locator), NAME_COLUMNS);
	if (kind !== "commit") return clipColumns(label, NAME_COLUMNS);
	const hash = locator.slice(0, 7);
	return clipColumns(label.includes(hash) ? label : `${hash} ${label}`.trim(), NAME_COLUMNS);
}

function fileCandidates(timeline: Timeline, from: number, reply: string): Candidate[] {
	const changed = timeline.files.filter(({ kind }) => kind !== "removed").toReversed();
	const found = changed.map((file, age) => {
		const weight =
			weighPath(file.path, reply) +
			(file.turn >= from ? WEIGHTS.changedForRequest : 0) +
			Math.max(0, WEIGHTS.newest - age * WEIGHTS.each) +
			Math.min(file.times, 5) * WEIGHTS.time;
		return fileCandidate(file.path, weight);
	});
	// Other people or programs may have changed the uncommitted files, so these files are candidates only if the session changed none.
	if (changed.length === 0)
		for (const path of timeline.uncommitted) found.push(fileCandidate(path, WEIGHTS.othersNotCommitted));
	if (changed.some(({ turn }) => turn >= from)) return found;
	const reads = readPaths(timeline.turns.slice(from).flatMap(stepsOf).toReversed()).slice(0, 16);
	const looked = reads.map((path, age) =>
		fileCandidate(path, WEIGHTS.read + weighPath(path, reply) - age * WEIGHTS.each * 0.5),
	);
	return [...found, ...looked];
}

function weighPath(path: string, reply: string): number {
	const named = namesFile(reply, path) ? WEIGHTS.namedInReply : 0;
	return named + (path.includes("/") ? WEIGHTS.folder : 0) + (isTemporary(path) ? WEIGHTS.temporary : 0);
}

function linkCandidates(timeline: Timeline, from: number, reply: string): Candidate[] {
	const linksOf = (kind: Link["kind"], most: number) =>
		timeline.links.filter((link) => link.kind === kind).slice(-most);
	const commits = linksOf("commit", 1);
	const pages = linksOf("page", 2).reverse();
	return [...commits, ...pages].map((link) => {
		const label = shownName(link.label);
		const named = isNamed(link, reply) ? WEIGHTS.namedInReply : 0;
		const common = { label: clipColumns(label, 60), locator: shownName(link.locator) };
		if (link.kind === "page") return { ...common, kind: "url", label, score: WEIGHTS.page + named };
		const made = WEIGHTS.commit / (link.turn >= from ? 1 : 2);
		return { ...common, kind: "commit", score: made + named };
	});
}

/** Whether a text names a commit by its hash, or a page by its URL or number. */
function isNamed({ kind, locator }: Link, text: string): boolean {
	if (kind === "commit") return text.includes(locator.slice(0, 7));
	return text.includes(locator) || text.includes(`#${/\d+$/.exec(locator)?.[0] ?? "-"}`);
}

function fileCandidate(path: string, score: number): Candidate {
	const locator = shownName(path);
	const isPage = /^https?:\/\//.test(locator);
	return {
		kind: isPage ? "url" : "file",
		label: isPage ? locator : shownName(baseName(path)),
		locator,
		score,
	};
}
