import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cleanLine } from "../text/sanitize.ts";
import { isOwnSocket } from "./own-socket.ts";
import { placeFrom, type TmuxPlace } from "./place.ts";
import { runProgram } from "./run-program.ts";

/**
 * `here`: the viewer's own terminal shows the pane now. `elsewhere`: another terminal that shows its session does. `detached`: no
 * terminal shows its session; `command` attaches one.
 */
export type TmuxOutcome =
	| { type: "here" }
	| { type: "elsewhere"; session: string }
	| { type: "detached"; session: string; command: string[]; isNested: boolean }
	| { type: "not_there" };

/** A pane as its server describes it. */
interface Pane {
	tty: string;
	/** `$` and a number: what names the session for commands. */
	id: string;
	window: string;
	isAttached: boolean;
	name: string;
}

/** The name stands last: it is the only one that can hold a blank. */
const FORMAT = "#{pane_tty} #{session_id} #{window_id} #{session_attached} #{session_name}";
const ANSWER = /^(\/\S+) (\$\d+) (@\d+) (\d+) (.*)$/;
const MAX_NAME = 60;

/** Brings a pane to the front. `tty`: the process's terminal; a pane that has another one is not where it runs. */
export async function goToPane(
	place: TmuxPlace,
	tty: string | undefined,
	env: NodeJS.ProcessEnv,
): Promise<TmuxOutcome> {
	if (!isOwnSocket(place.socket)) return { type: "not_there" };
	const tmux = (...args: string[]) => runProgram(["tmux", "-S", place.socket, ...args], { env });
	const asked = await tmux("display-message", "-p", "-t", place.pane, FORMAT);
	const pane = asked.ok ? readPane(asked.output) : undefined;
	if (!pane || (tty !== undefined && pane.tty !== tty)) return { type: "not_there" };
	const chosen = await tmux(
		...["select-window", "-t", `${pane.id}:${pane.window}`, ";", "select-pane", "-t", place.pane],
	);
	if (!chosen.ok) return { type: "not_there" };
	const own = placeFrom(env, undefined).tmux;
	// The client is found by TMUX and TMUX_PANE; there may be none, where this runs in a session that nobody looks at.
	if (own?.socket === place.socket && (await tmux("switch-client", "-t", pane.id)).ok)
		return { type: "here" };
	const session = cleanLine(pane.name).slice(0, MAX_NAME);
	if (pane.isAttached) return { type: "elsewhere", session };
	return {
		type: "detached",
		session,
		command: attachCommand(place.socket, pane, env),
		isNested: own !== undefined,
	};
}

function readPane(output: string): Pane | undefined {
	const [, tty, id, window, attached, name] = ANSWER.exec(output.trimEnd()) ?? [];
	if (tty === undefined || id === undefined || window === undefined || name === undefined) return undefined;
	return { tty, id, window, isAttached: Number(attached) > 0, name };
}

/** As short as people write it: by name, and without a socket where it is the default one. */
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

/** Where tmux keeps its sockets (`tmux(1)`, under `-L`). */
function socketFolder(env: NodeJS.ProcessEnv): string | undefined {
	try {
		return join(realpathSync(env["TMUX_TMPDIR"] || "/tmp"), `tmux-${process.getuid?.()}`);
	} catch {
		// There is no such folder, so the socket stands elsewhere.
		return undefined;
	}
}
