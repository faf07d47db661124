import type { CommandRun, Digest } from "../digest/types.ts";
import { clipColumns, displayWidth } from "../text/clip.ts";
import { BULLET_COLUMNS, type Candidate } from "./candidate.ts";
import { LABELS, NO_OUTPUT, UNCHANGED } from "./labels.ts";
import { plain, wholeThought } from "./wording.ts";

/** What the log shows to have been done, to have failed or to be left over, whatever the reply says of it. */
export function workBullets(digest: Digest): Candidate[] {
	return [
		...endBullets(digest),
		...proposalBullets(digest),
		...commitBullets(digest),
		...checkBullets(digest),
		...leftBullets(digest),
	];
}

/** Why it ended badly: said first, and never left out. */
function endBullets({ outcome, endReason, activity, commands }: Digest): Candidate[] {
	if (outcome === "error" && endReason) {
		const words = plain(endReason);
		const labelled = `${LABELS.error}${words}`;
		const text = wholeThought(labelled, BULLET_COLUMNS) ?? clipColumns(labelled, BULLET_COLUMNS);
		return [{ text, score: 9, order: -1, isDistinct: true }];
	}
	if (outcome !== "aborted" || activity.replyWords > 0) return [];
	if (activity.toolCalls === 0) return [{ text: NO_OUTPUT, score: 0.45, order: 30 }];
	const run = commands.at(-1);
	const text = run && wholeThought(`${LABELS.lastRan}${plain(firstCommand(run.command))}`, BULLET_COLUMNS);
	return text ? [{ text, score: 0.45, order: 30 }] : [];
}

/** A proposal reads like a report; that nothing was done for it yet is the difference. */
function proposalBullets(digest: Digest): Candidate[] {
	const { outcome, offers, activity } = digest;
	const isProposal =
		outcome === "waiting" && offers.length > 0 && (activity.toolCalls > 0 || activity.replyWords > 60);
	// Whatever a run said that was cut short before its first change, it only meant to do.
	const isCut =
		(outcome === "aborted" || outcome === "error") && activity.toolCalls > 0 && activity.replyWords > 20;
	const isUntouched =
		digest.onlyLooked && !digest.links.some((link) => link.inThread && link.evidence === "made");
	if (!(isProposal || isCut) || !isUntouched) return [];
	return [{ text: UNCHANGED, score: 1.5, order: 40, isDistinct: true }];
}

function commitBullets(digest: Digest): Candidate[] {
	const commit = digest.links.findLast(
		(link) =>
			link.kind === "commit" &&
			link.evidence === "made" &&
			link.inThread &&
			!link.label.startsWith("pushed to "),
	);
	const subject = commit && wholeThought(plain(commit.label), BULLET_COLUMNS - 11);
	if (!subject) return [];
	return [{ text: `${LABELS.committed}${subject}`, score: 0.62 - Math.min(commit.age, 8) * 0.05, order: 20 }];
}

function checkBullets(digest: Digest): Candidate[] {
	const bullets: Candidate[] = [];
	const checks = digest.commands.filter((run) => run.isCheck && run.inThread);
	const failing = checks.findLast(
		(run, index) => run.verdict === "failed" && !checks.slice(index + 1).some(isPass),
	);
	if (failing) {
		const score = digest.checks === "failed" ? 0.75 : 0.5;
		bullets.push({ text: failureText(failing), score, order: 21, isDistinct: true });
	}
	const passed = checks.filter((run) => run.afterLastEdit && isPass(run) && !/\bgit\b/.test(run.command));
	const names = [...new Set(passed.map((run) => plain(shortCommand(run.command))))].slice(-3).join(", ");
	const text = names === "" ? undefined : wholeThought(`${LABELS.passed}${names}`, BULLET_COLUMNS);
	if (text) bullets.push({ text, score: 0.5, order: 20.5, isDistinct: true });
	return bullets;
}

function isPass(run: CommandRun): boolean {
	return run.verdict === "passed";
}

