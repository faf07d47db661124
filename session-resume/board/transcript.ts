import type { Entry } from "../../session-core/session/entry.ts";
import { type Message, readMessage, type ToolCall } from "../../session-core/session/message.ts";
import { EntryCollector, UNREADABLE } from "../../session-core/store/entries.ts";
import { LineSplitter } from "../../session-core/store/lines.ts";
import { Pace } from "../../session-core/store/pace.ts";
import { openLater } from "../../session-core/store/regular-file.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine, cleanText } from "../../session-core/text/sanitize.ts";

/** One thing that was said or done. Texts are clean, redacted and bounded. */
export interface Said {
	by: "user" | "assistant" | "tool" | "shell";
	text: string;
}

export type Transcript =
	/** `cut`: there is more before the first. */
	{ ok: true; said: readonly Said[]; cut: boolean } | { ok: false; detail: string };

/** What a screen or ten show; nobody reads a day's work in a list of sessions. In bytes. */
const TAIL = 512 * 1024;
const MOST = 80;
/** The host's own painting of an unbroken text of 400 KB takes minutes. In characters. */
const TEXT = 6_000;
const ARGUMENT = 160;
/** Longer words are broken, for the same reason. */
const WORD = /\S{200}/g;

/** The last messages of the branch that a session ended on. Only the file's end is read, without holding anybody up. */
export async function readTranscript(path: string, signal: AbortSignal): Promise<Transcript> {
	const opened = await openLater(path);
	if (!opened.ok) return { ok: false, detail: opened.detail };
	const { handle, stamp } = opened;
	try {
		const start = Math.max(0, stamp.size - TAIL);
		const bytes = Buffer.allocUnsafe(stamp.size - start);
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
		const collector = new EntryCollector();
		const splitter = new LineSplitter(TAIL, start);
		const pace = new Pace();
		for (const part of [splitter.add(bytes.subarray(0, bytesRead)), splitter.end()]) {
			for (const line of part) {
				if (signal.aborted) return { ok: false, detail: "not wanted any more" };
				// The first line of a part is the end of one.
				if (start === 0 || line.offset > start) collector.add(line);
				if (pace.isDue) await pace.rest();
			}
		}
		return transcriptOf(collector.parsed.entries, start > 0);
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	} finally {
		await handle.close();
	}
}

/** What these entries say, along the branch of the last one. */
export function transcriptOf(entries: readonly Entry[], isPart: boolean): Transcript {
	const branch = branchOf(entries);
	const said = branch.flatMap((entry) => {
		const message = readMessage(entry);
		return message ? saidIn(message) : [];
	});
	return { ok: true, said: said.slice(-MOST), cut: isPart || said.length > MOST };
}

function branchOf(entries: readonly Entry[]): Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const branch: Entry[] = [];
	let at = entries.findLast(({ type }) => type !== UNREADABLE);
	while (at) {
		branch.push(at);
		// Each is met once, so that a circle of parents ends.
		byId.delete(at.id);
		at = typeof at.parentId === "string" ? byId.get(at.parentId) : undefined;
	}
	return branch.reverse();
}

function saidIn(message: Message): Said[] {
	switch (message.role) {
		case "user":
			return [{ by: "user", text: shown(message.text || (message.images > 0 ? "[image]" : "")) }];
		case "assistant": {
			const text = shown(message.text);
			const cause = message.stopReason === "error" || message.stopReason === "aborted";
			const end = cause ? shown(message.errorMessage || message.stopReason) : "";
			const words: Said[] = [text, end].filter(Boolean).map((one) => ({ by: "assistant", text: one }));
			return [...words, ...message.calls.map((call): Said => ({ by: "tool", text: callLine(call) }))];
		}
		case "bash":
			return [{ by: "shell", text: redact(cleanLine(message.command)).slice(0, ARGUMENT) }];
		case "toolResult":
			return [];
	}
}

function callLine({ name, args }: ToolCall): string {
	const main = Object.values(args).find((value) => typeof value === "string");
	const argument = typeof main === "string" ? redact(cleanLine(main.slice(0, ARGUMENT * 4))) : "";
	return `${cleanLine(name)} ${argument.slice(0, ARGUMENT)}`.trim();
}

function shown(text: string): string {
	const bounded = text.length > TEXT ? `${text.slice(0, TEXT)} …` : text;
	return redact(cleanText(bounded)).replace(WORD, "$& ").trim();
}
