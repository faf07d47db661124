/**
 * Passes answers from the board, the shell or the web page to a live session. Each interactive pi process has a private folder, its inbox.
 * An answer is a file in the inbox. Exactly one side takes it by renaming the file: either the process that submits the answer, or the
 * sender that withdraws it. The outcome is also reported by renaming the file, because a rename works even on a full disk.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
	type Checked,
	hasFields,
	isOneOf,
	isText,
	parseObject,
	replaceFile,
	smallFile,
	watchFolder,
} from "../../text/files/index.ts";
import type { Lease, LeaseState } from "./lease-files.ts";
import { liveFolder, namesIn, processStat, storedLeases } from "./liveness.mjs";

const REFUSALS = {
	idle: "the agent is idle and has not asked anything, and you have seen its last reply.",
	dialog: "a dialog is open in the session. Only the session's own terminal can answer it.",
	busy: "the agent is working.",
	changed: "the conversation has moved on, so the question may no longer be the one that you answered.",
	typing: "there is unsent text in the session's editor.",
	off: 'the session accepts no answers ("live": { "answers": false } in its settings).',
	closed: "the session has been closed or replaced.",
	late: "the session's pi process did not react within 10 seconds. It may be suspended.",
	unreachable:
		"the session's pi process cannot be reached. It may have an older version of session-resume, or belong to another user.",
	unsure:
		"the session's pi process has received the answer, but has not started to work. Look at the session before you send the answer again.",
};
export type AnswerRefusal = keyof typeof REFUSALS;
/** The outcome of an answer. `done` means that the answer was submitted; the other outcomes say why it was not. */
export type InboxOutcome = "done" | AnswerRefusal;
export type AnswerOutcome = { ok: true } | { ok: false; reason: AnswerRefusal; detail?: string };

export function explainAnswer(reason: AnswerRefusal): string {
	return REFUSALS[reason];
}

/**
 * Returns why a session cannot be answered, or undefined if it can. If the user has not seen how a run ended, the session can be answered
 * even if no question was found. Only the user knows whether the reply asks something.
 */
export function whyNotAnswered(session: {
	state: LeaseState | "closed";
	dialog: string | undefined;
	waits: boolean;
	format: { canOpen: boolean };
}): "closed" | "busy" | "dialog" | "idle" | undefined {
	const { state, dialog, waits, format } = session;
	if (state === "closed" || !format.canOpen) return "closed";
	if (state === "working") return "busy";
	if (dialog !== undefined) return "dialog";
	// If the session is not idle, it may contain a question that the user has not read yet.
	return waits || state !== "idle" ? undefined : "idle";
}

/** The maximum length of an answer in UTF-16 code units, and of its file in bytes. JSON needs up to six bytes per code unit. */
export const MAX_ANSWER = 20_000;
const MAX_BYTES = 6 * MAX_ANSWER + 4_096;
/** If no process has taken an answer after this number of milliseconds, the answer is withdrawn and is never submitted. */
const LATE_MS = 10_000;
/** After an answer was taken, the sender waits this number of milliseconds for its outcome. */
const OUTCOME_MS = 8_000;
/** If a process has ended, its inbox is removed after this number of milliseconds, because no sender waits that long for an outcome. */
const SWEPT_MS = 60_000;
const POLL_MS = 25;

/** `stamp` is the id of the last message in the state to which the text is an answer. */
const isAnswer = hasFields({
	sessionId: isText,
	stamp: isText,
	text: (text): text is string => isText(text) && text !== "" && text.length <= MAX_ANSWER,
	from: isOneOf("board", "shell", "page"),
});
export type LiveAnswer = Checked<typeof isAnswer>;
const ANSWER_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

function inboxesOf(agentDir: string): string {
	return join(agentDir, "session-suite", "answers");
}

