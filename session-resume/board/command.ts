import { type ExtensionAPI, type ExtensionCommandContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import { keyHelp } from "../../session-core/shortcuts/help.ts";
import { readShortcuts } from "../../session-core/shortcuts/read.ts";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Permits } from "../live/permits.ts";
import { type FactsDeps, factsOf } from "./facts.ts";
import { findSession } from "./find.ts";
import { leaveFor } from "./leave.ts";
import { liveStates } from "./live-states.ts";
import { helpText, parseCommand } from "./parse.ts";
import { pickedChoice, plainLabel, plainRows } from "./plain.ts";
import { leavingFor, questionOf } from "./question.ts";
import { rowOf } from "./row.ts";
import type { Leaving, Row, Scope } from "./types.ts";

export interface SessionsDeps {
	pi: Pick<ExtensionAPI, "setSessionName" | "appendEntry">;
	ctx: ExtensionCommandContext;
	permits: Permits;
}

/** `/sessions …`. Every way through it ends in an answer. */
export async function runSessions(args: string, deps: SessionsDeps): Promise<void> {
	const { ctx } = deps;
	const action = parseCommand(args);
	switch (action.type) {
		case "help":
			ctx.ui.notify(helpText(keyHelp("board", readShortcuts(getAgentDir()).keys)));
			break;
		case "unknown":
			ctx.ui.notify(
				`sessions: unknown option ${cleanLine(action.word).slice(0, 40)}. /sessions --help lists what there is.`,
				"warning",
			);
			break;
		case "fork":
			await forkWanted(action.wanted, deps);
			break;
		case "board":
			await leave(await choose(action.scope, action.query, deps), deps);
	}
}

async function choose(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const isTerminal = hostTui(deps.ctx.ui, "session-resume:board") !== undefined;
	if (!isTerminal) return choosePlainly(scope, query, deps);
	const { showBoard } = await lazily(() => import("./show.ts"));
	return showBoard({ ...deps, scope, query, facts: factsDeps(deps.ctx, { hostAsksForCwd: true }) });
}

async function choosePlainly(
	scope: Scope,
	query: string,
	{ ctx }: SessionsDeps,
): Promise<Leaving | undefined> {
	const agentDir = getAgentDir();
	const folders = scope === "all" ? undefined : [ctx.sessionManager.getSessionDir()];
	const live = liveStates(agentDir, Date.now());
	const currentPath = ctx.sessionManager.getSessionFile();
	const rows = await plainRows({ agentDir, folders, query, live, currentPath });
	if (rows.length === 0) {
		ctx.ui.notify(
			scope === "all"
				? "sessions: no other sessions."
				: "sessions: no other sessions in this project. /sessions --all lists all.",
		);
		return undefined;
	}
	const view = { live, now: Date.now(), showProject: scope === "all" };
	const labels = new Map(rows.map((row) => [plainLabel(row, view), row]));
	const picked = await ctx.ui.select("Resume which session?", [...labels.keys()]);
	const row = picked === undefined ? undefined : labels.get(picked);
	return row && askPlainly(row.branches ? "fork" : "open", row, ctx);
}

/** What the board asks on its own screen, in the host's dialogs. */
async function askPlainly(
	act: "open" | "fork",
	row: Row,
	ctx: ExtensionCommandContext,
): Promise<Leaving | undefined> {
	const isTerminal = hostTui(ctx.ui, "session-resume:board") !== undefined;
	const facts = await factsOf(act, row, factsDeps(ctx, { hostAsksForCwd: isTerminal }));
	if (facts.blocked !== undefined) {
		ctx.ui.notify(`sessions: ${facts.blocked}`, "warning");
		return undefined;
	}
	const question = questionOf(act, facts, ctx.cwd);
	if (question) {
		const picked = await ctx.ui.select(
			question.text,
			question.choices.map(({ label }) => label),
		);
		return pickedChoice(question, picked)?.leads;
	}
	return leavingFor(act, facts, ctx.cwd);
}

async function forkWanted(wanted: string, deps: SessionsDeps): Promise<void> {
	const { ctx } = deps;
	if (wanted === "") {
		ctx.ui.notify("sessions: --fork needs the id of a session.", "warning");
		return;
	}
	const folders = [[ctx.sessionManager.getSessionDir()], undefined];
	const found = await findSession(wanted, { agentDir: getAgentDir(), folders });
	if (!found.ok) {
		const why = found.reason === "unknown" ? "no session" : `${found.count} sessions`;
		ctx.ui.notify(`sessions: ${why} with the id or name "${cleanLine(wanted).slice(0, 60)}".`, "warning");
		return;
	}
	await leave(await askPlainly("fork", rowOf(found.summary, true), ctx), deps);
}

async function leave(leaving: Leaving | undefined, { ctx, permits }: SessionsDeps): Promise<void> {
	if (!leaving) return;
	const left = await leaveFor(leaving, { ctx, permits, sessionDir: ctx.sessionManager.getSessionDir() });
	// Not before: the host paints the session anew when the switch is complete, and with it what was said until then.
	if (left.ok && left.told !== "") left.ui.notify(left.told);
	if (!left.ok && left.reason === "not_copied") ctx.ui.notify(`sessions: ${left.detail}`, "warning");
}

function factsDeps(
	ctx: ExtensionCommandContext,
	{ hostAsksForCwd }: Pick<FactsDeps, "hostAsksForCwd">,
): FactsDeps {
	return { agentDir: getAgentDir(), now: Date.now, isBusy: () => !ctx.isIdle(), hostAsksForCwd };
}
