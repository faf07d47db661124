import type { Entry } from "../session/entry.ts";
import { contentText, readMessage } from "../session/message.ts";
import { isRequest, ownWords } from "../session/own-words.ts";
import { EntryCollector, type SessionHeader } from "./entries.ts";
import { beginsAsSession } from "./host-loader.ts";
import { isSessionLog } from "./kind.ts";
import { linesOf } from "./lines.ts";
import { type ModelName, modelNamed } from "./model-name.ts";
import { shownLine } from "./shown-line.ts";

/** What the beginning of a session file says. */
export interface Opening {
	header: SessionHeader;
	/** Whether the host itself would read this file. If not, opening it there starts an empty session in its place. */
	hostReads: boolean;
	/** What the user first asked for, one line; a greeting only if nothing else was said in the part that was read. */
	firstPrompt: string | undefined;
	/** Entries older than the header: the history of another session was copied, as a fork does. */
	copied: boolean;
	/** The model that the session started with. */
	model: ModelName | undefined;
}

/** Code units of a prompt that wrappers are looked for in. */
const PROMPT_CHARACTERS = 64 * 1024;

/**
 * Reads the beginning of a session file up to the first request. `cut` says that the file goes on behind these bytes: then
 * the last line is not counted on. Undefined for a file that is no session.
 */
export function readOpening(bytes: Buffer, cut: boolean): Opening | undefined {
	const collector = new EntryCollector();
	const { headers, entries } = collector.parsed;
	const end = cut ? bytes.lastIndexOf(0x0a) + 1 : bytes.length;
	let read = 0;
	let firstPrompt: string | undefined;
	for (const line of linesOf(bytes.subarray(0, end))) {
		collector.add(line);
		for (; read < entries.length; read++) firstPrompt = better(firstPrompt, promptOf(entries[read]));
		if (firstPrompt && isRequest(firstPrompt)) break;
	}
	const [header] = headers;
	if (!header || !isSessionLog(collector.parsed)) return undefined;
	if (!firstPrompt && cut) firstPrompt = promptOfCutLine(bytes.subarray(end));
	return {
		header,
		hostReads: beginsAsSession(bytes),
		firstPrompt,
		copied: isCopied(header, entries),
		model: modelOf(header, entries),
	};
}

/** The first that asks for something; until there is one, the first of all ("hi"). */
function better(known: string | undefined, next: string | undefined): string | undefined {
	if (known === undefined || next === undefined) return known ?? next;
	return !isRequest(known) && isRequest(next) ? next : known;
}

function promptOf(entry: Entry | undefined): string | undefined {
	const message = entry && readMessage(entry);
	return message?.role === "user" ? spoken(message.text) : undefined;
}

function spoken(text: string): string | undefined {
	return shownLine(ownWords(text.slice(0, PROMPT_CHARACTERS)).text) || undefined;
}

/** The text of a first prompt whose line is longer than what was read, as with an image: the host puts text first. */
function promptOfCutLine(bytes: Buffer): string | undefined {
	const line = bytes.toString("utf8", 0, PROMPT_CHARACTERS);
	const found = /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.)*)/.exec(line);
	if (found?.[1] === undefined) return undefined;
	try {
		const text: unknown = JSON.parse(`"${found[1].replace(/\\u[\da-f]{0,3}$/i, "")}"`);
		return spoken(contentText(text));
	} catch {
		// Not the text of a prompt after all.
		return undefined;
	}
}

function isCopied(header: SessionHeader, entries: Entry[]): boolean {
	const first = entries.find((entry) => entry.timestamp !== undefined)?.timestamp;
	if (first === undefined || header.timestamp === undefined) return false;
	return Date.parse(first) < Date.parse(header.timestamp);
}

function modelOf(header: SessionHeader, entries: Entry[]): Opening["model"] {
	if (header.provider && header.modelId) return modelNamed(header.provider, header.modelId);
	const change = entries.find((entry) => entry.type === "model_change");
	return modelNamed(change?.["provider"], change?.["modelId"]);
}
