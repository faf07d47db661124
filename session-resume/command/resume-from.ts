import {
	forkPoint,
	fromLeaf,
	hasRole,
	type Point,
	promptOf,
	promptsOn,
	readWholeSession,
	type SessionSource,
} from "../../session-core/log/index.ts";
import {
	type Completion,
	type Continuation,
	commandForm,
	completeOptions,
	getAgentDir,
	type HostSession,
	helpText,
	readArguments,
	type StartReason,
} from "../../session-core/pi/index.ts";
import { longAge, openOf, readRecap } from "../../session-core/recap/index.ts";
import {
	handOverFile,
	isBackground,
	listSessions,
	Offers,
	RESUME_VARIABLE,
	readWaiting,
	type SessionView,
	stepPrompt,
	TITLE_COLUMNS,
	titleOf,
	type Waiting,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, safeSessionId } from "../../session-core/text/index.ts";
import { type Dialogs, decideInDialogs, pickWanted } from "../board/dialogs.ts";
import { branches } from "../leaving/decision.ts";
import type { InSession, ResumeSession, TypedCommand } from "../session.ts";
import {
	confirmsFolder,
	continueFresh,
	continueHere,
	continueInFork,
	continueThere,
	resumeHere,
} from "./resume-here.ts";

export const RESUME_FROM = commandForm({
	name: "resume-from",
	options: [
		["<title|id>", "Open another session and put its next step in the editor"],
		["<title|id> --branch", "Continue another session in a fork and leave the original session unchanged"],
		["<title|id> --at <entry>", "Continue in a fork from an earlier point"],
		["--at <entry>", "Continue this session in a fork from an earlier point"],
		["-- <title>", "Open a session whose title begins with --"],
	],
});

const INCOMPLETE =
	"specify a session by its title or id, or use --at <entry> to continue this session from an earlier point.";

export function parseFrom(args: string) {
	const given = readArguments(RESUME_FROM, args, ["--at"]);
	if (given.type !== "given") return given;
	const at = given.values["--at"];
	const branch = given.options.has("--branch");
	const isIncomplete = given.text === "" && at === undefined && !branch;
	if (isIncomplete || at === "" || at?.startsWith("-")) return { type: "refused" as const, why: INCOMPLETE };
	return { type: "go" as const, session: given.text, at, branch };
}

type FromOptions = Pick<Extract<ReturnType<typeof parseFrom>, { type: "go" }>, "at" | "branch">;

const FIRST_STEP: Continuation = { prompt: undefined };

export async function runFrom(args: string, { session, ctx }: TypedCommand): Promise<void> {
	const action = parseFrom(args);
	if (action.type !== "go") return session.say(...helpText(RESUME_FROM, action));
	const dialogs: Dialogs = {
		ctx,
		say: (text, kind = "warning") => session.say(`resume-from: ${text}`, kind),
		over: session.over,
	};
	const from = { session, ctx, dialogs };
	const row = action.session === "" ? undefined : await pickWanted(action.session, dialogs);
	if (session.over.aborted || (action.session !== "" && !row)) return;
	if (!row || row.id === safeSessionId(session.host.id)) return fromHere(from, action);
	await (row.format.canOpen ? fromOther(from, row, action) : handOver(from, row, action));
}

type From = TypedCommand & { dialogs: Dialogs };

async function fromHere(from: From, { at, branch }: FromOptions): Promise<void> {
	const { session } = from;
	if (at === undefined) return resumeHere({ branch: branch || undefined }, from);
	const { source } = session.host;
	const point = session.isReady("resume-from") ? pointAt(from, source, at) : undefined;
	if (!point) return;
	const { entryId, continuation } = point;
	const getEntry = (id: string) => source.getEntry(id);
	const before = [...fromLeaf({ getEntry, getLeafEntry: () => getEntry(entryId) })];
	// A session can be forked only after the agent has replied at least once.
	if (before.some((entry) => hasRole(entry, "assistant"))) await continueInFork(from, entryId, continuation);
	else await continueFresh(from, continuation);
}

async function fromOther(from: From, row: SessionView, { at, branch }: FromOptions): Promise<void> {
	if (at === undefined)
		return openOther(from, row, {
			branch: branch || branches(row),
			continuation: FIRST_STEP,
		});
	const source = await readWholeSession(row.path);
	if (!source.ok) return from.dialogs.say(unreadableText(source.detail));
	const point = pointAt(from, source.session, at);
	if (point) await openOther(from, row, { branch: true, ...point });
}

