import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { copySession } from "../../session-core/log/index.ts";
import {
	type Choice,
	type ExtensionCommandContext,
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	pickFrom,
	VERSION,
} from "../../session-core/pi/index.ts";
import {
	canGo,
	describeState,
	explainObstacle,
	findSessions,
	type GoOutcome,
	goTo,
	isRepairable,
	type Lease,
	listSessions,
	obstacleToOpening,
	readMarks,
	toldApart,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, isFolder, shortAge, shownPath } from "../../session-core/text/index.ts";
import { describeWriter, liveStates, openInText, otherWriter, permits } from "../live/leases.ts";
import { List, type Row, rowOf, type Scope, withLive } from "./list.ts";

/** The id of the fork's last entry. If undefined, the fork contains the whole session. */
export interface Leaving {
	act: "open" | "fork" | "repair";
	path: string;
	cwd: string;
	entryId?: string;
}

export interface BoardQuestion<Answer> {
	text: string;
	choices: readonly { label: string; value: Answer | undefined }[];
}

export interface Asking {
	ask<Answer>(question: BoardQuestion<Answer>): Promise<Answer | undefined>;
	say(text: string, kind: "info" | "warning"): void;
}

export function leaseOf(row: Row): Lease | undefined {
	return otherWriter(getAgentDir(), { sessionFile: row.path, sessionId: row.id });
}

export function notOurs({ format: { canOpen, mark }, id }: Row): string | undefined {
	return canOpen
		? undefined
		: `This session belongs to ${mark}, so pi does not change its file. To continue it in pi, type /resume-from ${id}; to continue it in ${mark}, run pi-sessions resume ${id}.`;
}

/**
 * Facts about a session. They are read right before an action, because the session list may be several
 * seconds old.
 */
export interface Facts {
	row: Row;
	/** Why the session must not be opened: the host would exit or empty the session's file. */
	blocked: string | undefined;
	damaged: boolean;
	cwdExists: boolean;
	writer: string | undefined;
	canGo: boolean;
	busy: boolean;
	/** If the session's folder no longer exists, the host asks for another folder, but only in a terminal. */
	hostAsksForCwd: boolean;
}

export async function factsOf(
	act: "open" | "fork",
	row: Row,
	ctx: Pick<ExtensionContext, "ui" | "isIdle">,
): Promise<Facts> {
	const lease = leaseOf(row);
	const others = notOurs(row);
	const writes = act === "open" ? "file" : "copy";
	const obstacle = others ? undefined : await obstacleToOpening(row.path, { version: () => VERSION, writes });
	const damaged = obstacle !== undefined && isRepairable(obstacle);
	return {
		row,
		blocked: others ?? (obstacle && !damaged ? explainObstacle(obstacle) : undefined),
		damaged,
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer: lease && describeWriter(lease),
		canGo: lease !== undefined && canGo(lease),
		busy: !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
	};
}

interface DecideWith extends Asking {
	here: string;
	go(row: Row): Promise<GoOutcome>;
	/** A single key press can start a fork by accident, so the user must confirm the fork. */
	isOneKey: boolean;
}

export async function decideHere(
	act: "open" | "fork",
	row: Row,
	ctx: ExtensionContext,
	asking: Asking & Pick<DecideWith, "isOneKey">,
): Promise<Leaving | undefined> {
	return decide(act, await factsOf(act, row, ctx), { here: ctx.cwd, go, ...asking });
}

export async function decide(
	act: "open" | "fork",
	facts: Facts,
	{ here, go, ask, say, isOneKey }: DecideWith,
): Promise<Leaving | undefined> {
	const { row, blocked } = facts;
	if (blocked !== undefined) return void say(blocked, "warning");
	const question =
		questionOf(act, facts, here) ?? (act === "fork" && isOneKey ? forkQuestion(facts, here) : undefined);
	if (!question) return to(act, row);
	if (act === "fork" || !facts.canGo || facts.damaged) return ask(question);
	const { text, choices } = question;
	if (!isOneKey) {
		const goThere = { label: "Go there", value: "go" as const };
		const answer = await ask<Leaving | "go">({ text, choices: [goThere, ...choices] });
		if (answer !== "go") return answer;
	}
	const { ok, message } = await go(row);
	return ok ? void say(message, "info") : ask({ text: `${message} ${text}`, choices });
}

