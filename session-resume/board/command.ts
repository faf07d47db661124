import { type ExtensionAPI, type ExtensionCommandContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { readArguments } from "../../session-core/command/arguments.ts";
import { keyHelp, readShortcuts } from "../../session-core/command/key-bindings.ts";
import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText as helpOf,
	unknownText,
} from "../../session-core/command/options.ts";
import { lazily } from "../../session-core/host/lazily.ts";
import { ownDialog } from "../../session-core/host/lifecycle.ts";
import { isInTerminal } from "../../session-core/host/tui.ts";
import type { Words } from "../../session-core/words/words.ts";
import { sharedWords } from "../instance-words.ts";
import type { Permits } from "../live/permits.ts";
import type { FactsDeps } from "./facts.ts";
import type { Scope } from "./list.ts";
import { liveStates } from "./live-states.ts";
import type { Leaving } from "./questions.ts";
import type { Row } from "./row.ts";

/** `/sessions`: its arguments, its completions and what it does. */
export type SessionsAction =
	| { type: "board"; scope: Scope; query: string }
	| { type: "fork"; wanted: string }
	| { type: "help" }
	| { type: "unknown"; word: string };

const OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "The sessions of this project, live ones on top" },
	{ value: "<words>", description: "Those with these words in title, first prompt or recap" },
	{ value: "--all", description: "Those of all projects, with or without words" },
	{ value: "--fork <title|id>", description: "Continue in a copy of a session" },
	{ value: "-- <words>", description: "Words that begin with --" },
	{ value: "--help", description: "What /sessions can do" },
];

const NOTES = [
	"On the board: type to filter, Enter resumes, Ctrl+G searches everything that was said, F1 explains keys, symbols and filter, Esc goes back.",
];

/** Reads the arguments of `/sessions`. Everything that is not an option is a filter. */
export function parseCommand(args: string): SessionsAction {
	const given = readArguments(args, { switches: ["--all", "--fork"] });
	if (given.type !== "given") return given;
	if (given.has("--fork")) return { type: "fork", wanted: given.text };
	return { type: "board", scope: given.has("--all") ? "all" : "project", query: given.text };
}

export function completeCommand(prefix: string): Completion[] | null {
	return completeOptions(OPTIONS, prefix);
}

/** The answer to `/sessions --help`. */
export function helpText(notes: readonly string[] = []): string {
	return helpOf("sessions", OPTIONS, [...NOTES, ...notes]);
}

export interface SessionsDeps {
	pi: Pick<ExtensionAPI, "setSessionName" | "appendEntry">;
	ctx: ExtensionCommandContext;
	permits: Permits;
	words: Words;
	/** The session has ended. */
	over: AbortSignal;
}

/** `/sessions …`. Every path ends in an answer. */
export async function runSessions(args: string, given: Omit<SessionsDeps, "words">): Promise<void> {
	const { ctx } = given;
	const deps = { ...given, words: await sharedWords(given.pi) };
	const action = parseCommand(args);
	switch (action.type) {
		case "help":
			ctx.ui.notify(helpText(keyHelp("board", readShortcuts(getAgentDir()).keys)));
			break;
		case "unknown":
			ctx.ui.notify(unknownText("sessions", action.word), "warning");
			break;
		case "fork":
			await leave(await chooseFork(action.wanted, deps), deps);
			break;
		case "board":
			await leave(await choose(action.scope, action.query, deps), deps);
	}
}

const dialogs = () => lazily(() => import("./dialogs.ts"));

async function choose(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	if (!isInTerminal(deps.ctx)) return choosePlainly(scope, query, deps);
	const { showBoard } = await lazily(() => import("./show.ts"));
	return ownDialog(() => showBoard({ ...deps, scope, query, facts: factsDeps(deps) }));
}

async function choosePlainly(scope: Scope, query: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx, words } = deps;
	const { plainRows, pickRow } = await dialogs();
	const agentDir = getAgentDir();
	const live = liveStates(agentDir, Date.now());
	const rows = await plainRows({
		agentDir,
		folders: scope === "all" ? undefined : [ctx.sessionManager.getSessionDir()],
		query,
		live,
		openPath: ctx.sessionManager.getSessionFile(),
		words,
	});
	if (rows.length === 0) {
		ctx.ui.notify(
			scope === "all"
				? "sessions: no other sessions."
				: "sessions: no other sessions in this project. /sessions --all lists all.",
		);
		return undefined;
	}
	const view = { live, now: Date.now(), showProject: scope === "all", words };
	const row = await pickRow(ctx.ui, "Resume which session?", rows, view);
	return row && ask(row.branches ? "fork" : "open", row, deps);
}

async function chooseFork(wanted: string, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx, words } = deps;
	if (wanted === "") {
		refuse(ctx, "--fork needs a session: its title or its id.");
		return undefined;
	}
	const row = await (await dialogs()).pickWanted(wanted, {
		agentDir: getAgentDir(),
		folder: ctx.sessionManager.getSessionDir(),
		ui: ctx.ui,
		words,
		refuse: (why) => refuse(ctx, why),
		isLive: () => true,
	});
	return row && ask("fork", row, deps);
}

async function ask(act: "open" | "fork", row: Row, deps: SessionsDeps): Promise<Leaving | undefined> {
	const { ctx } = deps;
	return (await dialogs()).decideInDialogs(act, row, {
		ui: ctx.ui,
		facts: factsDeps(deps),
		here: ctx.cwd,
		say: (text, kind) => ctx.ui.notify(`sessions: ${text}`, kind),
	});
}

function refuse({ ui }: Pick<ExtensionCommandContext, "ui">, why: string): void {
	ui.notify(`sessions: ${why}`, "warning");
}

async function leave(leaving: Leaving | undefined, { ctx, permits }: SessionsDeps): Promise<void> {
	if (!leaving) return;
	const { leaveFor } = await lazily(() => import("./leave.ts"));
	const left = await leaveFor(leaving, { ctx, permits, sessionDir: ctx.sessionManager.getSessionDir() });
	// Not earlier: the host paints the session anew after the switch, and overwrites what was shown until then.
	if (left.ok && left.told !== "") left.ui.notify(left.told);
	if (!left.ok && left.reason === "not_copied") refuse(ctx, left.detail);
}

function factsDeps({ ctx, words }: SessionsDeps): FactsDeps {
	return {
		agentDir: getAgentDir(),
		now: Date.now,
		isBusy: () => !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
		words,
	};
}