async function handOver(from: From, row: SessionView, { at, branch }: FromOptions) {
	const {
		session,
		dialogs: { say },
	} = from;
	if (at !== undefined || branch)
		return say(
			"--at and --branch work only with pi's own sessions. Without these options, the session continues in a new pi session.",
		);
	if (!session.isReady("resume-from")) return;
	const handed = await handOverFile(row, Date.now(), getAgentDir());
	if (session.over.aborted) return;
	if (!handed.ok) return say(unreadableText(handed.detail));
	if (!(await confirmsFolder(row.cwd, from.ctx)) || session.over.aborted) return;
	await continueFresh(from, { prompt: handed.prompt });
}

function unreadableText(detail: string): string {
	const reason = cleanLine(detail);
	return `the session cannot be read (${reason}).`;
}

function pointAt({ dialogs: { say } }: From, source: SessionSource, prefix: string) {
	const point = forkPoint(source, prefix);
	if (point.ok) return { entryId: point.last, continuation: { prompt: point.prompt?.text } };
	const shown = clipColumns(cleanLine(prefix), 40);
	if (point.reason === "first") say("this is the session's first prompt; to start over, type /new.");
	else if (point.reason === "none")
		say(`no entry id begins with "${shown}". To list the prompts, press Tab after --at.`);
	else say(`several entry ids begin with "${shown}". Type more characters of the id.`);
	return undefined;
}

async function openOther(
	{ ctx, dialogs }: From,
	row: SessionView,
	{ branch, entryId, continuation }: { branch: boolean; entryId?: string; continuation: Continuation },
): Promise<void> {
	const leaving = await decideInDialogs(branch ? "fork" : "open", row, dialogs);
	if (!leaving || dialogs.over.aborted) return;
	const cut = leaving.act === "fork" && entryId !== undefined ? { ...leaving, entryId } : leaving;
	await continueThere(cut, continuation, ctx, dialogs.say);
}

const OFFERED = 20;
const FRESH_MS = 15_000;

interface OpenSession {
	id: string;
	folder: string;
	cwd: string;
	source: SessionSource;
}

/** Completes `/resume-from` with another session of the project or, after `--at`, with a prompt. */
export class SessionCompletion {
	readonly #agentDir: string;
	readonly #open: OpenSession;
	#listed: { offers: Promise<Offers>; at: number } | undefined;
	#read: { key: string; points: Point[] } | undefined;

	constructor(agentDir: string, open: OpenSession) {
		this.#agentDir = agentDir;
		this.#open = open;
	}

	async complete(prefix: string): Promise<Completion[] | null | undefined> {
		const typed = prefix.trimStart();
		// Typing a space does not open the completion list, so prompts are offered right after `--at`.
		const point = /^(.*?)\s*--at(?:\s+([0-9a-f]*))?$/i.exec(typed);
		if (point) return this.#completePoint(point[1] ?? "", point[2] ?? "");
		return typed.startsWith("-") ? undefined : this.#completeSession(typed);
	}

	async #completePoint(wanted: string, typed: string): Promise<Completion[] | null> {
		const all = wanted === "" ? promptsOn(this.#open.source) : await this.#pointsIn(wanted);
		const points = all.filter(({ id }) => id.startsWith(typed.toLowerCase()));
		if (points.length === 0 || points.some(({ id }) => id === typed)) return null;
		return points.slice(0, OFFERED).map(({ id, text }) => ({
			value: [wanted, "--at", id].filter(Boolean).join(" "),
			label: id,
			description: text,
		}));
	}

