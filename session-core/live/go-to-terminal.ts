import { homedir } from "node:os";
import { cleanLine } from "../text/sanitize.ts";
import { commandLine } from "../timeline/command-line.ts";
import type { Lease, Place } from "./lease-files.ts";
import { placeHere } from "./liveness.mjs";
import { isOwnSocket, runProgram } from "./run-program.ts";
import type { TerminalPlace } from "./terminal-place.ts";
import { goToPane, type TmuxOutcome } from "./tmux.ts";

/** The fields of a lease that are needed to switch to its session. */
export type LiveTarget = Pick<Lease, "pid" | keyof Place | "cwd" | "terminal">;

/** The process that wants to switch to the terminal. */
export interface Viewer {
	/** The process's environment, which names the tmux server and contains the PATH. */
	env: NodeJS.ProcessEnv;
	here: Place;
}

/**
 * The result of switching to a terminal. `message` is one sentence for the user. `detached`: the session runs in a tmux session that no
 * terminal shows, and `command` attaches to that tmux session. `no_way`: the session's terminal cannot be brought to the front from here.
 */
export type GoOutcome =
	| { ok: true; message: string }
	| { ok: false; reason: "detached"; message: string; command: string[] }
	| { ok: false; reason: "no_way"; message: string };

/**
 * Brings the terminal of a live session to the front if possible. Otherwise, the result describes where the terminal is. Never throws.
 */
export async function goTo(target: LiveTarget, viewer: Viewer): Promise<GoOutcome> {
	const { terminal } = target;
	if (!terminal || !isHere(target, viewer.here)) return noWay(target, viewer);
	const { tmux, tty } = terminal;
	const pane: TmuxOutcome = tmux ? await goToPane(tmux, tty, viewer.env) : { type: "not_there" };
	if (pane.type !== "not_there") return outcomeOfPane(pane);
	if (await focusKitty(terminal, viewer.env)) return { ok: true, message: "Switched to its terminal." };
	if (await activateWezterm(terminal, viewer.env)) return { ok: true, message: "Switched to its terminal." };
	return noWay(target, viewer);
}

function outcomeOfPane(pane: Exclude<TmuxOutcome, { type: "not_there" }>): GoOutcome {
	if (pane.type === "here") return { ok: true, message: "Switched to its terminal." };
	if (pane.type === "elsewhere")
		return {
			ok: true,
			message: `Brought the session to the front in another terminal (tmux session ${pane.session}).`,
		};
	const { session, command, isNested } = pane;
	const line = commandLine(command);
	const message = isNested
		? `pi is running in tmux session ${session} on another tmux server, and no terminal is attached to that session. To attach one, run this in a terminal outside the current tmux: ${line}`
		: `pi is running in tmux session ${session}, which is not attached. To attach it, run: ${line}`;
	return { ok: false, reason: "detached", message, command };
}

function noWay(target: LiveTarget, viewer: Viewer): GoOutcome {
	const isReachable = isHere(target, viewer.here);
	const { kitty, tmux } = target.terminal ?? {};
	const isOff = isReachable && kitty !== undefined && kitty.listenOn === undefined && tmux === undefined;
	const where = `It is open in ${whereItIs(target, { isHere: isReachable })}.`;
	return {
		ok: false,
		reason: "no_way",
		message: isOff
			? `${where} To let pi switch there, set allow_remote_control and listen_on in kitty.conf.`
			: where,
	};
}

/** Whether switching to the terminal can be offered to the user. Runs no program. */
export function canGo(target: LiveTarget, here: Place): boolean {
	const { tmux, kitty, wezterm } = target.terminal ?? {};
	return isHere(target, here) && (tmux ?? kitty?.listenOn ?? wezterm) !== undefined;
}

/** Whether process ids, device paths and pane ids mean the same for the target as for this process. */
function isHere(target: LiveTarget, here: Place): boolean {
	return target.host === here.host && target.pidSpace === here.pidSpace;
}

const MAX_FOLDER = 80;
const MAX_HOST = 40;

/** Returns a description that helps the user find a live session, such as `pid 4242, /dev/pts/3 (iTerm.app), in ~/code/app`. */
export function whereItIs(
	{ pid, host, cwd, terminal }: LiveTarget,
	{ isHere, home = homedir() }: { isHere: boolean; home?: string },
): string {
	return [
		`pid ${pid}`,
		isHere ? undefined : `on ${cleanLine(host).slice(0, MAX_HOST)}`,
		terminal && terminalName(terminal),
		cwd === undefined ? undefined : `in ${folderName(cwd, home)}`,
	]
		.filter((part) => part !== undefined && part !== "")
		.join(", ");
}

/** Returns the description of a terminal, such as `/dev/ttys004 (iTerm.app)`; empty if the terminal is unknown. */
export function terminalName({ tty, program }: TerminalPlace): string {
	if (tty === undefined) return program ?? "";
	return program === undefined ? tty : `${tty} (${program})`;
}

/** The end of a long path is shown, because it is more informative than the beginning. */
function folderName(cwd: string, home: string): string {
	const path = cleanLine(cwd);
	const short =
		home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
	return short.length <= MAX_FOLDER
		? short
		: `…${Array.from(short)
				.slice(-MAX_FOLDER + 1)
				.join("")}`;
}

/**
 * Focuses a kitty window through kitty's remote-control socket. If the command were sent through the terminal, the reply would be mixed
 * with the user's keystrokes.
 */
async function focusKitty({ kitty }: TerminalPlace, env: NodeJS.ProcessEnv): Promise<boolean> {
	const { window, listenOn } = kitty ?? {};
	if (window === undefined || listenOn === undefined || !isUsable(listenOn)) return false;
	const command = ["kitten", "@", "--to", listenOn, "focus-window", "--match", `id:${window}`] as const;
	return (await runProgram(command, { env })) !== undefined;
}

function isUsable(listenOn: string): boolean {
	const path = listenOn.slice("unix:".length);
	return path.startsWith("@") || isOwnSocket(path);
}

/** Activates a WezTerm pane with the `wezterm` command, which finds the newest instance if no socket is known. */
async function activateWezterm({ wezterm }: TerminalPlace, env: NodeJS.ProcessEnv): Promise<boolean> {
	if (!wezterm) return false;
	const { pane, socket } = wezterm;
	// On Windows, a socket cannot be distinguished from a file.
	if (socket !== undefined && process.platform !== "win32" && !isOwnSocket(socket)) return false;
	const { WEZTERM_UNIX_SOCKET: _own, ...rest } = env;
	const output = await runProgram(["wezterm", "cli", "--no-auto-start", "activate-pane", "--pane-id", pane], {
		env: socket === undefined ? rest : { ...rest, WEZTERM_UNIX_SOCKET: socket },
	});
	return output !== undefined;
}

/** How to switch to the terminal of a session that another process has open. */
export interface WayThere {
	/** It can be offered. */
	canGo: boolean;
	/** Brings the session's terminal to the front. If that is impossible, the result describes where the terminal is. */
	go(): Promise<GoOutcome>;
}

/** Returns how to switch from this process to the one that holds the lease. */
export function wayTo(lease: Lease): WayThere {
	const here = placeHere();
	return { canGo: canGo(lease, here), go: () => goTo(lease, { env: process.env, here }) };
}