/** Whether only this user can access the file or folder. On Windows, files have no owner, and the user's folders are private. */
function isPrivate({ uid, mode }: Stats): boolean {
	return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

function isPrivateFolder(folder: string): boolean {
	const stat = lstatSync(folder, { throwIfNoEntry: false });
	return stat?.isDirectory() === true && isPrivate(stat);
}

function isMoved(from: string, to: string): boolean {
	try {
		renameSync(from, to);
		return true;
	} catch {
		// Another process has renamed the file.
		return false;
	}
}

export async function sendAnswer(
	agentDir: string,
	{ instance, sessionId }: Pick<Lease, "instance" | "sessionId">,
	answer: Omit<LiveAnswer, "sessionId">,
): Promise<AnswerOutcome> {
	const inbox = join(inboxesOf(agentDir), instance);
	const lease = join(liveFolder(agentDir), `${instance}.json`);
	const isOpen = () => lstatSync(lease, { throwIfNoEntry: false }) !== undefined;
	/** Returns `closed` if the session has just been closed, because its inbox was then removed as well. */
	const closedOr = (reason: AnswerRefusal) => ({ ok: false as const, reason: isOpen() ? reason : "closed" });
	if (!isOpen() || ![inboxesOf(agentDir), inbox].every(isPrivateFolder)) return closedOr("unreachable");
	const id = randomUUID();
	const file = join(inbox, `${id}.json`);
	const written = replaceFile(file, JSON.stringify({ ...answer, sessionId } satisfies LiveAnswer));
	if (!written.ok) return { ...closedOr("unreachable"), detail: written.detail };
	const outcome =
		(await outcomeOf(inbox, id, LATE_MS)) ??
		(isMoved(file, join(inbox, `${id}.late`)) ? "late" : await outcomeOf(inbox, id, OUTCOME_MS));
	for (const name of namesIn(inbox)) if (name.startsWith(id)) rmSync(join(inbox, name), { force: true });
	if (outcome === "done") return { ok: true };
	if (outcome === "late") return closedOr("late");
	return { ok: false, reason: outcome ?? (isPrivateFolder(inbox) ? "unsure" : "closed") };
}

async function outcomeOf(inbox: string, id: string, ms: number): Promise<InboxOutcome | undefined> {
	const isOutcome = (kind: string): kind is InboxOutcome => kind === "done" || Object.hasOwn(REFUSALS, kind);
	for (const end = performance.now() + ms; performance.now() < end; await wait(POLL_MS)) {
		const own = namesIn(inbox).filter((name) => name.startsWith(id));
		const outcome = own.map((name) => name.slice(id.length + 1)).find(isOutcome);
		if (outcome || own.length === 0) return outcome;
	}
	return undefined;
}

/** Passes the answers for this process's session to `take`, one at a time. The returned function removes the inbox. */
export function openInbox(
	agentDir: string,
	instance: string,
	take: (answer: LiveAnswer) => Promise<InboxOutcome>,
): () => void {
	const root = inboxesOf(agentDir);
	const inbox = join(root, instance);
	try {
		mkdirSync(inbox, { recursive: true, mode: 0o700 });
		// An older version or a restored backup may have left the folder of all inboxes readable for other users.
		if (lstatSync(root).isDirectory()) chmodSync(root, 0o700);
	} catch {
		// Without an inbox, a sender is told that the session cannot be reached.
		return () => undefined;
	}
	sweep(root, liveFolder(agentDir));
	let isOver = false;
	/** The path of the answer that is being submitted, without its file name extension. */
	let inFlight: string | undefined;
	let work = Promise.resolve();
	const next = () => {
		const name = namesIn(inbox).find((one) => ANSWER_NAME.test(one));
		return name && join(inbox, name.replace(/\.json$/, ""));
	};
	async function look(): Promise<void> {
		for (let path = next(); path && !isOver && isPrivateFolder(inbox); path = next()) {
			if (!isMoved(`${path}.json`, `${path}.taken`)) return;
			const answer = readAnswer(`${path}.taken`);
			inFlight = path;
			const outcome = typeof answer === "string" ? answer : await take(answer);
			inFlight = undefined;
			isMoved(`${path}.taken`, `${path}.${outcome}`);
		}
	}
	const lookSoon = () => {
		work = work.then(look).catch(() => undefined);
	};
	const watch = watchFolder(inbox, lookSoon);
	// Some file systems do not report changes, so the inbox is also read once a second.
	const poll = watch.isOn ? undefined : setInterval(lookSoon, 1_000).unref();
	return () => {
		isOver = true;
		clearInterval(poll);
		watch.end();
		if (inFlight !== undefined) isMoved(`${inFlight}.taken`, `${inFlight}.unsure`);
		for (let path = next(); path && isMoved(`${path}.json`, `${path}.closed`); ) path = next();
		try {
			rmdirSync(inbox);
		} catch {
			// The inbox is not empty, because a sender has not read an outcome yet. `sweep` removes the inbox later.
		}
	};
}

function readAnswer(path: string): LiveAnswer | "late" | "closed" {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat?.isFile() || !isPrivate(stat) || stat.nlink > 1) return "closed";
	if (Math.abs(Date.now() - stat.mtimeMs) > LATE_MS) return "late";
	const read = smallFile(path, MAX_BYTES);
	const answer = read.ok ? parseObject(read.text) : undefined;
	return isAnswer(answer) ? answer : "closed";
}

