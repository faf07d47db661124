import type { JsonObject } from "../json.ts";
import { NEWLINE } from "../session-file/lines.ts";
import { type ListedRecords, readNameRecord } from "../session-file/names-in-file.ts";
import { parseLine } from "../session-file/parse-line.ts";
import { shownLine } from "../text/shown-line.ts";
import { type AgentId, READERS } from "./agents.ts";

/** The oldest versions of Claude Code wrote titles only at the beginning of a file. */
const SUMMARY = '{"type":"summary"';
/** Maximum length in bytes of a line with a title. */
const MAX_LINE = 16 * 1024;

/** Returns the newest titles in a part of a log, safe to show. */
export function titlesIn(bytes: Buffer, agent: AgentId): ListedRecords {
	const found: ListedRecords = {};
	const isOld = bytes.subarray(0, SUMMARY.length).equals(Buffer.from(SUMMARY));
	for (const mark of [...READERS[agent].titles, ...(isOld ? [SUMMARY] : [])]) {
		const object = newestWith(mark, bytes);
		const record = object && readNameRecord({ id: "", ...object });
		if (record?.kind === "name") found.name ??= shownLine(record.text);
		// The oldest versions also wrote the titles of other sessions into the file.
		const leaf = object?.["leafUuid"];
		const isOwn = leaf === undefined || bytes.includes(`"uuid":"${String(leaf)}"`);
		if (record?.kind === "title" && isOwn) found.title ??= { text: shownLine(record.data.title), auto: true };
	}
	return found;
}

function newestWith(mark: string, bytes: Buffer): JsonObject | undefined {
	const hit = bytes.lastIndexOf(mark);
	if (hit < 0) return undefined;
	const start = bytes.lastIndexOf(NEWLINE, hit) + 1;
	const newline = bytes.indexOf(NEWLINE, hit);
	const end = newline < 0 ? bytes.length : newline;
	return end - start > MAX_LINE ? undefined : parseLine(bytes.toString("utf8", start, end)).objects[0];
}
