/**
 * Remembers which jobs this machine recorded. A session file may come from anyone, so any other job is started only after a person has seen
 * what it would do.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../atomic-file.ts";
import type { SessionRecord } from "./record.ts";

/** Number of jobs that are remembered, the newest ones. */
const MOST = 2_000;

function fileIn(agentDir: string): string {
	return join(agentDir, "session-suite", "own-jobs");
}

/** Returns a digest of what a job would run, so that a record that was changed afterwards is not taken for the machine's own. */
function digestOf({ subject_id, id, next_actions, resume_hint: hint }: SessionRecord): string {
	const facts = [
		subject_id,
		id,
		next_actions,
		hint?.tools ?? null,
		hint?.provider ?? null,
		hint?.model ?? null,
	];
	return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

function storedIn(agentDir: string): string[] {
	try {
		return readFileSync(fileIn(agentDir), "utf8").split("\n").filter(Boolean);
	} catch {
		// No job was recorded yet, or the file cannot be read. In both cases, a person is asked.
		return [];
	}
}

/** Remembers a job that this machine has just recorded. If the file cannot be written, resuming the job asks for a confirmation. */
export function rememberJob(agentDir: string, record: SessionRecord): void {
	const lines = [...storedIn(agentDir), digestOf(record)].slice(-MOST);
	replaceFile(fileIn(agentDir), `${lines.join("\n")}\n`);
}

/** Whether this machine recorded the job. */
export function isOwnJob(agentDir: string, record: SessionRecord | undefined): boolean {
	return record !== undefined && storedIn(agentDir).includes(digestOf(record));
}
