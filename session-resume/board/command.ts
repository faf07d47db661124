import {
	type Answered,
	answerText,
	type Completion,
	commandForm,
	completeOptions,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	keyHelp,
	ownDialog,
	readArguments,
	readShortcuts,
	submitCommand,
} from "../../session-core/pi/index.ts";
import { offerRestore } from "../../session-core/sessions/index.ts";
import { type PiecePainter, painted } from "../pieces.ts";
import { createActs } from "./acts.ts";
import { Board, type BoardPorts } from "./board.ts";
import { BoardComponent } from "./component.ts";
import { Feed } from "./feed.ts";
import { keyNames } from "./keys.ts";
import {
	type Chosen,
	type Dialogs,
	decideInDialogs,
	type Leaving,
	leaveFor,
	pickPlainly,
	pickWanted,
} from "./leaving.ts";
import type { List } from "./list.ts";
import { previewPorts } from "./previews.ts";
import type { Row } from "./rows.ts";
import { boardLines } from "./view.ts";

type Start = Pick<List, "scope" | "query">;
type SessionsAction = ({ type: "board" } & Start) | { type: "fork"; wanted: string };

export const SESSIONS = commandForm({
	name: "sessions",
	options: [
		["", "List this project's sessions, live ones first"],
		["<words>", "List only sessions with these words in the title, first prompt or recap"],
		["--all", "List the sessions of all projects, with or without words"],
		["--fork <title|id>", "Continue in a fork of a session"],
		["-- <words>", "Filter by words that begin with --"],
	],
});

const NOTE =
	"On the board: type to filter, Enter resumes, Ctrl+G searches messages, F1 explains keys, symbols and the filter, Esc closes.";

export function parseSessions(args: string): SessionsAction | Answered {
	const given = readArguments(SESSIONS, args);
	if (given.type !== "given") return given;
	const { options, text } = given;
	if (options.has("--fork")) return { type: "fork", wanted: text };
	return { type: "board", scope: options.has("--all") ? "all" : "project", query: text };
}

export function completeSessions(prefix: string): Completion[] | null {
	return completeOptions(SESSIONS, prefix);
}

interface SessionsDeps {
	pi: ExtensionAPI;
	ctx: ExtensionCommandContext;
	over: AbortSignal;
}

export async function runSessions(args: string, deps: SessionsDeps): Promise<void> {
	const { pi, ctx, over } = deps;
	const say: Dialogs["say"] = (text, kind = "warning") => ctx.ui.notify(`sessions: ${text}`, kind);
	const dialogs = { pi, ctx, say, isOver: () => over.aborted };
	const leave = async (leaving: Leaving | undefined) => {
		const arrived = leaving && (await leaveFor(leaving, ctx, say));
		// The host repaints the screen after the switch, so the message is shown only afterwards.
		if (arrived?.done) arrived.ui.notify(arrived.done);
	};
	const open = async (act: "open" | "fork", row: Row | undefined) =>
		leave(row && (await decideInDialogs(act, row, dialogs)));
	const action = parseSessions(args);
	switch (action.type) {
		case "help":
		case "refused":
			ctx.ui.notify(...answerText(SESSIONS, action, [NOTE, ...keyHelp("board", readShortcuts().keys)]));
			break;
		case "fork":
			if (action.wanted === "") say("--fork needs a session: its title or its id.");
			else await open("fork", await pickWanted(action.wanted, dialogs));
			break;
		case "board": {
			const { scope, query } = action;
			if (isInTerminal(ctx)) {
				const chosen = await ownDialog(() => showBoard({ scope, query }, deps));
				if (chosen?.act !== "hand_over") return leave(chosen);
				// Only a typed command may open a new session, so the command is put in the editor for the user.
				const command = `/resume-from ${chosen.path}`;
				if (!submitCommand(ctx.ui, command)) say(`type ${command} to continue this session in pi.`);
				break;
			}
			const row = await pickPlainly(scope, query, dialogs);
			await open(row?.branches ? "fork" : "open", row);
		}
	}
}

const FULL_SCREEN = { width: "100%", maxHeight: "100%", anchor: "top-left" } as const;

function portsFor(
	pi: Parameters<typeof createActs>[0],
	ctx: ExtensionContext,
): Omit<BoardPorts, "changed" | "close"> {
	const agentDir = getAgentDir();
	const { cwd, sessionManager } = ctx;
	const place = { agentDir, cwd, projectFolder: sessionManager.getSessionDir() };
	return {
		...createActs(pi, ctx),
		...previewPorts(agentDir, ctx),
		feed: (found) => new Feed({ ...place, found }),
	};
}

/**
 * The board is drawn once without being shown, while pi is idle. This compiles the code, so that the first rows appear in less than half
 * the time when the board is opened.
 */
export async function warmUp(pi: Parameters<typeof createActs>[0], ctx: ExtensionContext): Promise<void> {
	const start = { scope: "project", query: "", openPath: undefined, page: 40 } as const;
	const paint: PiecePainter = { style: (_, text) => text, chosen: (line) => painted(line, paint) };
	const board = await new Promise<Board>((resolve) => {
		const isReady = () => unseen.list.items.length > 0 || unseen.scan.project === "done";
		const changed = () => void setImmediate(() => isReady() && resolve(unseen));
		const overlaps = async () => new Map();
		const unseen = new Board(start, { ...portsFor(pi, ctx), overlaps, changed, close: changed });
	});
	try {
		const keys = keyNames({ matches: () => false, getKeys: () => [] });
		boardLines(board, { width: 100, height: 40, now: Date.now(), input: "", keys }, paint);
	} finally {
		board.end();
	}
}

async function showBoard(start: Start, { pi, ctx, over }: SessionsDeps): Promise<Chosen | undefined> {
	if (over.aborted) return undefined;
	const manager = ctx.sessionManager;
	const ports = portsFor(pi, ctx);
	return ctx.ui.custom<Chosen | undefined>(
		(tui, theme, bindings, done) => {
			const close = (chosen?: Chosen) => {
				over.removeEventListener("abort", end);
				done(chosen);
			};
			const end = () => close();
			over.addEventListener("abort", end);
			const shown = { ...start, openPath: manager.getSessionFile(), page: tui.terminal.rows };
			const board = new Board(shown, { ...ports, changed: () => tui.requestRender(), close });
			const offer = offerRestore(getAgentDir(), Date.now(), board.list.live);
			if (offer !== undefined) board.notify(offer);
			return new BoardComponent({ tui, theme, bindings, board });
		},
		{ overlay: true, overlayOptions: FULL_SCREEN },
	);
}
