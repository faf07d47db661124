import { type ExtensionAPI, type ExtensionCommandContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { unknownText } from "../../session-core/command/options.ts";
import { lazily } from "../../session-core/lazily.ts";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { Permits } from "../live/permits.ts";
import type { FactsDeps } from "./facts.ts";
import { liveStates } from "./live-states.ts";
import { helpText, parseCommand } from "./parse.ts";
import type { Leaving, Row, Scope } from "./types.ts";

export interface SessionsDeps {
	pi: Pick<ExtensionAPI, "setSessionName" | "appendEntry">;
	ctx: ExtensionCommandContext;
	permits: Permits;
	words: Words;
	/** The session has ended. */
	over: AbortSignal;
}

/** `/sessions …`. Every way through it ends in an answer. */
export async function runSessions(args: string, deps: SessionsDeps): Promise<void> {
	const { ctx } = deps;
	const action = parseCommand(args);
	switch (action.type) {
		case "help":
			ctx.ui.notify(helpText(await boardKeyHelp()));
			break;
		case "unknown":
			ctx.ui.notify(unknownText("sessions", action.word), "warning");
			break;
		case "fork":
			await forkWanted(action.wanted, deps);
			break;
		case "board":
			await leave(await choose(action.scope, action.query, deps), deps);
	}
}

/** Loaded when it is asked for: what the board does not need to open comes later. */
async function boardKeyHelp(): Promise<string[]> {
	const { keyHelp } = await lazily(() => import("../../session-core/shortcuts/help.ts"));
	const { readShortcuts } = await lazily(() => import("../../session-core/shortcuts/read.ts"));
	return keyHelp("board", readShortcuts(getAgentDir()).keys);
}

async function choose(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const isTerminal = hostTui(deps.ctx.ui, "session-resume:board") !== undefined;
	if (!isTerminal) return choosePlainly(scope, query, deps);
	const { showBoard } = await lazily(() => import("./show.ts"));
	return showBoard({
		...deps,
		scope,
		query,
		facts: factsDeps(deps.ctx, { hostAsksForCwd: true, words: deps.words }),
	});
}

async function choosePlainly(
	scope: Scope,
	query: string,
	{ ctx, words }: SessionsDeps,
): Promise<Leaving | undefined> {
	const agentDir = getAgentDir();
	const folders = scope === "all" ? undefined : [ctx.sessionManager.getSessionDir()];
	const live = liveStates(agentDir, Date.now());
	const currentPath = ctx.sessionManager.getSessionFile();
	const { plainRows } = await lazily(() => import("./plain.ts"));
	const rows = await plainRows({ agentDir, folders, query, live, currentPath });
	if (rows.length === 0) {
		ctx.ui.notify(
			scope === "all"
				? "sessions: no other sessions."
				: "sessions: no other sessions in this project. /sessions --all lists all.",
		);
		return undefined;
	}
	const view = { live, now: Date.now(), showProject: scope === "all", words };
	const { pickRow } = await lazily(() => import("./pick-row.ts"));
	const row = await pickRow(ctx.ui, "Resume which session?", rows, view);
	return row && ask(row.branches ? "fork" : "open", row, { ctx, words });
}

async function ask(
	act: "open" | "fork",
	row: Row,
	{ ctx, words }: Pick<SessionsDeps, "ctx" | "words">,
): Promise<Leaving | undefined> {
	const { decide } = await lazily(() => import("./decide.ts"));
	const hostAsksForCwd = hostTui(ctx.ui, "session-resume:board") !== undefined;
	const facts = factsDeps(ctx, { hostAsksForCwd, words });
	return decide(act, row, { ui: ctx.ui, facts, here: ctx.cwd, refuse: (why) => refuse(ctx, why) });
}

async function forkWanted(wanted: string, deps: SessionsDeps): Promise<void> {
	const { ctx } = deps;
	if (wanted === "") {
		refuse(ctx, "--fork needs a session: its title or its id.");
		return;
	}
	const { pickWanted } = await lazily(() => import("./pick-row.ts"));
	const row = await pickWanted(wanted, {
		agentDir: getAgentDir(),
		folder: ctx.sessionManager.getSessionDir(),
		ui: ctx.ui,
		refuse: (why) => refuse(ctx, why),
		isLive: () => true,
	});
	await leave(row && (await ask("fork", row, deps)), deps);
}

function refuse({ ui }: Pick<ExtensionCommandContext, "ui">, why: string): void {
	ui.notify(`sessions: ${why}`, "warning");
}

async function leave(leaving: Leaving | undefined, { ctx, permits }: SessionsDeps): Promise<void> {
	if (!leaving) return;
	const { leaveFor } = await lazily(() => import("./leave.ts"));
	const left = await leaveFor(leaving, { ctx, permits, sessionDir: ctx.sessionManager.getSessionDir() });
	// Not before: the host paints the session anew when the switch is complete, and with it what was said until then.
	if (left.ok && left.told !== "") left.ui.notify(left.told);
	if (!left.ok && left.reason === "not_copied") refuse(ctx, left.detail);
}

function factsDeps(
	ctx: ExtensionCommandContext,
	{ hostAsksForCwd, words }: Required<Pick<FactsDeps, "hostAsksForCwd" | "words">>,
): FactsDeps {
	return { agentDir: getAgentDir(), now: Date.now, isBusy: () => !ctx.isIdle(), hostAsksForCwd, words };
}
