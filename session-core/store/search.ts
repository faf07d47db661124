import { secretsIn } from "../text/known-secrets.ts";
import { syntheticId } from "./entries.ts";
import { parseLine } from "./line-objects.ts";
import { type RunOptions, runSteps, type Steps } from "./pace.ts";
import { type Query, readQuery } from "./query.ts";
import { closeRegular, openRegular, type RegularFile, readSpan } from "./regular-file.ts";
import { type Speaker, saidIn } from "./said.ts";
import { shownLine } from "./shown-line.ts";

export interface SearchOptions extends RunOptions {
	/** Words that must all occur in one entry; `"…"` keeps words together. Case does not count. */
	query: string;
	/** Where to look, in this order: newest first. */
	rows: Iterable<{ path: string }>;
	/** Hits a session. Default 1. */
	perSession?: number | undefined;
}

/** One entry that matches. The excerpt is one line: sanitised, redacted, clipped. */
export interface SearchHit {
	path: string;
	entryId: string;
	by: Speaker;
	excerpt: string;
}

export type SearchBatch = { hit: SearchHit } | { searched: number };

/** Read at once, and the longest line that is searched: longer ones are images. In bytes. */
const CHUNK = 1024 * 1024;
/** Sessions between two notices of progress. */
const PROGRESS = 64;
/** Code units of an excerpt before the match, and in all. */
const LEAD = 40;
const EXCERPT = 400;
const EXCERPT_COLUMNS = 160;
/** Code units around an excerpt that are looked at for secrets. */
const AROUND = 16_384;

/** Searches what was said in sessions, file by file; hits come as they are found. Ends early when the signal says so. */
export function searchSessions(options: SearchOptions): AsyncGenerator<SearchBatch, void, void> {
	return runSteps(searchSteps(options), options);
}

function* searchSteps({ query: input, rows, perSession = 1 }: SearchOptions): Steps<SearchBatch> {
	const query = readQuery(input);
	if (!query) return;
	const scratch = Buffer.allocUnsafe(CHUNK);
	let searched = 0;
	for (const { path } of rows) {
		let left = perSession;
		for (const hit of searchFile(path, query, scratch)) {
			yield hit && { hit };
			if (hit && --left === 0) break;
		}
		searched++;
		yield searched % PROGRESS === 0 ? { searched } : undefined;
	}
	yield { searched };
}

function* searchFile(path: string, query: Query, scratch: Buffer): Steps<SearchHit> {
	const opened = openRegular(path);
	if (!opened.ok) return;
	try {
		for (const { bytes, start } of wholeLines(opened.file, scratch)) {
			yield* searchLines(path, bytes, start, query);
			yield;
		}
	} catch {
		// The file failed in mid-read: what was found stands.
	} finally {
		closeRegular(opened.file);
	}
}

/** The file in pieces that begin and end with a line. Lines longer than a piece are passed over. */
function* wholeLines(file: RegularFile, scratch: Buffer): Generator<{ bytes: Buffer; start: number }> {
	let inLongLine = false;
	for (let start = 0; start < file.stamp.size; ) {
		const bytes = readSpan(file, start, Math.min(CHUNK, file.stamp.size - start), scratch);
		if (bytes.length === 0) return;
		const atEnd = start + bytes.length >= file.stamp.size;
		const end = atEnd ? bytes.length : bytes.lastIndexOf(0x0a) + 1;
		const from = inLongLine ? bytes.indexOf(0x0a) + 1 : 0;
		const lost = end === 0 || (inLongLine && from === 0);
		if (!lost) yield { bytes: bytes.subarray(from, end), start: start + from };
		inLongLine = end === 0;
		start += end === 0 ? bytes.length : end;
	}
}

function* searchLines(path: string, bytes: Buffer, offset: number, query: Query): Steps<SearchHit> {
	const text = bytes.toString("latin1");
	query.candidate.lastIndex = 0;
	for (let found = query.candidate.exec(text); found; found = query.candidate.exec(text)) {
		const start = text.lastIndexOf("\n", found.index) + 1;
		const newline = text.indexOf("\n", found.index);
		const end = newline < 0 ? text.length : newline;
		// The next match in this line belongs to another search or to the same entry.
		query.candidate.lastIndex = end;
		yield hitIn(path, bytes.toString("utf8", start, end), offset + start, query);
	}
}

function hitIn(path: string, line: string, offset: number, query: Query): SearchHit | undefined {
	for (const [index, object] of parseLine(line).objects.entries()) {
		const said = saidIn(object);
		const found = said && query.find(said.text);
		if (!said || !found) continue;
		const id = object["id"];
		return {
			path,
			entryId: typeof id === "string" ? id : syntheticId(offset, index),
			by: said.by,
			excerpt: excerptOf(said.text, found.start),
		};
	}
	return undefined;
}

function excerptOf(text: string, at: number): string {
	const from = text.indexOf(" ", Math.max(0, at - LEAD)) + 1;
	const start = at > LEAD && from > 0 && from <= at ? from : Math.max(0, at - LEAD);
	const lead = start > 0 ? "…" : "";
	// What makes a word a secret may stand before the excerpt.
	const known = secretsIn([text.slice(Math.max(0, start - AROUND), start + EXCERPT + AROUND)]);
	return shownLine(lead + text.slice(at > LEAD ? start : 0, start + EXCERPT), EXCERPT_COLUMNS, known);
}