async function go(row: Row): Promise<GoOutcome> {
	const lease = leaseOf(row);
	return lease
		? goTo(lease)
		: { ok: false, reason: "no_way", message: "The session was closed in the other terminal a moment ago." };
}

function to(act: Leaving["act"], { path, cwd }: Row): Leaving {
	return { act, path, cwd };
}

const DAMAGED =
	"This session's file is damaged, so pi could lose part of it. You can open a copy of everything that can be read; the file itself is not changed.";

const STAY: Choice<undefined> = { label: "Stay: let the agent continue", value: undefined };
const CANCEL: Choice<undefined> = { label: "Cancel", value: undefined };

/** Combines all warnings about an action into one question. The first choice never causes data loss. */
function questionOf(act: "open" | "fork", facts: Facts, here: string): BoardQuestion<Leaving> | undefined {
	const { row, busy, writer } = facts;
	const isRepair = facts.damaged && act === "open";
	const isElsewhere = writer !== undefined && act === "open";
	const isGone = !facts.cwdExists && !(act === "open" && facts.hostAsksForCwd);
	const doubts = [
		isRepair && DAMAGED,
		isElsewhere && !isRepair && openInText(writer),
		busy && "The agent is still working here. Leaving this session stops it.",
		isGone &&
			!isRepair &&
			`Its folder ${row.project || "?"} is gone. A fork would continue in ${shownPath(here)}.`,
	].filter(Boolean);
	if (doubts.length === 0) return undefined;
	const fork = forkChoice(facts, here);
	const value = to("open", row);
	let choices = isElsewhere ? [fork, { label: "Open anyway", value }] : [{ label: "Open it", value }];
	// If a session's folder is missing and the host cannot ask for another folder, the session can only be forked.
	if (act === "fork" || isGone) choices = [fork];
	if (isRepair) choices = [{ label: "Open a repaired copy", value: to("repair", row) }];
	return { text: doubts.join(" "), choices: busy ? [STAY, ...choices] : [...choices, CANCEL] };
}

function forkQuestion(facts: Facts, here: string): BoardQuestion<Leaving> {
	const { row, cwdExists } = facts;
	const fork = forkChoice(facts, here);
	if (!row.branches || !cwdExists) {
		const text = `Continue “${row.title}” in a copy? The original stays unchanged.`;
		return { text, choices: [fork, CANCEL] };
	}
	const open = { label: "Open the session itself", value: to("open", row) };
	return { text: `“${row.title}” is set to be resumed in a copy.`, choices: [fork, open, CANCEL] };
}

function forkChoice({ row, cwdExists }: Facts, here: string): Choice<Leaving> {
	const where = cwdExists ? "" : `, in ${shownPath(here)}`;
	return { label: `Fork: continue in a copy${where}`, value: to("fork", row) };
}

export interface Dialogs {
	ctx: ExtensionContext;
	say(text: string, kind?: "info" | "warning"): void;
	over: AbortSignal;
}

/** A host dialog cannot be filtered, so it offers at most this many sessions. */
const OFFERED = 60;
const TITLE_COLUMNS = 80;

export async function pickPlainly(
	scope: Scope,
	query: string,
	{ ctx, say }: Dialogs,
): Promise<Row | undefined> {
	const isAll = scope === "all";
	const { sessionManager: manager } = ctx;
	const agentDir = getAgentDir();
	const openPath = manager.getSessionFile();
	const place = isAll ? {} : { folders: [manager.getSessionDir()], project: ctx.cwd };
	const found = await listSessions({ agentDir, ...place });
	const list = new List({ scope, query, openPath, marks: readMarks(agentDir), page: OFFERED });
	list.change({ sessions: found.map((one) => rowOf(one, !isAll)), live: liveStates(agentDir) });
	const rows = list.items.flatMap((item) => (item.type === "session" ? [item.row] : []));
	const others = rows.filter(({ path }) => path !== openPath).slice(0, OFFERED);
	if (others.length > 0) return pickRow(ctx.ui, "Resume which session?", others, isAll);
	const more = " in this project. /sessions --all lists those of all projects.";
	say(`no other sessions${isAll ? "." : more}`, "info");
	return undefined;
}

