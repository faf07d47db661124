import { createHash } from "node:crypto";
import { join } from "node:path";
import { chunksOf, Pace, readRegular, readSlowly, replaceFile, smallFile } from "../text/files/index.ts";
import { type SessionRecord, withHint } from "./record.ts";

export type ParentJob = Pick<SessionRecord, "parent_job_id" | "resumed_from_recap_id">;

/**
 * Returns the job that a session continues. `wanted` takes precedence unless it names the session
 * itself. `before` is the newest record in the session file. If a fork inherited `before`, the fork
 * continues that record's job. Otherwise, the session keeps the parent job that `before` names.
 */
export function parentJob(
	before: SessionRecord | undefined,
	sessionId: string,
	wanted: ParentJob = {},
): ParentJob {
	if (wanted.parent_job_id !== undefined && wanted.parent_job_id !== sessionId) return wanted;
	if (before?.kind !== "job") return {};
	const { subject_id, id, parent_job_id, resumed_from_recap_id } = before;
	if (subject_id !== sessionId) return { parent_job_id: subject_id, resumed_from_recap_id: id };
	if (parent_job_id === undefined || resumed_from_recap_id === undefined) return {};
	return { parent_job_id, resumed_from_recap_id };
}

export function asJob(
	recap: SessionRecord,
	{ tools, ...parent }: ParentJob & { tools: string[] | undefined },
): SessionRecord {
	if (recap.kind !== "job") return recap;
	return { ...(tools ? withHint(recap, { tools }) : recap), ...parent };
}

/**
 * Copies a job's parent and permitted tools from `before`, the most recent record in the session file,
 * because these facts are stored nowhere else while pi is not running.
 */
export function asJobBefore(recap: SessionRecord, before: SessionRecord | undefined): SessionRecord {
	if (before?.kind !== "job") return recap;
	return asJob(recap, { tools: before.resume_hint?.tools, ...parentJob(before, recap.subject_id) });
}

// Session files may be untrusted, so pi automatically resumes only jobs recorded on this machine.

/** The maximum number of jobs that are remembered. Each job takes about 140 bytes on disk. */
const MOST = 2_000;
const MOST_BYTES = 1024 * 1024;

function fileIn(agentDir: string): string {
	return join(agentDir, "session-suite", "own-jobs");
}

function digestOf(record: SessionRecord): string {
	return createHash("sha256").update(JSON.stringify(record)).digest("hex");
}

function storedIn(agentDir: string): string[] {
	const file = smallFile(fileIn(agentDir), MOST_BYTES);
	// If the list of recorded jobs cannot be read, the user must confirm each job before pi resumes it.
	return file.ok ? file.text.split("\n").filter(Boolean) : [];
}

/**
 * Stores a job's digest, so that pi may resume the job without confirmation. The session file's length and
 * digest are stored too, because pi sends the whole conversation to the model when it resumes the job, so a
 * change to any earlier message must be detected.
 */
export function rememberJob(agentDir: string, record: SessionRecord, sessionFile: string): void {
	const read = readRegular(sessionFile, (file) => {
		const hash = createHash("sha256");
		for (const bytes of chunksOf(file, file.stamp.size)) hash.update(bytes);
		return { ok: true, start: `${file.stamp.size} ${hash.digest("hex")}` };
	});
	if (!read.ok) return;
	const lines = [...storedIn(agentDir), `${digestOf(record)} ${read.start}`].slice(-MOST);
	replaceFile(fileIn(agentDir), `${lines.join("\n")}\n`);
}

/**
 * Returns true if this machine recorded the job and the job's conversation, folder and model have not
 * changed since then.
 */
export async function isOwnJob(
	agentDir: string,
	record: SessionRecord | undefined,
	{
		cwd,
		model,
		sessionFile,
	}: { cwd: string; model?: { provider: string; model: string }; sessionFile: string },
): Promise<boolean> {
	if (record === undefined || record.workspace?.cwd !== cwd) return false;
	const { provider, model: id } = record.resume_hint ?? {};
	if (provider !== model?.provider || id !== model?.model) return false;
	const own = digestOf(record);
	const [, length, digest] =
		storedIn(agentDir)
			.map((line) => line.split(" "))
			.find(([stored]) => stored === own) ?? [];
	return digest !== undefined && digest === (await digestOfStart(sessionFile, Number(length)));
}

async function digestOfStart(path: string, length: number): Promise<string | undefined> {
	const { step } = new Pace();
	const read = await readSlowly(path, async (file) => {
		const hash = createHash("sha256");
		for (const bytes of chunksOf(file, length)) {
			hash.update(bytes);
			await step();
		}
		return { ok: true, digest: hash.digest("hex") };
	});
	return read.ok ? read.digest : undefined;
}