/** The failed command with as much of the telling line as fits; of a long command the beginning will do. */
function failureText(run: CommandRun): string {
	const words = plain(shortCommand(run.command)).split(" ");
	const detail = plain(run.detail ?? "").replace(/^-+ FAIL: |\s*\(\d+(?:\.\d+)?s\)$/g, "");
	const bare = detail.replace(/^(?:\.{0,2}\/)?(?:[\w.@-]+\/)+/, "");
	const message = bare.replace(/^.*?\berror(?: \w+)?:\s*/i, "");
	for (const count of [words.length, 4, 3]) {
		const lead = `${LABELS.failed}${words.slice(0, count).join(" ")}`;
		for (const part of [detail, bare, message]) {
			const text = `${lead} — ${part}`;
			if (part !== "" && displayWidth(text) <= BULLET_COLUMNS) return text;
		}
	}
	return clipColumns(`${LABELS.failed}${words.slice(0, 3).join(" ")}`, BULLET_COLUMNS);
}

/** Commands whose failure matters by itself: they were to bring the work to others. */
const DELIVERS =
	/\b(?:publish|deploy|release|push|merge|commit|migrate|install)\b|\bgh (?:pr|issue|release)\b/;

/** What the last turn's tools could not do, the branch that was made, and what the newest `git status` shows as not committed. */
function leftBullets(digest: Digest): Candidate[] {
	const left: Candidate[] = [];
	const own = digest.commands.filter((run) => run.inThread);
	const failed = own.findLast(
		(run) => run.outcome === "failed" && !run.isCheck && DELIVERS.test(unquoted(run.command)),
	);
	const again =
		failed && own.slice(own.indexOf(failed) + 1).some((run) => run.outcome === "ok" && sameVerb(run, failed));
	if (failed && !again) {
		left.push({ text: failureText({ ...failed, detail: "" }), score: 0.6, order: 22, isDistinct: true });
	}
	const tool = digest.failures.findLast((text) => /^\w+: /.test(text));
	const text =
		tool === undefined ? undefined : wholeThought(`${LABELS.failed}${plain(tool)}`, BULLET_COLUMNS);
	if (text && digest.outcome !== "done" && !failed && digest.checks !== "failed")
		left.push({ text, score: 0.4, order: 22 });
	const branch = digest.links.findLast(
		(link) => link.kind === "branch" && link.inThread && !TRUNK.test(link.locator),
	);
	const isShown = digest.links.some(
		(link) => link.inThread && (link.kind === "pr" || link.kind === "commit"),
	);
	if (branch && !isShown)
		left.push({ text: `${LABELS.branch}${plain(branch.locator)}`, score: 0.4, order: 19 });
	if (digest.uncommitted.length > 0 && digest.outcome !== "done") {
		const names = digest.uncommitted.slice(0, 3).map((path) => plain(path.slice(path.lastIndexOf("/") + 1)));
		left.push({ text: `${LABELS.uncommitted}${names.join(", ")}`, score: 0.6, order: 23 });
	}
	return left;
}

const TRUNK = /^(?:main|master|trunk|dev|develop)$/;

function sameVerb(a: CommandRun, b: CommandRun): boolean {
	return unquoted(a.command).match(DELIVERS)?.[0] === unquoted(b.command).match(DELIVERS)?.[0];
}

/** A command without its prose: messages and titles speak of anything. */
function unquoted(command: string): string {
	return command.replace(/"[^"]*"|'[^']*'/g, "''");
}

/** A command without the change of folder before it and what is done with its output. */
export function shortCommand(command: string): string {
	const line = command.trim().split("\n")[0] ?? "";
	return line
		.replace(/^cd\s+\S+\s*(?:&&|;)\s*/, "")
		.replace(/\s*\d?>&?\s*\S+/g, "")
		.replace(/\s*\|.*$/, "")
		.trim();
}

/** The first of a line's commands, where all of them would be a program. */
function firstCommand(command: string): string {
	const short = shortCommand(command);
	return short.length <= 60 ? short : (short.split(/\s*(?:&&|\|\||;)\s/)[0] ?? short);
}
