import {
	leftOutIn,
	type Message,
	openSessionFile,
	readMessage,
	type ToolCall,
} from "../../session-core/log/index.ts";
import { cleanLine, safeText } from "../../session-core/text/index.ts";

/** A message or tool call. Its text is sanitized, redacted and limited in length. */
export interface TranscriptItem {
	by: "user" | "assistant" | "tool" | "shell";
	text: string;
}

export type Transcript =
	| { ok: true; items: readonly TranscriptItem[]; cut: boolean }
	| { ok: false; detail: string };

const MOST = 80;
/** Longer text is cut: the host takes minutes to paint 400 KB without line breaks. */
const TEXT = 6_000;
const ARGUMENT = 160;
/** Longer words are split: the host takes minutes to paint long text without line breaks. */
const WORD = /\S{200}/g;

/** Returns the last messages on the branch on which a session ended. Reads only the end of the file. */
export function readTranscript(path: string): Transcript {
	const read = openSessionFile(path);
	if (!read.ok) return read;
	const { entries } = read.session.slice;
	// Only requests are kept from before the newest messages. The messages belong to the last of these requests.
	const from = Math.max(0, entries.findLastIndex(leftOutIn) - 1);
	const items = entries.slice(from).flatMap((entry) => {
		const message = readMessage(entry);
		return message ? itemsIn(message) : [];
	});
	return {
		ok: true,
		items: items.slice(-MOST),
		cut: from > 0 || items.length > MOST,
	};
}

function itemsIn(message: Message): TranscriptItem[] {
	switch (message.role) {
		case "user":
			return [{ by: "user", text: shown(message.text || (message.images > 0 ? "[image]" : "")) }];
		case "assistant": {
			const text = shown(message.text);
			const cause = message.stopReason === "error" || message.stopReason === "aborted";
			const end = cause ? shown(message.errorMessage || message.stopReason) : "";
			const words: TranscriptItem[] = [text, end]
				.filter(Boolean)
				.map((one) => ({ by: "assistant", text: one }));
			return [
				...words,
				...message.calls.map((call): TranscriptItem => ({ by: "tool", text: callLine(call) })),
			];
		}
		case "bash":
			return [{ by: "shell", text: cleanLine(safeText(message.command)).slice(0, ARGUMENT) }];
		case "toolResult":
			return [];
	}
}

function callLine({ name, args }: ToolCall): string {
	const main = Object.values(args).find((value) => typeof value === "string");
	const argument = typeof main === "string" ? cleanLine(safeText(main)) : "";
	return `${cleanLine(name)} ${argument.slice(0, ARGUMENT)}`.trim();
}

function shown(text: string): string {
	const safe = safeText(text);
	const bounded = safe.length > TEXT ? `${safe.slice(0, TEXT).toWellFormed()} …` : safe;
	return bounded.replace(WORD, "$& ").trim();
}
