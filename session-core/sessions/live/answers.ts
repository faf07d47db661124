/**
 * Each interactive pi process has an inbox, a private folder that receives answers as files. An
 * answer's file is renamed when the answer is accepted or withdrawn, so only one of the two can
 * succeed.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstatSync, renameSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
	type Checked,
	hasFields,
	isOneOf,
	isText,
	makeFolder,
	namesIn,
	parseObject,
	replaceFile,
	reportBug,
	smallFile,
	startPolling,
	watchFolder,
} from "../../text/index.ts";
import type { Lease } from "./lease-files.ts";
import { type LeaseState, liveFolder, processStat, storedLeases } from "./liveness.mjs";

const REFUSALS = {
	idle: "the agent is idle and has not asked anything, and you have seen its last reply.",
	dialog: "a dialog is open in the session. Only the session's own terminal can answer it.",
	busy: "the agent is working.",
	changed: "the conversation has moved on, so the question may no longer be the one that you answered.",
	typing: "there is unsent text in the session's editor.",
	off: 'the session accepts no answers ("live": { "answers": false } in its settings).',
	closed: "the session has been closed or replaced.",
	late: "the session's pi process did not react within 10 seconds. It may be suspended.",
	unreachable: "the session's pi process cannot be reached. It may belong to another user.",
	unsure:
		"the session's pi process has received the answer, but has not started to work. Look at the session before you send the answer again.",
};
export type AnswerRefusal = keyof typeof REFUSALS;
export type InboxOutcome = "done" | AnswerRefusal;
export type AnswerOutcome = { ok: true } | { ok: false; reason: AnswerRefusal; detail?: string };

export function explainAnswer(reason: AnswerRefusal): string {
	return REFUSALS[reason];
}

/**
 * Returns the reason why the user cannot send an answer to a session, or undefined if the user can. A
 * finished session accepts answers, because only the user knows whether the agent asked a question.
 */
export function whyNotAnswered(session: {
	state: LeaseState | "closed";
	lease: Pick<Lease, "dialog"> | undefined;
	waits: boolean;
	format: { canOpen: boolean };
}): "closed" | "busy" | "dialog" | "idle" | undefined {
	const { state, lease, waits, format } = session;
	if (state === "closed" || !format.canOpen) return "closed";
	if (state === "working") return "busy";
	if (lease?.dialog !== undefined) return "dialog";
	return waits || state !== "idle" ? undefined : "idle";
}

/**
 * The maximum length of an answer in UTF-16 code units. The limit is low enough for JSON, in which a
 * code unit takes up to six bytes.
 */
export const MAX_ANSWER = 20_000;
const MAX_BYTES = 6 * MAX_ANSWER + 4_096;
/** If no process accepts an answer within this many milliseconds, the answer is withdrawn. */
const LATE_MS = 10_000;
/**
 * After pi accepts an answer, the sender waits this many milliseconds for pi to report whether the answer
 * was submitted to the agent.
 */
const OUTCOME_MS = 8_000;
/**
 * How long, in milliseconds, the inbox of an exited process is kept after its last change, so that
 * senders can still read the outcome.
 */
const SWEPT_MS = 60_000;
const POLL_MS = 25;

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

/** Windows has no numeric file owners, and folders in the user's profile are private there. */
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
	const closedOr = (reason: AnswerRefusal) => ({ ok: false as const, reason: isOpen() ? reason : "closed" });
	if (!isOpen() || ![inboxesOf(agentDir), inbox].every(isPrivateFolder)) return closedOr("unreachable");
	const id = randomUUID();
	const file = join(inbox, `${id}.json`);
	const written = replaceFile(file, JSON.stringify({ ...answer, sessionId } satisfies LiveAnswer));
	if (!written.ok) return { ...closedOr("unreachable"), detail: written.detail };
	const outcome =
		(await awaitOutcome(inbox, id, LATE_MS)) ??
		(isMoved(file, join(inbox, `${id}.late`)) ? "late" : await awaitOutcome(inbox, id, OUTCOME_MS));
	for (const name of namesIn(inbox)) if (name.startsWith(id)) rmSync(join(inbox, name), { force: true });
	if (outcome === "done") return { ok: true };
	if (outcome === "late") return closedOr("late");
	return { ok: false, reason: outcome ?? (isPrivateFolder(inbox) ? "unsure" : "closed") };
}

async function awaitOutcome(inbox: string, id: string, ms: number): Promise<InboxOutcome | undefined> {
	const isOutcome = (kind: string): kind is InboxOutcome => kind === "done" || Object.hasOwn(REFUSALS, kind);
	for (const end = performance.now() + ms; performance.now() < end; await wait(POLL_MS)) {
		const own = namesIn(inbox).filter((name) => name.startsWith(id));
		const outcome = own.map((name) => name.slice(id.length + 1)).find(isOutcome);
		if (outcome || own.length === 0) return outcome;
	}
	return undefined;
}

/**
 * Passes answers from the inbox to `take`, one at a time. Returns a function that removes the inbox.
 */
export function openInbox(
	agentDir: string,
	instance: string,
	take: (answer: LiveAnswer) => Promise<InboxOutcome>,
): () => void {
	const root = inboxesOf(agentDir);
	const inbox = join(root, instance);
	try {
		makeFolder(inbox);
	} catch {
		return () => undefined;
	}
	sweep(root, liveFolder(agentDir));
	let isOver = false;
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
		work = work.then(look).catch((bug: unknown) => reportBug("sessions", bug));
	};
	const watch = watchFolder(inbox, lookSoon);
	// Some file systems do not report changes, so the inbox is also read once a second.
	const poll = watch.isOn ? undefined : startPolling("sessions", 1_000, lookSoon);
	return () => {
		isOver = true;
		clearInterval(poll);
		watch.end();
		if (inFlight !== undefined) isMoved(`${inFlight}.taken`, `${inFlight}.unsure`);
		for (let path = next(); path && isMoved(`${path}.json`, `${path}.closed`); ) path = next();
		try {
			rmdirSync(inbox);
		} catch {
			// The inbox may still contain an outcome for a sender. In that case, `sweep` removes the inbox later.
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

/**
 * Removes the inboxes of processes that have exited. The inboxes are listed before the running
 * processes, because a new process registers itself before it creates its inbox.
 */
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

const MAX_PARENTS = 32;

/**
 * Returns an error message if an agent started this command, because only a person may answer an
 * agent's question. Newer pi versions identify an agent's commands by an environment variable. For
 * older versions, parent processes and processes on the same terminal are checked.
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

/**
 * A suspended process returns its terminal to the shell, so the process is treated as having no
 * terminal.
 */
function terminalOf(pid: number): number | undefined {
	const { state, terminal = 0 } = processStat(pid) ?? {};
	return state !== "T" && terminal > 0 ? terminal : undefined;
}

/** macOS has no `/proc` folder, so `ps` is used. */
function parentByPs(pid: number): number | undefined {
	const args = ["-o", "ppid=", "-p", String(pid)];
	const { stdout } = spawnSync("ps", args, { encoding: "utf8", timeout: 2_000 });
	return Number.parseInt(stdout ?? "", 10) || undefined;
}
