import { isObject } from "../text/files/index.ts";
import { cleanText, shownLine } from "../text/index.ts";
import { walkBranch } from "./branch.ts";
import { contentText, type Entry, hasRole, readMessage, type SessionSource } from "./entry.ts";
import { secretsOf } from "./secrets.ts";
import { userWords } from "./user-words.ts";

export function entriesLike(source: SessionSource, prefix: string): Entry[] {
	const wanted = prefix.toLowerCase();
	return source
		.getEntries()
		.filter(({ id }) => typeof id === "string" && id.toLowerCase().startsWith(wanted));
}

export interface Point {
	id: string;
	text: string;
}

/**
 * Returns the prompts from newest to oldest. A secret that one prompt reveals is redacted in all prompts.
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
