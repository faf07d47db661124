import type { Digest, Link } from "../digest/types.ts";
import { plain } from "./wording.ts";

/** Below this a prompt that states what is wanted wins; above it, one that only points or asks loses. */
const PAGE = 0.42;
const COMMIT = 0.38;
const BRANCH = 0.05;
/** In a thread of many commits the newest is a step on the way. */
const STEP = 0.04;

/** `fix(api): `, `feat: `: what kind of change it was, not what it was about. */
const KIND = /^\w{2,10}(?:\([^)]*\))?!?:\s+(?=\S)/;
/** A change that answers a review, and a merge, say nothing of the work itself. */
const MEANS =
	/^(?:merge\b|wip\b|address(?:es|ed)? (?:the )?(?:review|comments|feedback)|apply (?:review|feedback)|review (?:feedback|fixes)|fix(?:es|ed)? (?:review|lint|typo|format)|bump\b|release\b|v?\d+\.\d+)|리뷰|レビュー|评审/i;

/**
 * What the log itself calls the thread's work: the title of its pull request or issue, the subject of its commit, else the name of
 * its branch. Facts; they serve where the prompts only point at something.
 */
export function namedWork(digest: Digest): { text: string; score: number }[] {
	const own = digest.links.filter((link) => link.inThread && link.evidence === "made");
	const titled = own.filter((link) => titleOf(link) !== undefined);
	const pages = titled.filter((link) => link.kind === "pr" || link.kind === "issue");
	const commits = titled.filter((link) => link.kind === "commit");
	const named = [
		...pages.map((link) => ({ text: titleOf(link) ?? "", score: PAGE })),
		...commits.map((link, index) => ({
			text: titleOf(link) ?? "",
			// Of several, the newest says most of where the session stands.
			score: COMMIT - (commits.length - 1) * STEP - (commits.length - 1 - index) * 0.01,
		})),
	];
	if (named.length > 0) return named;
	return own
		.filter((link) => link.kind === "branch" && /\w[-_]\w/.test(link.label))
		.map((link) => ({
			text: plain(link.label.replace(/^[\w.]+\//, "").replace(/[-_]+/g, " ")),
			score: BRANCH,
		}));
}

function titleOf({ kind, label }: Link): string | undefined {
	const title = plain(label)
		.replace(/^(?:issue|PR) #\d+\s*/, "")
		.replace(KIND, "");
	if (!/\s|[\p{Script=Han}\p{Script=Hangul}]{4}/u.test(title) || title.startsWith("pushed to "))
		return undefined;
	if (kind === "branch" || kind === "url" || MEANS.test(title)) return undefined;
	return title;
}
