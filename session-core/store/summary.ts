import type { Recap } from "../recap/record.ts";
import type { LastMessage } from "./ending.ts";
import type { ModelName } from "./model-name.ts";
import { isSettled, type NameFacts, nameOf } from "./names.ts";
import type { FileStamp } from "./regular-file.ts";

/**
 * What a session is, as far as its file says. `headless`: its newest recap is of a job (print or JSON mode). `fork`: it began
 * with another session's history. `child`: it names a parent and began empty: a subagent's, or a hand-over.
 */
export type SessionKind = "session" | "headless" | "fork" | "child";

/** What a session is about, and whether it asks for the user, as its timeline tells. */
export interface SessionWork {
	/** The last message that was there when it was read. */
	of: string;
	/** One line; empty where nothing tells. */
	title: string;
	/** It ended with a question to the user. */
	waits: boolean;
	/** That question. */
	next: string | undefined;
}

/** One session, from the beginning and the end of its file. Texts are sanitised, redacted and clipped. Times in ms. */
export interface SessionSummary {
	path: string;
	id: string;
	/** Where it ran; empty if unknown. */
	cwd: string;
	created: number;
	/** When something was last said, by the log; else when the file last changed. */
	modified: number;
	/** When the file last changed; metadata counts. */
	changed: number;
	/** Bytes. */
	size: number;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
	/** False while a part of the file is unread that may hold a newer name. */
	nameSettled: boolean;
	firstPrompt: string | undefined;
	/** Only of files up to 32 KiB: counting costs a pass of its own. */
	messageCount: number | undefined;
	parentSession: string | undefined;
	kind: SessionKind;
	last: LastMessage | undefined;
	model: ModelName | undefined;
	/** Newest recap record, if it stands near the end. Current only if its `last_message_id` is `last.id`. */
	recap: Recap | undefined;
	/** False: the host would not read this file and would put an empty session in its place. Show it; never open it there. */
	hostReads: boolean;
	/** Read after all else, and kept while the session goes on; current only if its `of` is `last.id`. */
	work: SessionWork | undefined;
}

/** A summary with what it takes to keep it up to date without reading the file again. */
export interface SummaryRecord {
	stamp: FileStamp;
	summary: SessionSummary;
	names: NameFacts;
}

/** Gives the summary the name that its facts amount to. */
export function withNames(record: SummaryRecord, names: NameFacts): SummaryRecord {
	const { name, source } = nameOf(names);
	const summary = { ...record.summary, name, nameSource: source, nameSettled: isSettled(names) };
	return { ...record, names, summary };
}

/** Whether a listing has something to gain from it: what has a name and a recap says it all already. */
export function wantsWork({ name, nameSettled, recap, last, work }: SessionSummary): boolean {
	const isTold = name !== undefined && recap !== undefined && recap.last_message_id === last?.id;
	return nameSettled && last !== undefined && !isTold && work?.of !== last.id;
}
