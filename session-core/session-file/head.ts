import { type RegularFile, readSpan } from "../regular-file.ts";
import { type ModelName, modelNamed, shownLine } from "../text/shown-line.ts";
import { isDelegated, isRequest, userWords } from "../timeline/user-words.ts";
import { beginsAsSession } from "./check-session.ts";
import { EntryCollector, isSessionLog, MAX_LINE_BYTES, type SessionHeader } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { linesOf } from "./lines.ts";
import { contentText, readMessage } from "./message.ts";

/** Information from the head of a session file. */
export interface SessionHead {
	header: SessionHeader;
	/** Whether the host can read this file. If not, the host would start an empty session in its place. */
	hostReads: boolean;
	/** The user's first request as one line. If the part of the file that was read contains no request, this may be a greeting. */
	firstPrompt: string | undefined;
	/** Whether entries are older than the header, which means that they were copied from another session, for example by a fork. */
	copied: boolean;
	/** The model that was in use when the session began. */
	model: ModelName | undefined;
	/** Whether another agent wrote the first prompt. */
	isDelegated: boolean;
}

const HEAD_BYTES = 16 * 1024;
/** Maximum length of the head in bytes. The length is quadrupled until the head contains a prompt or reaches this limit. */
const MAX_HEAD_BYTES = 256 * 1024;
/** Number of code units at the beginning of a prompt that are searched for text that was wrapped around the user's own words. */
const PROMPT_CHARACTERS = 64 * 1024;

/** Reads the head of a session file, up to the first request. Returns undefined if it is not a session. */
export function readHeadOf(
	file: RegularFile,
	scratch?: Buffer,
): { head: SessionHead; bytes: Buffer } | undefined {
	const { size } = file.stamp;
	for (let length = HEAD_BYTES; ; length *= 4) {
		const bytes = readSpan(file, 0, length, scratch);
		const head = parseHead(bytes, bytes.length < size);
		// A header can be longer than the rest of a usual head, for example if it contains a system prompt.
		const most = head || bytes.includes(0x0a) ? MAX_HEAD_BYTES : MAX_LINE_BYTES;
		if (head?.firstPrompt || length >= most || length >= size) return head && { head, bytes };
	}
}

/**
 * Parses the head of a session file. Returns undefined if it is not a session. `cut`: the file continues after these bytes, so the last
 * line may be incomplete.
 */
export function parseHead(bytes: Buffer, cut: boolean): SessionHead | undefined {
	const collector = new EntryCollector();
	const { headers, entries } = collector.parsed;
	const end = cut ? bytes.lastIndexOf(0x0a) + 1 : bytes.length;
	let read = 0;
	let firstPrompt: string | undefined;
	let isDelegated = false;
	for (const line of linesOf(bytes.subarray(0, end))) {
		collector.add(line);
		for (; read < entries.length; read++) {
			isDelegated ||= firstPrompt === undefined && isDelegation(entries[read]);
			firstPrompt = better(firstPrompt, promptOf(entries[read]));
		}
		if (firstPrompt && isRequest(firstPrompt)) break;
	}
	const [header] = headers;
	if (!header || !isSessionLog(collector.parsed)) return undefined;
	if (!firstPrompt && cut) firstPrompt = promptOfCutLine(bytes.subarray(end));
	const hostReads = beginsAsSession(bytes);
	return {
		header,
		hostReads,
		firstPrompt,
		copied: header.agent === undefined ? isCopied(header, entries) : header.parentSession !== undefined,
		model: modelOf(header, entries),
		isDelegated: isDelegated || header.isChild,
	};
}

/**
 * Returns the first of two prompts that is a request (a greeting such as "hi" is not). If neither is a request, returns the first prompt.
 */
function better(known: string | undefined, next: string | undefined): string | undefined {
	if (known === undefined || next === undefined) return known ?? next;
	return !isRequest(known) && isRequest(next) ? next : known;
}

function isDelegation(entry: Entry | undefined): boolean {
	const message = entry && readMessage(entry);
	return message?.role === "user" && isDelegated(message.text);
}

function promptOf(entry: Entry | undefined): string | undefined {
	const message = entry && readMessage(entry);
	return message?.role === "user" ? ownLine(message.text) : undefined;
}

function ownLine(text: string): string | undefined {
	const { text: own, expansion } = userWords(text);
	return shownLine(own || (expansion === undefined ? "" : `/skill:${expansion}`)) || undefined;
}

/**
 * Returns the first prompt from a line that was not read completely, for example because it contains an image. This works because the host
 * writes the prompt's text first.
 */
function promptOfCutLine(bytes: Buffer): string | undefined {
	const line = bytes.toString("utf8", 0, PROMPT_CHARACTERS);
	const found = /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.)*)/.exec(line);
	if (found?.[1] === undefined) return undefined;
	try {
		const text: unknown = JSON.parse(`"${found[1].replace(/\\u[\da-f]{0,3}$/i, "")}"`);
		return ownLine(contentText(text));
	} catch {
		// The string is not the text of a prompt, so it is ignored.
		return undefined;
	}
}

function isCopied(header: SessionHeader, entries: Entry[]): boolean {
	const first = entries.find((entry) => entry.timestamp !== undefined)?.timestamp;
	if (first === undefined || header.timestamp === undefined) return false;
	return Date.parse(first) < Date.parse(header.timestamp);
}

function modelOf(header: SessionHeader, entries: Entry[]): ModelName | undefined {
	if (header.provider && header.modelId) return modelNamed(header.provider, header.modelId);
	const change = entries.find((entry) => entry.type === "model_change");
	return modelNamed(change?.["provider"], change?.["modelId"]);
}
