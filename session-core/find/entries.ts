import { isObject } from "../json.ts";
import { walkBranch } from "../session/branch.ts";
import type { Entry, SessionSource } from "../session/entry.ts";
import { contentText, isMessageEntry, readMessage } from "../session/message.ts";
import { ownWords } from "../session/own-words.ts";
import { shownLine } from "../store/shown-line.ts";
import { secretsIn } from "../text/known-secrets.ts";
import { cleanText } from "../text/sanitize.ts";

/** Entries whose id begins so. */
export function entriesLike(source: SessionSource, prefix: string): Entry[] {
	const wanted = prefix.toLowerCase();
	return source
		.getEntries()
		.filter(({ id }) => typeof id === "string" && id.toLowerCase().startsWith(wanted));
}

/** A prompt of the user's, as a point to go back to. */
export interface Point {
	id: string;
	text: string;
}

/** The user's prompts on the branch, newest first; what is a secret in one of them is shown in none. */
export function promptsOn(source: SessionSource): Point[] {
	const prompts: Point[] = [];
	for (const entry of walkBranch(source).entries.toReversed()) {
		const message = readMessage(entry);
		// Shown in a line: of a paste of megabytes, both ends are enough.
		const text = message?.role === "user" ? editable(message.text) : undefined;
		if (text !== undefined) prompts.push({ id: entry.id, text });
	}
	const known = secretsIn(prompts.map(({ text }) => text));
	return prompts.map(({ id, text }) => ({ id, text: shownLine(text, 80, known) }));
}

/** The prompt's own words, whole and safe to be put into the editor; undefined for any other entry. */
export function promptOf(entry: Entry): string | undefined {
	const message = isMessageEntry(entry) ? entry["message"] : undefined;
	if (!isObject(message) || message["role"] !== "user") return undefined;
	return editable(contentText(message["content"]));
}

function editable(text: string): string | undefined {
	return cleanText(ownWords(text).text).trim() || undefined;
}
