import { type JsonObject, MAX_TORN, objectEnd, parseObject } from "../text/files/index.ts";
import { asHostEntries } from "./foreign-lines.ts";

/** The host's entry types. Extensions and forks of the host add other types, whose entries have ids. */
export const HOST_TYPES: ReadonlySet<string> = new Set([
	"message",
	"model_change",
	"thinking_level_change",
	"compaction",
	"branch_summary",
	"custom",
	"custom_message",
	"label",
	"session_info",
]);

interface ParsedLine {
	objects: JsonObject[];
	damaged: boolean;
}

/**
 * Matches where an entry of any agent may begin inside a damaged line. Blocks of a message's content begin in the same way, but are not
 * entries.
 */
const ENTRY_START =
	/\{\s*"(?:parentUuid"|timestamp"\s*:\s*"[^"]{0,40}"\s*,\s*"(?:type|ordinal)"|type"\s*:\s*"(?!(?:text|thinking|image|toolCall)")[^"]*"\s*,\s*"(?:id|version|customType|parentId|timestamp|sessionId|uuid|\w+Title|agentName|summary)")/g;

/** Matches whitespace, and the NULs that a power failure leaves in place of data. */
const BLANK = /^[\s\0]*$/;

/** Several objects if a newline between two writers' entries was lost. Of a damaged line, what follows the damage. */
export function parseLine(line: string): ParsedLine {
	const text = line.trim();
	if (text === "") return { objects: [], damaged: false };
	const whole = parseObject(text);
	return whole ? { objects: asHostEntries(whole), damaged: false } : recover(text);
}

/** Returns the id and the parent id in a damaged line, so that the chain of parents is not broken. */
export function damagedPlace(line: string): { id: string; parentId: string | null } | undefined {
	const found = /^\s*\{"type":"\w+","id":"([\w-]{1,64})","parentId":(?:null|"([\w-]{1,64})")/.exec(
		line.slice(0, 300),
	);
	return found?.[1] === undefined ? undefined : { id: found[1], parentId: found[2] ?? null };
}

function recover(text: string): ParsedLine {
	const objects: JsonObject[] = [];
	let damaged = false;
	let at = 0;
	for (let torn = 0; torn < MAX_TORN; ) {
		const start = entryStart(text, at);
		damaged ||= !BLANK.test(text.slice(at, start < 0 ? undefined : start));
		if (start < 0) break;
		const end = objectEnd(text, start);
		const entry = end < 0 ? undefined : parseObject(text.slice(start, end));
		if (entry) objects.push(...asHostEntries(entry));
		else {
			torn++;
			damaged = true;
		}
		at = entry ? end : start + 1;
	}
	return { objects, damaged };
}

function entryStart(text: string, at: number): number {
	ENTRY_START.lastIndex = at;
	return ENTRY_START.exec(text)?.index ?? -1;
}