/** Removes the inboxes of ended processes. Inboxes are listed before leases, because a process creates its lease first. */
function sweep(root: string, leases: string): void {
	const names = namesIn(root);
	const now = Date.now();
	const live = new Set([...storedLeases(leases, now)].map(({ lease }) => lease?.instance));
	for (const name of names) {
		const inbox = join(root, name);
		const changed = lstatSync(inbox, { throwIfNoEntry: false })?.mtimeMs ?? now;
		if (!live.has(name) && Math.abs(now - changed) > SWEPT_MS && isPrivateFolder(inbox))
			rmSync(inbox, { recursive: true, force: true });
	}
}

/** The maximum number of ancestor processes that are examined to find the pi process whose agent runs a command. */
const MAX_PARENTS = 32;

/**
 * Returns why this process must not answer on behalf of a person, or undefined if no agent runs the process. Hosts since 1.x set an
 * environment variable for the agent's commands. On every host, a pi process among the ancestors proves that an agent runs the command. So
 * does a terminal that belongs to a pi process, which a background command keeps after its ancestors have ended.
 */
export function agentAbove(
	leases: readonly Pick<Lease, "pid" | "host">[],
	env: Readonly<Record<string, string | undefined>>,
): string | undefined {
	const text =
		"only a person can answer, and this command was started by an agent. Run it in a terminal of your own.";
	if (env["PI_SESSION_ID"] || env["PI_CODING_AGENT"]) return text;
	const pids = new Set(leases.filter(({ host }) => host === hostname()).map(({ pid }) => pid));
	const terminal = terminalOf(process.pid);
	if (terminal !== undefined && [...pids].some((pi) => terminalOf(pi) === terminal)) return text;
	let pid: number | undefined = process.ppid;
	for (let count = 0; pid !== undefined && pid > 1 && count < MAX_PARENTS; count++) {
		if (pids.has(pid)) return text;
		pid = processStat(pid)?.parent ?? parentByPs(pid);
	}
	return undefined;
}

/** Returns the number of a process's terminal. A suspended process has none, because it has returned its terminal to the user's shell. */
function terminalOf(pid: number): number | undefined {
	const { state, terminal = 0 } = processStat(pid) ?? {};
	return state !== "T" && terminal > 0 ? terminal : undefined;
}

/** Finds a parent process with `ps` on systems without `/proc`, such as macOS. */
function parentByPs(pid: number): number | undefined {
	const args = ["-o", "ppid=", "-p", String(pid)];
	const { stdout } = spawnSync("ps", args, { encoding: "utf8", timeout: 2_000 });
	return Number.parseInt(stdout ?? "", 10) || undefined;
}
