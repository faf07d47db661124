/** The functions in this module never throw, even if session entries are malformed. */

import { asksOfUser, type Language, languageOf, pathNamer, type Steps } from "../../text/index.ts";
import {
	type BranchSlice,
	type Entry,
	isMessageEntry,
	redactRequests,
	secretsInReply,
	secretsOf,
	withoutSecrets,
	writtenLines,
} from "../index.ts";
import { changedFiles } from "./edits.ts";
import { madeLinks, uncommittedFiles } from "./made.ts";
import { lastTurn, type Outcome, stepsOf, type Timeline, type Turn } from "./turn.ts";
import { readTurns } from "./turns.ts";

export interface TimelineOptions {
	cwd?: string;
}

export function readTimeline(slice: BranchSlice, { cwd }: TimelineOptions = {}): Timeline {
	const namer = pathNamer(cwd);
	const secrets = secretsOf(slice.entries);
	const turns = readTurns(slice.entries, namer, secrets);
	const last = lastTurn(turns);
	return {
		stamp: slice.entries.findLast(isMessageEntry)?.id,
		messages: slice.entries.filter(isMessageEntry).length,
		name: withoutSecrets(nameIn(slice.entries), secrets),
		turns,
		files: changedFiles(turns, namer),
		links: madeLinks(turns),
		uncommitted: uncommittedFiles(turns, namer),
		outcome: outcomeOf(last),
		endReason: endReasonOf(last),
	};
}

/**
 * Unlike `readTimeline`, this function may miss a secret that is recognizable only in another log
 * entry.
 */
export function* readBriefly(
	{ entries }: BranchSlice,
	{ cwd }: TimelineOptions,
): Steps<Pick<Timeline, "turns" | "outcome">> {
	yield* redactRequests(entries);
	const turns = readTurns(entries, pathNamer(cwd), yield* secretsInReply(entries));
	return { turns, outcome: outcomeOf(lastTurn(turns)) };
}

function outcomeOf(turn: Turn | undefined): Outcome {
	if (!turn) return "done";
	if (turn.end === "aborted") return "aborted";
	if (turn.end === "error") return "error";
	const isOwn =
		turn.request === undefined && turn.images === 0 && stepsOf(turn).every(({ kind }) => kind === "shell");
	if (turn.end === "open" && isOwn && !turn.isCommand) return "done";
	// A log ends in the middle of a run if the last stop reason is not `stop`.
	// If a tool call has neither a result nor a later reply, the run has not ended.
	const isPending = stepsOf(turn).some(({ outcome }) => outcome === "pending");
	if (turn.end !== "stop" || (isPending && turn.reply === undefined)) return "running";
	return turn.asks || asksOfUser(turn.reply ?? "") ? "waiting" : "done";
}

function endReasonOf(turn: Turn | undefined): string | undefined {
	if (turn?.end !== "error" && turn?.end !== "aborted") return undefined;
	const reason = readableError(turn.errorMessage);
	return turn.end === "aborted" && /\babort/i.test(reason ?? "") ? undefined : reason;
}

function nameIn(entries: readonly Entry[]): string | undefined {
	const name = entries.findLast((entry) => entry.type === "session_info")?.["name"];
	return typeof name === "string" && name.trim() !== "" ? name : undefined;
}

export function readableError(message: string): string | undefined {
	const status = message.match(/^\s*(\d{3})\b/)?.[1];
	const inner = message.match(/"(?:message|detail|error_description)"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1];
	const text = (inner ?? message)
		.replace(/\\(["'/\\])/g, "$1")
		.replace(/\\[nrt]/g, " ")
		.replace(/\s+/g, " ")
		.trim()
		.replace(/[.。]+$/, "");
	if (text === "") return undefined;
	return inner && status ? `${status} ${text}` : text;
}

const REQUESTS = 10;
const EACH = 500;

/**
 * Returns undefined if the language is uncertain, because guessing the wrong language is worse than
 * making no guess.
 */
export function ownLanguage({ turns }: Pick<Timeline, "turns">): Language | undefined {
	const requests = turns.flatMap(({ request }) => (request === undefined ? [] : [request])).slice(-REQUESTS);
	return languageOf(requests.map((request) => writtenLines(request.slice(0, EACH)).join("\n")).join("\n"));
}
