import { isObject } from "../text/files/index.ts";
import { cleanText, shownLine } from "../text/index.ts";
import { walkBranch } from "./branch.ts";
import { contentText, type Entry, hasRole, readMessage, type SessionSource } from "./entry.ts";
import { secretsOf } from "./secrets.ts";
import { userWords } from "./user-words.ts";

export interface Point {
	id: string;
	text: string;
}

type ForkPoint =
	| { ok: true; last: string; prompt?: Point }
	| { ok: false; reason: "none" | "several" | "first" };

/**
 * Returns the last entry of a fork that continues from the entry whose id begins with `prefix`. If that
 * entry is a prompt, the fork ends before the prompt, because users go back to a prompt to rephrase it. A
 * fork cannot end before the `first` prompt.
 */
export function forkPoint(source: SessionSource, prefix: string): ForkPoint {
	const wanted = prefix.toLowerCase();
	const isLike = ({ id }: Entry) => typeof id === "string" && id.toLowerCase().startsWith(wanted);
	const [entry, ...others] = wanted === "" ? [] : source.getEntries().filter(isLike);
	if (!entry || others.length > 0) return { ok: false, reason: entry ? "several" : "none" };
	const text = promptOf(entry);
	if (text === undefined) return { ok: true, last: entry.id };
	if (typeof entry.parentId !== "string") return { ok: false, reason: "first" };
	return { ok: true, last: entry.parentId, prompt: { id: entry.id, text } };
}

/**
 * Returns the user's prompts from newest to oldest. A secret that is recognizable in only one prompt is
 * redacted in all prompts.
 */
export function promptsOn(source: SessionSource): Point[] {
	const asked = walkBranch(source).entries.filter((entry) => hasRole(entry, "user"));
	const known = secretsOf(asked);
	return asked.toReversed().flatMap((entry) => {
		const message = readMessage(entry);
		const text = message?.role === "user" ? editable(message.text) : undefined;
		return text === undefined ? [] : [{ id: entry.id, text: shownLine(text, 80, known) }];
	});
}

/**
 * Returns everything that the user wrote, sanitized for the editor, or undefined if a program wrote the
 * whole message.
 */
export function promptOf(entry: Entry): string | undefined {
	const { message } = entry;
	return hasRole(entry, "user") && isObject(message) ? editable(contentText(message["content"])) : undefined;
}

function editable(text: string): string | undefined {
	return cleanText(userWords(text).text).trim() || undefined;
}
