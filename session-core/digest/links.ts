import { type CommandFact, runsGit } from "./commands.ts";
import type { Link } from "./types.ts";

/** Everything a command's output, or a reply, points at. Newest evidence of one thing wins. */
export type FoundLink = Omit<Link, "inThread" | "age">;

/** `[branch 1a2b3c4] subject`, as `git commit` prints it. */
const COMMIT_LINE = /^\[([^\s\]]+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/gm;
/** `1a2b3c4..5d6e7f8  main -> main`, as `git push` prints it. */
const PUSH_LINE = /^[ \t+]*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})[ \t]+(\S+)[ \t]*->[ \t]*(\S+)/gm;
const NEW_BRANCH = /^[ \t]*\* \[new branch\][ \t]+(\S+)[ \t]*->[ \t]*(\S+)/gm;
const LOG_LINE = /^([0-9a-f]{7,40})(?: \([^)]*\))? (\S.*)$/gm;
const URL = /https?:\/\/[^\s<>"'`)\]}、，。]+/g;
const BARE_HASH = /(?:^|[^\w/#.-])([0-9a-f]{7,12})(?![\w/-])/g;

/** The address of a repository on a forge, from any address inside it. */
export function repositoryOf(url: string): string | undefined {
	return url.match(/^https:\/\/(?:github|gitlab|codeberg)\.\w+\/[\w.-]+\/[\w.-]+?(?=\.git$|\/|$)/)?.[0];
}

/**
 * Links that a `git`, `gh` or similar command line made, by what it printed. `repository` completes the numbers that `gh` takes to
 * addresses.
 */
export function commandLinks({ command, line, output }: CommandFact, repository?: string): FoundLink[] {
	const found: FoundLink[] = [];
	const makes = line.segments.some(({ words, bare }) => isForge(words) || MAKES.test(bare));
	if (!makes && !runsGit(line, /./)) return urlLinks(output.slice(-2_000));
	const text = output.slice(-8_000);
	if (runsGit(line, /^commit$/)) {
		for (const match of text.matchAll(COMMIT_LINE)) {
			found.push({ kind: "commit", label: match[3] ?? "", locator: short(match[2] ?? ""), evidence: "made" });
			if (isBranchName(match[1])) found.push(branch(match[1] ?? ""));
		}
	}
	if (runsGit(line, /^push$/)) {
		for (const match of text.matchAll(PUSH_LINE)) {
			const hash = short(match[1] ?? "");
			found.push({ kind: "commit", label: `pushed to ${match[3] ?? ""}`, locator: hash, evidence: "made" });
		}
		for (const match of text.matchAll(NEW_BRANCH)) found.push(branch(match[2] ?? ""));
	}
	const created = command.match(/\bgit\b[^\n;&|]*\b(?:checkout -[bB]|switch -[cC]|branch)\s+([\w./-]+)/);
	if (created && isBranchName(created[1])) found.push(branch(created[1] ?? ""));
	if (runsGit(line, /^(?:log|merge|show|reflog|rev-parse)$/)) {
		const newest = text.matchAll(LOG_LINE).next().value;
		if (newest) {
			found.push({
				kind: "commit",
				label: newest[2] ?? "",
				locator: short(newest[1] ?? ""),
				evidence: "seen",
			});
		}
	}
	for (const match of command.matchAll(/\bgh (pr|issue) (?:merge|close|edit|ready|reopen) (\d+)/g)) {
		const isIssue = match[1] === "issue";
		const number = match[2] ?? "";
		if (!repository) continue;
		const locator = `${repository}/${isIssue ? "issues" : "pull"}/${number}`;
		found.push({
			kind: isIssue ? "issue" : "pr",
			label: `${isIssue ? "issue" : "PR"} #${number}`,
			locator,
			evidence: "made",
		});
	}
	const title = command.match(/\bgh (?:pr|issue) create\b[^\n]*?--title\s+(["'])(.+?)\1/)?.[2];
	for (const link of urlLinks(text)) {
		const label =
			title && (link.kind === "pr" || link.kind === "issue") ? `${link.label} ${title}` : link.label;
		found.push(makes ? { ...link, label, evidence: "made" } : link);
	}
	return found;
}

/** Commands that make something whose address they print. */
const MAKES = /\bgit push\b|\bgit .*\bpush\b|\bcurl\b.*-X\s*POST/;

function isForge(words: readonly string[]): boolean {
	return (
		/^(?:gh|glab|hub)$/.test(words[0] ?? "") && /^(?:pr|mr|issue|release|repo|api)$/.test(words[1] ?? "")
	);
}

function branch(name: string): FoundLink {
	return { kind: "branch", label: name, locator: name, evidence: "made" };
}

function isBranchName(name: string | undefined): boolean {
	return name !== undefined && name !== "" && !/^(?:HEAD|detached|-)/.test(name);
}

function short(hash: string): string {
	return hash.slice(0, 12);
}

/** Addresses in a text; pull requests, issues and commits are told from the rest by their path. */
export function urlLinks(text: string): FoundLink[] {
	const found: FoundLink[] = [];
	for (const [raw] of text.slice(-8_000).matchAll(URL)) {
		const locator = raw.replace(/[.,;:!?*_~|]+$/, "").replace(/#issuecomment-\d+$/, "");
		if (/\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(locator) || locator.length > 300) continue;
		found.push({ ...classify(locator), locator, evidence: "seen" });
	}
	return found;
}

function classify(url: string): Pick<Link, "kind" | "label"> {
	const numbered = url.match(/\/(pull|pulls|issues|merge_requests|pull-requests)\/(\d+)(?:\/[\w-]*)?$/);
	if (numbered) {
		const isIssue = numbered[1] === "issues";
		return { kind: isIssue ? "issue" : "pr", label: `${isIssue ? "issue" : "PR"} #${numbered[2] ?? ""}` };
	}
	const commit = url.match(/\/commit\/([0-9a-f]{7,40})/);
	if (commit) return { kind: "commit", label: (commit[1] ?? "").slice(0, 12) };
	return { kind: "url", label: url.replace(/^https?:\/\//, "") };
}

/** Commit hashes that a reply names; only for those that a command's output named too. */
export function namedHashes(text: string): string[] {
	const hashes: string[] = [];
	for (const match of text.slice(-8_000).matchAll(BARE_HASH)) {
		const hash = match[1] ?? "";
		if (/\d/.test(hash) && /[a-f]/.test(hash)) hashes.push(hash);
	}
	return hashes;
}
