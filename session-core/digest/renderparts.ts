import { clipColumns } from "../text/clip.ts";
import { redact } from "../text/redact.ts";
import { cleanLine, cleanText } from "../text/sanitize.ts";
import { headAndTail } from "./bounds.ts";
import { mentionsIn } from "./mention.ts";
import { remedyFor } from "./remedy.ts";
import type { CommandRun, Digest, FileChange } from "./types.ts";

/** One part of the model's input. Lower `rank` is kept longer; rank 0 is never cut. */
export interface Part {
	title: string;
	body: string;
	rank: number;
}

/** The parts, sanitised and redacted, in the order in which a model reads them. */
export function partsOf(digest: Digest): Part[] {
	const part = (title: string, rank: number, body: string | undefined): Part => ({
		title,
		rank,
		body: redact(cleanText(body ?? "")).trim(),
	});
	return [
		part("Session's first request", 3, quote(digest.opening, 500)),
		part("Task (first request of the current thread)", 1, quote(digest.task, 900)),
		part("Summary of earlier work, may be stale", 5, quote(digest.summary, 800)),
		part("User's recent prompts, oldest first", 2, list(recentPrompts(digest), 280)),
		part("Earlier replies in this thread, their beginnings", 6, list(digest.earlierReplies, 200)),
		part("Replies before this thread", 5, list(digest.olderReplies.slice(-2), 240)),
		part("Said while working", 4, list(digest.narration.slice(-5), 160)),
		part("Reply to the last piece of work", 1, quote(digest.mainReply, 1_600)),
		part("Last reply", 0, quote(digest.lastReply, 2_400)),
		part("State", 0, `${stateLine(digest)}${lookedLine(digest)}`),
		part("Failures", 0, list(digest.failures, 240)),
		part("Checks after the last edit", 0, checksLine(digest)),
		part("Stated next steps", 1, list(digest.nextSteps, 200)),
		part("Claimed in the last reply, but not shown by the log", 0, list(digest.unsupported.slice(0, 3), 160)),
		part("Asked earlier, not taken up", 2, quote(digest.pending, 200)),
		part("Said when an earlier run was interrupted", 2, quote(digest.interrupted, 300)),
		part("Offered", 2, list(digest.offers, 200)),
		part("Not committed, by the newest git status", 1, list(digest.uncommitted.slice(0, 6), 160)),
		part("Open questions to the user", 1, list(digest.questions, 240)),
		part("Files changed, newest first", 1, files(digest)),
		part("Files and pages read, newest first", 4, reads(digest)),
		part("Commits, branches, links", 1, links(digest)),
		part("Commands, newest last", 5, commands(digest.commands)),
	];
}

/** The newest prompts; the task, which is quoted above, only by its place among them. */
function recentPrompts({ task, prompts }: Digest): string[] {
	return prompts.slice(-8).map((prompt) => (prompt === task ? "(the task)" : prompt));
}

function quote(text: string | undefined, bound: number): string {
	return text === undefined ? "" : headAndTail(text.replace(/\n{3,}/g, "\n\n"), bound);
}

function list(items: readonly string[], columns: number): string {
	return items.map((item) => `- ${clipColumns(cleanLine(item), columns)}`).join("\n");
}

function stateLine({ outcome, endReason }: Digest): string {
	const reason = endReason ? ` (${clipColumns(cleanLine(endReason), 400)})` : "";
	switch (outcome) {
		case "aborted":
			return `the last run was aborted by the user${reason}`;
		case "error":
			return `the last run failed${reason}${endReason ? remedyText(endReason) : ""}`;
		case "waiting":
			return "the agent waits for the user's answer";
		case "running":
			return "the log ends in the middle of a run";
		case "done":
			return "the agent finished its last run";
	}
}

/** A proposal reads like a report; that no call of the thread changed anything is the difference. */
function lookedLine({ onlyLooked, activity }: Digest): string {
	return onlyLooked && activity.toolCalls > 0 ? "; nothing was changed for the task yet" : "";
}

function remedyText(reason: string): string {
	const remedy = remedyFor(reason);
	return remedy === undefined ? "" : `; usual remedy: ${remedy}`;
}

function checksLine({ checks, commands }: Digest): string {
	const named = commands
		.filter((run) => run.isCheck && run.afterLastEdit)
		.slice(-3)
		.map((run) => clipColumns(cleanLine(run.command), 100));
	const which = named.length > 0 ? ` (${named.join("; ")})` : "";
	switch (checks) {
		case "passed":
			return `passed${which}`;
		case "failed":
			return `FAILED${which}`;
		case "not_run":
			return "not verified: no check is known to have passed after it";
		case "none":
			return "none were run";
	}
}

/** Files of the thread first, then what the last reply names of the others. */
function files({ files: changes, lastReply }: Digest): string {
	const mention = mentionsIn(lastReply ?? "");
	const rank = ({ inThread, path }: FileChange): number => {
		if (inThread) return 0;
		return mention(path) > 0 ? 1 : 2;
	};
	return changes
		.toReversed()
		.toSorted((a, b) => rank(a) - rank(b))
		.slice(0, 12)
		.map((change) => `- ${cleanLine(change.path)} (${change.kind}${counts(change)})`)
		.join("\n");
}

function counts({ added, removed }: FileChange): string {
	return added + removed === 0 ? "" : `, +${added} −${removed}`;
}

/** What was looked at: what the last reply names, and the newest. */
function reads(digest: Digest): string {
	const changed = new Set(digest.files.map((change) => change.path));
	const mention = mentionsIn(digest.lastReply ?? "");
	const unchanged = digest.reads.filter(({ path }) => !changed.has(path));
	const newest = new Set(unchanged.filter(({ inThread }) => inThread).slice(-6));
	return unchanged
		.filter((source) => newest.has(source) || mention(source.path) > 0)
		.slice(-8)
		.toReversed()
		.map(({ path }) => `- ${clipColumns(cleanLine(path), 160)}`)
		.join("\n");
}

function links(digest: Digest): string {
	return digest.links
		.filter((link) => link.inThread || link.evidence === "made")
		.slice(-10)
		.toReversed()
		.map(
			(link) =>
				`- ${link.kind} ${clipColumns(cleanLine(link.locator), 200)} ${clipColumns(cleanLine(link.label), 120)}`,
		)
		.join("\n");
}

function commands(runs: readonly CommandRun[]): string {
	return runs
		.slice(-4)
		.map((run) => `- ${clipColumns(cleanLine(run.command), 100)} → ${run.outcome}`)
		.join("\n");
}
