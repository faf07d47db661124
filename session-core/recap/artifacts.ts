import { namedHashes, repositoryOf } from "../digest/links.ts";
import { mentionsIn } from "../digest/mention.ts";
import { baseName } from "../digest/paths.ts";
import type { Digest, Link } from "../digest/types.ts";
import { clipColumns } from "../text/clip.ts";
import type { Recap } from "./record.ts";
import { literal } from "./wording.ts";

type Artifact = Recap["artifacts"][number];

interface Candidate extends Artifact {
	score: number;
	isLink?: true;
}

export const MAX_ARTIFACTS = 4;
/** Characters beyond which a locator is no name of a file or page that a person would open. */
const MAX_LOCATOR = 240;

/** What a returning user would open again: files of the current work, its newest commit, its pull request or issue. */
export function chooseArtifacts(digest: Digest): Artifact[] {
	const reply = digest.lastReply ?? "";
	// The newest commit's subject tells what it is about, too.
	const subject = digest.links.findLast((link) => link.kind === "commit" && link.age === 0)?.label ?? "";
	const told = `${reply}\n${subject}`;
	const ranked = [...fileCandidates(digest, told), ...linkCandidates(digest, reply)].toSorted(
		(a, b) => b.score - a.score,
	);
	const ownFiles = digest.files.filter((file) => file.inThread).length;
	const maxLinks = ownFiles >= 2 ? 2 : 3;
	const chosen: Artifact[] = [];
	let links = 0;
	for (const { score, isLink, ...artifact } of ranked) {
		if (chosen.length === MAX_ARTIFACTS || score <= 0) break;
		if (isLink && links === maxLinks) continue;
		if (artifact.locator === "" || artifact.locator.length > MAX_LOCATOR) continue;
		if (chosen.some((known) => known.locator === artifact.locator)) continue;
		if (isLink) links++;
		chosen.push(artifact);
	}
	return chosen;
}

function fileCandidates(digest: Digest, reply: string): Candidate[] {
	const mention = mentionsIn(reply);
	const scores = new Map<string, number>();
	const rise = (path: string, score: number): void => {
		scores.set(path, Math.max(scores.get(path) ?? 0, score));
	};
	digest.files.toReversed().forEach((file, age) => {
		const named = mention(file.path);
		if (!file.inThread && named === 0) return;
		const own = file.inThread ? 1.2 : 0;
		rise(
			file.path,
			own -
				age * 0.05 -
				Math.min(file.age, 8) * 0.05 +
				Math.min(file.times, 6) * 0.1 +
				named -
				dullness(file.path),
		);
	});
	const idle = !digest.files.some((file) => file.inThread);
	digest.reads.toReversed().forEach(({ path, inThread, failRank }, age) => {
		if (failRank !== undefined && inThread && digest.checks === "failed") rise(path, 1.6 - failRank * 0.15);
		if (digest.files.some((file) => file.path === path && file.inThread)) return;
		const named = mention(path);
		if (named > 0 || (idle && inThread)) rise(path, (inThread ? 0.5 : 0) - age * 0.03 + named);
	});
	for (const path of digest.uncommitted) rise(path, (scores.get(path) ?? 0.6) + 0.6);
	return [...scores].map(([path, score]): Candidate => {
		const isPage = /^https?:\/\//.test(path);
		const locator = literal(path);
		return {
			kind: isPage ? "url" : "file",
			label: isPage ? locator : literal(baseName(path)),
			locator,
			score,
		};
	});
}

/** Files that are changed in passing, and tests, which follow what they test. */
function dullness(path: string): number {
	if (/(?:^|\/)(?:\.[^/]+|LICENSE[^/]*|[^/]*[.-]lock(?:\.\w+)?|package-lock\.json)$/.test(path)) return 0.5;
	return /(?:^|\/)tests?\/|[._-](?:test|spec)\.\w+$/i.test(path) ? 0.15 : 0;
}

function linkCandidates(digest: Digest, reply: string): Candidate[] {
	const candidates: Candidate[] = [];
	const hashes = new Set(namedHashes(reply));
	const recent = digest.links.filter((link) => link.inThread);
	const newest = (kind: Link["kind"], evidence: Link["evidence"]): Link | undefined =>
		recent.findLast((link) => link.kind === kind && link.evidence === evidence);
	const made = newest("commit", "made");
	const seen = newest("commit", "seen");
	const named = recent.findLast((link) => link.kind === "commit" && hashes.has(link.locator));
	const commit = named ?? (made && seen && seen.age < made.age ? seen : (made ?? seen));
	if (commit) {
		const label = clipColumns(literal(commit.label), 60);
		candidates.push({
			kind: "commit",
			label,
			locator: literal(commit.locator),
			score: 2.4 - Math.min(commit.age, 6) * 0.35,
			isLink: true,
		});
	}
	for (const kind of ["pr", "issue"] as const) {
		// What only stood in some output counts where somebody speaks of it.
		const isSpokenOf = ({ locator }: Link): boolean =>
			[reply, ...digest.prompts].some((text) => text.includes(locator) || numberIn(locator, text));
		const seen = recent.findLast(
			(link) => link.kind === kind && link.evidence === "seen" && isSpokenOf(link),
		);
		const link = newest(kind, "made") ?? seen;
		if (link) candidates.push(page(link, 2.2 - Math.min(link.age, 6) * 0.25));
	}
	for (const link of recent
		.filter(({ kind, locator }) => kind === "url" && !locator.endsWith(".git"))
		.slice(-4)) {
		if (link.evidence === "made" && reply.includes(link.locator.replace(/\/$/, "")))
			candidates.push(page(link, isRepository(link.locator) ? 1.4 : 2.5));
	}
	return candidates;
}

/** Whether a text names a page by its number: `#51` for `…/pull/51`. */
function numberIn(locator: string, text: string): boolean {
	const number = locator.match(/\/(\d+)$/)?.[1];
	return number !== undefined && new RegExp(`#${number}\\b`).test(text);
}

/** The bare repository is known to who works in it. */
function isRepository(url: string): boolean {
	return repositoryOf(url) === url.replace(/\/$/, "");
}

function page(link: Link, score: number): Candidate {
	return { kind: "url", label: literal(link.label), locator: literal(link.locator), score, isLink: true };
}
