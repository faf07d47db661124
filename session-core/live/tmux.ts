import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cleanLine } from "../text/sanitize.ts";
import { isOwnSocket, runProgram } from "./run-program.ts";
import { placeFrom, type TmuxPlace } from "./terminal-place.ts";

/**
 * The result of switching to a pane. `here`: the user's own terminal now shows the pane. `elsewhere`: another terminal, which already
 * showed the pane's session, now shows it. `detached`: no terminal shows the session; `command` attaches to it.
 */
export type TmuxOutcome =
	| { type: "here" }
	| { type: "elsewhere"; session: string }
	| { type: "detached"; session: string; command: string[]; isNested: boolean }
	| { type: "not_there" };

/** A pane, as the tmux server describes it. */
interface Pane {
	tty: string;
	/** The id of the session for use in commands: `$` and a number. */
	id: string;
	window: string;
	isAttached: boolean;
	name: string;
}

/** The name comes last, because it is the only field that can contain spaces. */
const FORMAT = "#{pane_tty} #{session_id} #{window_id} #{session_attached} #{session_name}";
const ANSWER = /^(\/\S+) (\$\d+) (@\d+) (\d+) (.*)$/;
const MAX_NAME = 60;

/**
 * Brings a pane to the front. `tty` is the terminal of the process. If the pane has a different terminal, the process does not run in that
 * pane.
 */
export async function goToPane(
	place: TmuxPlace,
	tty: string | undefined,
	env: NodeJS.ProcessEnv,
): Promise<TmuxOutcome> {
	if (!isOwnSocket(place.socket)) return { type: "not_there" };
	const tmux = (...args: string[]) => runProgram(["tmux", "-S", place.socket, ...args], { env });
	const answer = await tmux("display-message", "-p", "-t", place.pane, FORMAT);
	const pane = answer === undefined ? undefined : readPane(answer);
	if (!pane || (tty !== undefined && pane.tty !== tty)) return { type: "not_there" };
	const selected = await tmux(
		...["select-window", "-t", `${pane.id}:${pane.window}`, ";", "select-pane", "-t", place.pane],
	);
	if (selected === undefined) return { type: "not_there" };
	const own = placeFrom(env, undefined).tmux;
	// tmux identifies the client by TMUX and TMUX_PANE. There is no client if this process runs in a session that no terminal shows.
	if (own?.socket === place.socket && (await tmux("switch-client", "-t", pane.id)) !== undefined)
		return { type: "here" };
	const session = cleanLine(pane.name).slice(0, MAX_NAME);
	if (pane.isAttached) return { type: "elsewhere", session };
	return {
		type: "detached",
		session,
		command: attachCommand(place.socket, pane, env),
		// A terminal that shows this tmux server would have been switched.
		isNested: own !== undefined && own.socket !== place.socket,
	};
}

function readPane(output: string): Pane | undefined {
	const [, tty, id, window, attached, name] = ANSWER.exec(output.trimEnd()) ?? [];
	if (tty === undefined || id === undefined || window === undefined || name === undefined) return undefined;
	return { tty, id, window, isAttached: Number(attached) > 0, name };
}

/** Returns the attach command in the short form that users type: if possible, with the session's name and without the default socket. */
function attachCommand(socket: string, { id, name }: Pane, env: NodeJS.ProcessEnv): string[] {
	const label = basename(socket);
	const isNamed = isPlain(label) && dirname(socket) === socketFolder(env);
	const server = isNamed ? ["-L", label] : ["-S", socket];
	const isDefault = isNamed && label === "default";
	return ["tmux", ...(isDefault ? [] : server), "attach", "-t", isPlain(name) ? name : id];
}

function isPlain(name: string): boolean {
	return /^\w[\w-]*$/.test(name);
}

/** Returns the folder in which tmux keeps its sockets (`tmux(1)`, under `-L`). */
function socketFolder(env: NodeJS.ProcessEnv): string | undefined {
	try {
		return join(realpathSync(env["TMUX_TMPDIR"] || "/tmp"), `tmux-${process.getuid?.()}`);
	} catch {
		// The folder does not exist, so the socket must be elsewhere.
		return undefined;
	}
}

const CLIENT_FORMAT =
	"#{allow-passthrough} #{window_active} #{session_attached} #{client_termname} #{client_termtype}";
/** Before tmux 3.4, the `allow-passthrough` option has only the values `on` and `off`. */
const ALLOWED = /^(all \d|(?:on|1) 1) [1-9]\d* (.*)$/;

/**
 * Returns the names of the terminal that shows this process's tmux session. Returns undefined outside tmux, without `allow-passthrough`, or
 * if no terminal shows the session. If `allow-passthrough` is `on`, only the active window can pass sequences through, so the result is
 * undefined for other windows.
 */
export async function outerTerminal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
	const { tmux } = placeFrom(env, undefined);
	if (!tmux || !isOwnSocket(tmux.socket)) return undefined;
	const ask = ["tmux", "-S", tmux.socket, "display-message", "-p", "-t", tmux.pane, CLIENT_FORMAT] as const;
	const answer = await runProgram(ask, { env, deadlineMs: 1_000 });
	return ALLOWED.exec(answer?.trimEnd() ?? "")?.[2];
}
