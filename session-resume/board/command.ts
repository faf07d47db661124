import {
	type Completion,
	commandForm,
	completeOptions,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type HelpOrRefusal,
	helpText,
	isInTerminal,
	keyHelp,
	ownDialog,
	readArguments,
	submitCommand,
} from "../../session-core/pi/index.ts";
import { leaveFor } from "../leaving/leave.ts";
import { showBoard, warmUp } from "./component.ts";
import { type Dialogs, decideInDialogs, pickPlainly, pickWanted } from "./dialogs.ts";

export { warmUp };

type SessionsAction =
	| ({ type: "board" } & Parameters<typeof showBoard>[0])
	| { type: "fork"; wanted: string };

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

export function parseSessions(args: string): SessionsAction | HelpOrRefusal {
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
	const { ctx, over } = deps;
	const say: Dialogs["say"] = (text, kind = "warning") => ctx.ui.notify(`sessions: ${text}`, kind);
	const dialogs = { ctx, say, over };
	const leave = async (leaving: Awaited<ReturnType<typeof decideInDialogs>>) => {
		const arrived = leaving && (await leaveFor(leaving, ctx, say));
		// Switching sessions repaints the screen, so the notification is shown after the switch.
		if (arrived?.done) arrived.ui.notify(arrived.done);
	};
	const open = async (act: "fork" | undefined, row: Awaited<ReturnType<typeof pickWanted>>) =>
		leave(row && (await decideInDialogs(act, row, dialogs)));
	const action = parseSessions(args);
	switch (action.type) {
		case "help":
		case "refused":
			ctx.ui.notify(...helpText(SESSIONS, action, [NOTE, ...keyHelp("board")]));
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
				const command = `/resume-from ${chosen.path}`;
				if (!submitCommand(ctx.ui, command)) say(`type ${command} to continue this session in pi.`);
				break;
			}
			const row = await pickPlainly(scope, query, dialogs);
			await open(undefined, row);
		}
	}
}