	async #completeSession(typed: string): Promise<Completion[] | null> {
		const offers = await this.#offers();
		const fitting = offers.matching(typed);
		if (fitting.length === 0 || offers.isComplete(typed)) return null;
		return fitting.slice(0, OFFERED).map((offer) => ({
			value: offers.valueOf(offer),
			label: clipColumns(titleOf(offer.row), TITLE_COLUMNS) || offer.row.id,
			description: `${longAge(offer.row.modified, Date.now())} · ${offers.shortId(offer.row.id)}`,
		}));
	}

	async #pointsIn(wanted: string): Promise<Point[]> {
		const [only, ...rest] = (await this.#offers()).matching(wanted);
		if (!only || rest.length > 0) return [];
		const { path, size, changed } = only.row;
		const key = `${path}\n${size}\n${changed}`;
		if (this.#read?.key !== key) {
			const opened = await readWholeSession(path);
			this.#read = { key, points: opened.ok ? promptsOn(opened.session) : [] };
		}
		return this.#read.points;
	}

	#offers(): Promise<Offers> {
		const now = Date.now();
		if (!this.#listed || now - this.#listed.at > FRESH_MS) this.#listed = { offers: this.#list(), at: now };
		return this.#listed.offers;
	}

	async #list(): Promise<Offers> {
		const { id, folder, cwd } = this.#open;
		const rows = await listSessions({ agentDir: this.#agentDir, folders: [folder], project: cwd });
		return new Offers(rows.filter((row) => row.id !== id && !isBackground(row)));
	}
}

const completions = new WeakMap<ResumeSession, SessionCompletion>();

export async function completeFrom(session: ResumeSession, prefix: string): Promise<Completion[] | null> {
	const completion = completions.get(session) ?? new SessionCompletion(getAgentDir(), session.host);
	completions.set(session, completion);
	const offered = await completion.complete(prefix);
	return offered === undefined ? completeOptions(RESUME_FROM, prefix) : offered;
}

/**
 * The `pi-sessions` command passes a resume request to the pi process that it starts. The request is
 * carried out when pi opens the first session.
 */
export async function followRequest({ session, ctx }: InSession, reason: StartReason): Promise<void> {
	const { host, log, say } = session;
	const order = takeRequestedText(process.env);
	if (!order || reason !== (order.type === "handover" ? "new" : "startup") || session.over.aborted) return;
	const continuation = await continuationOf(order, host);
	if (session.over.aborted) return;
	if ("refused" in continuation) {
		log("resume.refused", { session: host.id, reason: order.type });
		say(continuation.refused, "warning");
		return;
	}
	if (continuation.cwd !== undefined && !(await confirmsFolder(continuation.cwd, ctx))) return;
	if (order.type === "record" && continuation.prompt === undefined)
		log("resume.record_gone", { session: host.id, record: order.value });
	await continueHere(session, continuation, { keepsCard: true });
}

/**
 * pi's child processes must not inherit the resume request, so the variable that contains it is
 * deleted.
 */
export function takeRequestedText(env: NodeJS.ProcessEnv): Waiting | undefined {
	const order = readWaiting(env[RESUME_VARIABLE]);
	delete env[RESUME_VARIABLE];
	return order;
}

export async function continuationOf(
	order: Waiting,
	{
		source,
		origin: { parentSession },
	}: Pick<HostSession, "origin"> & { source: Pick<HostSession["source"], "getEntries"> },
): Promise<(Continuation & { cwd?: string }) | { refused: string }> {
	switch (order.type) {
		case "next":
			return { prompt: undefined };
		case "record": {
			const recap = source
				.getEntries()
				.flatMap((entry) => readRecap(entry) ?? [])
				.findLast(({ id }) => id === order.value);
			const action = recap && openOf(recap).next;
			// Records contain only an interrupted request's first line, so `continueHere` reads the full request.
			if (action?.kind === "cut_short") return { prompt: undefined };
			const prompt = recap && (action === undefined ? "" : stepPrompt(action));
			return { prompt };
		}
		case "text":
			return { prompt: order.value };
		case "handover": {
			const [, id = "", path = ""] = /^([^:]+):(.+)$/s.exec(order.value) ?? [];
			const handed = await handOverFile({ path, id }, Date.now(), getAgentDir());
			if (!handed.ok)
				return { refused: `resume: the session cannot be continued, because ${cleanLine(handed.detail)}.` };
			return { prompt: handed.prompt, cwd: handed.cwd };
		}
		case "entry": {
			const opened = parentSession === undefined ? undefined : await readWholeSession(parentSession);
			const entry = opened?.ok ? opened.session.getEntry(order.value) : undefined;
			const prompt = entry && promptOf(entry);
			if (prompt === undefined)
				return { refused: "resume: the prompt that you wanted to return to is no longer in the session." };
			return { prompt };
		}
	}
}
