import type { BranchSlice } from "../session/branch.ts";
import type { Entry } from "../session/entry.ts";
import { isMessageEntry } from "../session/message.ts";
import { headAndTail } from "./bounds.ts";
import { isUnsupported, type Shown } from "./claims.ts";
import { readEnding } from "./ending.ts";
import { actedIn } from "./looking.ts";
import { asks } from "./newtask.ts";
import { type PathNamer, pathNamer } from "./paths.ts";
import { interruptedPlan, isSettled, pendingQuestion, stillOpen } from "./pending.ts";
import { readBlocks, sentencesOf } from "./prose.ts";
import { readReplies } from "./replies.ts";
import { joinStatements, readStatements } from "./statements.ts";
import { goalOf } from "./summary.ts";
import { findThread } from "./thread.ts";
import { changedFiles, readTurns, type Turn } from "./turns.ts";
import type { Activity, Digest, PromptRole } from "./types.ts";
import { substance } from "./voice.ts";
import { readWork } from "./work.ts";

export interface DigestOptions {
	/** The session's folder: paths below it are named relative to it. */
	cwd?: string;
}

/** Characters kept of the last reply. Its head names the result, its tail what is asked; both are kept. */
const REPLY_BOUND = 8_000;
const PROMPTS = 12;

/** Reads what happened from the recent part of a branch. Pure; never throws on entries of any shape. */
export function digestBranch(slice: BranchSlice, options: DigestOptions = {}): Digest {
	const namer: PathNamer = pathNamer(options.cwd);
	const turns = [...readTurns(slice.opening), ...readTurns(slice.entries)];
	const thread = findThread(turns);
	const replies = readReplies(turns, thread.start);
	const own = readStatements(replies.last ?? "");
	const ending = readEnding(turns, own);
	// Behind a side question, what the work left open is still open.
	const statements =
		replies.main === undefined
			? own
			: joinStatements(own, stillOpen(readStatements(replies.main), replies.sinceMain));
	const work = readWork(turns, { name: namer, cwd: options.cwd, threadStart: thread.start });
	const spoken = turns.flatMap((turn, index) => (turn.prompt ? [{ prompt: turn.prompt, index }] : []));
	const recent = spoken.slice(-PROMPTS);
	const summaryAt = turns.findLastIndex((turn) => turn.summary !== undefined);
	const summary = turns[summaryAt]?.summary;
	return {
		stamp: slice.entries.findLast(isMessageEntry)?.id,
		messages: countMessages(slice.entries),
		task: thread.task,
		opening: thread.opening,
		summary,
		goal: summaryAt >= thread.start ? goalOf(summary) : undefined,
		prompts: recent.map(({ prompt }) => prompt),
		roles: recent.map(({ index }) => roleOf(turns, index, thread.start)),
		threadStart: recent.filter(({ index }) => index < thread.start).length,
		lastReply: replies.last && headAndTail(replies.last, REPLY_BOUND),
		mainReply: replies.main && headAndTail(replies.main, REPLY_BOUND),
		narration: replies.narration,
		earlierReplies: replies.earlier.map((reply) => headAndTail(reply, 1_500)),
		olderReplies: replies.older.map((reply) => headAndTail(reply, 1_000)),
		interrupted: interruptedPlan(turns, thread.start),
		pending: ending.outcome === "done" && isSettled(statements) ? pendingQuestion(turns) : undefined,
		files: work.files,
		reads: work.reads,
		commands: work.commands,
		links: work.links,
		failures: work.failures,
		outcome: ending.outcome,
		endReason: ending.reason,
		checks: work.checks === "failed" || isThreadChecked(work) ? work.checks : "none",
		onlyLooked: work.onlyLooked,
		uncommitted: work.uncommitted,
		shown: work.shown,
		unsupported: unsupportedIn(replies.last ?? "", work.shown),
		nextSteps: statements.nextSteps,
		questions: statements.questions,
		offers: statements.offers,
		activity: activityOf(turns),
	};
}

/** Whether the thread changed files or ran checks: an older thread's passes say nothing of this one. */
function isThreadChecked(work: Pick<Digest, "files" | "commands">): boolean {
	return work.files.some((file) => file.inThread) || work.commands.some((run) => run.isCheck && run.inThread);
}

function roleOf(turns: readonly Turn[], index: number, threadStart: number): PromptRole {
	if (index < threadStart) return "older";
	if (index === threadStart) return "task";
	const before = turns[index - 1];
	if (before && before.end !== "stop" && before.end !== "length" && before.steps.length > 0)
		return "steering";
	const turn = turns[index];
	if (!turn || !changedFiles(turn)) return "aside";
	// A few words behind a question are its answer.
	return before && asks(before) && substance(turn.prompt ?? "") < 8 ? "aside" : "work";
}

/** Sentences of a reply that claim what the log does not show. */
function unsupportedIn(reply: string, shown: Shown): string[] {
	const sentences = readBlocks(reply)
		.filter((block) => block.kind !== "code")
		.flatMap((block) => sentencesOf(block.text));
	return sentences.filter((sentence) => isUnsupported(sentence, shown)).slice(0, 8);
}

function countMessages(entries: readonly Entry[]): number {
	let count = 0;
	for (const entry of entries) if (isMessageEntry(entry)) count++;
	return count;
}

function activityOf(turns: readonly Turn[]): Activity {
	const since = turns.slice(
		Math.max(
			0,
			turns.findLastIndex((turn) => turn.prompt !== undefined),
		),
	);
	let toolCalls = 0;
	let replyWords = 0;
	let endedBadly = false;
	for (const turn of since) {
		toolCalls += turn.steps.length;
		for (const text of turn.says) replyWords += text.split(/\s+/).length;
		endedBadly ||= turn.end === "aborted" || turn.end === "error";
	}
	return { toolCalls, replyWords, endedBadly, acted: since.some(actedIn) };
}
