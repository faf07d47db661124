import type { Digest } from "../session-core/digest/types.ts";
import { isRequest } from "../session-core/digest/voice.ts";
import { namedWork } from "../session-core/recap/namedwork.ts";
import { fenced } from "../session-core/text/fence.ts";
import { redact } from "../session-core/text/redact.ts";
import { cleanLine, cleanText } from "../session-core/text/sanitize.ts";
import { roughTokens } from "../session-core/text/tokens.ts";
import { headUnits } from "../session-core/text/units.ts";

/** Tokens of the facts; with prompts and tool a request stays below 600. */
export const FACT_TOKENS = 350;
/** Characters of dialogue. */
export const TAIL_CHARACTERS = 1_000;

/** Characters of each part. */
const TASK = 280;
const OPENING = 160;
const GOAL = 180;
const RECORDED = 100;
const PROMPT = 160;
const REPLY = 360;
const EARLIER_REPLY = 120;
const PROMPTS = 6;
const EARLIER_REPLIES = 2;
const FILES = 7;
/** Of a path, as many last parts. */
const PATH_PARTS = 2;
/** Characters looked at of any one text: cleaning a pasted megabyte to show a line of it would hold up the editor. */
const LOOKED_AT = 8_000;

/**
 * What a title is made of: the task, the newest dialogue that says something, and the files. Messages stand in with
 * their beginnings, which is where they say what they are about; a secret cannot be cut off from what gives it away.
 */
export function titleFacts(digest: Digest): string {
	const head = [
		line("Began with", digest.opening, OPENING),
		line("Goal", digest.goal ?? digest.summary?.replace(/^#.*$/gm, " "), GOAL),
		line("Task", digest.task, TASK),
		line("Recorded as", recordedAs(digest), RECORDED),
	].filter((text) => text !== "");
	const files = filesLine(digest);
	let tail = dialogue(digest);
	const join = () => [...head, ...tail, files].filter((text) => text !== "").join("\n");
	while (tail.length > 0 && roughTokens(join()) > FACT_TOKENS) tail = tail.slice(1);
	return headTokens(join(), FACT_TOKENS);
}

/** What the log itself calls the work: the title of its pull request or issue, or the subject of its newest commit. */
function recordedAs(digest: Digest): string | undefined {
	return namedWork(digest).reduce<{ text: string; score: number } | undefined>(
		(best, one) => (best && best.score > one.score ? best : one),
		undefined,
	)?.text;
}

/** The newest prompts that say something, with what they were answered: at most 1,000 characters, oldest first. */
function dialogue({ task, opening, prompts, lastReply, earlierReplies }: Digest): string[] {
	const said = prompts.filter((prompt) => prompt !== task && prompt !== opening && isRequest(prompt));
	const replies = earlierReplies.slice(-EARLIER_REPLIES).map((text) => line("Agent", text, EARLIER_REPLY));
	const newestFirst = [line("Agent", lastReply, REPLY)];
	for (const prompt of said.slice(-PROMPTS).reverse()) {
		newestFirst.push(line("User", prompt, PROMPT), replies.pop() ?? "");
	}
	const kept: string[] = [];
	let room = TAIL_CHARACTERS;
	for (const text of newestFirst.filter((one) => one !== "")) {
		room -= text.length + 1;
		if (room < 0) break;
		kept.unshift(text);
	}
	return kept;
}

function filesLine({ files, reads }: Digest): string {
	const newest = <T extends { inThread: boolean }>(list: readonly T[]): T[] => {
		const reversed = list.toReversed();
		return [...reversed.filter((one) => one.inThread), ...reversed.filter((one) => !one.inThread)];
	};
	const paths = [...newest(files), ...newest(reads)].map(({ path }) => shortPath(path));
	return line("Files", [...new Set(paths)].slice(0, FILES).join(", "), 400);
}

function shortPath(path: string): string {
	return path.split(/[/\\]/).slice(-PATH_PARTS).join("/");
}

function line(label: string, text: string | undefined, characters: number): string {
	// Redacted before it is folded and cut: some secrets are told by their lines, and half a key is still a secret.
	const safe = cleanLine(redact(cleanText((text ?? "").slice(0, LOOKED_AT))));
	return safe === "" ? "" : `${label}: ${headUnits(fenced(safe, ["session"]), characters)}`;
}

/** Dense scripts take more tokens a character than the parts were measured for. */
function headTokens(text: string, tokens: number): string {
	let head = text;
	while (roughTokens(head) > tokens) head = headUnits(head, Math.floor(head.length * 0.9));
	return head;
}
