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

/**
 * Returns a digest of everything in a record from which a job's prompt, folder, model and tools are made, so that a record that was changed
 * afterwards is not taken for the machine's own.
 */
function digestOf({
	subject_id,
	id,
	headline,
	bullets,
	next_actions,
	next_kinds,
	...more
}: SessionRecord): string {
	const { outcome, evidence, artifacts, resume_hint: hint, workspace } = more;
	const facts = [
		subject_id,
		id,
		headline,
		bullets,
		next_actions,
		next_kinds ?? null,
		outcome,
		workspace?.cwd ?? null,
	];
	const run = evidence?.map(({ command, line, edits_after }) => [command, line, edits_after]) ?? null;
	const seen = artifacts.map(({ kind, label, locator }) => [kind, label, locator]);
	const started = [hint?.tools ?? null, hint?.provider ?? null, hint?.model ?? null];
	return createHash("sha256")
		.update(JSON.stringify([facts, run, seen, started]))
		.digest("hex");
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

/** Whether this machine recorded the job, and the job would run in the folder and with the model of that record. */
export function isOwnJob(
	agentDir: string,
	record: SessionRecord | undefined,
	{ cwd, model }: { cwd: string; model?: { provider: string; model: string } },
): boolean {
	if (record === undefined || record.workspace?.cwd !== cwd) return false;
	const { provider, model: id } = record.resume_hint ?? {};
	return provider === model?.provider && id === model?.model && storedIn(agentDir).includes(digestOf(record));
}