function pickRow(
	ui: Dialogs["ctx"]["ui"],
	question: string,
	rows: readonly Row[],
	showProject: boolean,
): Promise<Row | undefined> {
	const now = Date.now();
	const labels = rows.map((row) => {
		const title = clipColumns(row.title, TITLE_COLUMNS);
		const state = row.live && describeState(row.live, now);
		const project = showProject && row.project;
		const facts = [title, state, project, shortAge(row.modified, now), row.id.slice(-8)];
		return facts.filter(Boolean).join(" · ");
	});
	const choices = rows.map((row, index) => {
		const label = labels[index] ?? "";
		const isCopied = labels.indexOf(label) !== labels.lastIndexOf(label);
		return { label: isCopied ? `${label} · ${shownPath(row.path)}` : label, value: row };
	});
	return pickFrom(ui, question, choices);
}

export async function pickWanted(wanted: string, { ctx, say, over }: Dialogs): Promise<Row | undefined> {
	const agentDir = getAgentDir();
	const place = { agentDir, cwd: ctx.cwd, folder: ctx.sessionManager.getSessionDir() };
	const { found, isHere } = await findSessions(wanted, { ...place, isPerson: true });
	if (over.aborted) return undefined;
	const summaries = found.map((summary) => rowOf(summary, isHere));
	const rows = withLive(summaries, liveStates(agentDir));
	if (rows.length === 0)
		say(`no session matches "${clipColumns(cleanLine(wanted), 60)}". /sessions lists them.`);
	if (rows.length <= 1) return rows[0];
	return pickRow(ctx.ui, `${rows.length} sessions match. Which one?`, toldApart(rows, "all"), !isHere);
}

export function decideInDialogs(
	act: "open" | "fork",
	row: Row,
	{ ctx, say }: Dialogs,
): Promise<Leaving | undefined> {
	const ask: Asking["ask"] = ({ text, choices }) => pickFrom(ctx.ui, text, choices);
	return decideHere(act, row, ctx, { say, ask, isOneKey: false });
}

export type Leaver = Pick<
	ExtensionCommandContext,
	"switchSession" | "isIdle" | "abort" | "waitForIdle" | "cwd"
> & { sessionManager: Pick<ExtensionCommandContext["sessionManager"], "getSessionDir"> };

/** The host's objects for the new session. The previous session's objects throw errors if they are used. */
interface Arrived {
	session: object;
	ui: Pick<ExtensionCommandContext["ui"], "notify">;
	done: string;
}

export async function leaveFor(
	leaving: Leaving,
	ctx: Leaver,
	refuse: (why: string) => void,
): Promise<Arrived | undefined> {
	// The agent is stopped first, because the host does not save answers that arrive after a session switch.
	if (!ctx.isIdle()) {
		ctx.abort();
		await ctx.waitForIdle();
	}
	const target = await targetOf(leaving, ctx);
	if (!target.ok) {
		refuse(target.detail);
		return undefined;
	}
	const { path, done } = target;
	permits.allow(path);
	const before = sizeOf(path);
	let arrived: Arrived | undefined;
	const { cancelled } = await ctx.switchSession(path, {
		withSession: async (next) => {
			arrived = { session: next.sessionManager, ui: next.ui, done };
		},
	});
	if (!cancelled) return arrived;
	// If the host does not open a copied session, the copy is deleted unless another pi process is using it.
	const isUsed = sizeOf(path) !== before || otherWriter(getAgentDir(), { sessionFile: path });
	if (leaving.act !== "open" && !isUsed) rmSync(path, { force: true });
	return undefined;
}

function sizeOf(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.size;
}

async function targetOf(
	{ act, path, cwd, entryId }: Leaving,
	here: Leaver,
): Promise<{ ok: true; path: string; done: string } | { ok: false; detail: string }> {
	if (act === "open") return { ok: true, path, done: "" };
	const place = isFolder(cwd)
		? { cwd, folder: dirname(path) }
		: { cwd: here.cwd, folder: here.sessionManager.getSessionDir() };
	const copy = await copySession({ path, ...place, entryId, now: new Date() });
	if (!copy.ok) return { ok: false, detail: `not ${act === "fork" ? "forked" : "repaired"}. ${copy.detail}` };
	const done =
		act === "fork"
			? "Forked: the other session is unchanged."
			: `Opened a repaired copy; ${losses(copy.lost)}. The damaged file is unchanged.`;
	return { ok: true, path: copy.path, done };
}

function losses(lines: number): string {
	if (lines === 0) return "nothing was lost";
	return lines === 1 ? "1 line could not be read" : `${lines} lines could not be read`;
}
