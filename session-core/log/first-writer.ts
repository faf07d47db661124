import { isObject } from "../text/files/index.ts";
import type { Entry } from "./entry.ts";
import { contentText, hasRole, messageOf, readMessage } from "./message.ts";

/**
 * Returns true if the text occurred in a tool's output before the user or the agent wrote it. Its words then come from a file or a web
 * page. Case, markup and redacted parts are ignored.
 */
export function isFromTool(entries: Iterable<Entry>, text: string): boolean {
	const parts = text.split(/\[redacted\]|…/).map(wordsOf);
	const longest = parts.flatMap((part) => part.split(" ")).toSorted((a, b) => b.length - a.length)[0] ?? "";
	if (longest === "") return false;
	for (const entry of entries) {
		const isOurs = hasRole(entry, "user") || hasRole(entry, "assistant");
		const written = isOurs ? writtenIn(entry) : outputOf(entry);
		// Most entries do not contain the text's longest word. Searching for it is much cheaper than splitting a long output into words.
		if (!written.toLowerCase().includes(longest)) continue;
		const words = wordsOf(written);
		if (parts.every((part) => words.includes(part))) return !isOurs;
	}
	return false;
}

function wordsOf(text: string): string {
	const plain = text.replace(/\]\([^()\s]*\)/g, "] ").toLowerCase();
	return plain.match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? "";
}

function writtenIn(entry: Entry): string {
	const message = readMessage(entry);
	const said = contentText(messageOf(entry)?.["content"]);
	if (message?.role !== "assistant") return said;
	return [said, ...message.calls.flatMap(({ args }) => strings(args))].join("\n");
}

function strings(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(strings) : [];
}

function outputOf(entry: Entry): string {
	const message = messageOf(entry);
	const output = message?.["output"];
	return typeof output === "string" ? output : contentText(message?.["content"] ?? entry["content"]);
}
