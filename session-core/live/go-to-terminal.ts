import { spawn } from "node:child_process";
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { cleanLine } from "../text/sanitize.ts";
import { commandLine } from "../timeline/command-line.ts";
import type { Lease, Place } from "./lease-files.ts";
import { placeHere } from "./liveness.mjs";
import { placeFrom, type TerminalPlace, type TmuxPlace } from "./terminal-place.ts";

/** The fields of a lease that are needed to switch to its session. */
export type LiveTarget = Pick<Lease, "pid" | keyof Place | "cwd" | "terminal">;

/** The process that wants to switch to the terminal. */
interface Viewer {
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

interface ProgramOptions {
	env: NodeJS.ProcessEnv;
	/** Timeout in milliseconds. Default: 2,000, because these programs answer either within milliseconds or not at all. */
	deadlineMs?: number;
}

/** Longer output is cut. */
const MAX_OUTPUT = 16 * 1024;

/**
 * Returns the output of a program; undefined if the program does not exist, fails or times out. The program runs without a shell and
 * without access to our terminal, so it can neither read what the user types nor write between the host's frames.
 */
function runProgram(
	[program, ...args]: readonly [string, ...string[]],
	{ env, deadlineMs = 2_000 }: ProgramOptions,
): Promise<string | undefined> {
	return new Promise((resolve) => {
		let output = "";
		const child = spawn(program, args, {
			env,
			stdio: ["ignore", "pipe", "ignore"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const late = setTimeout(() => {
			child.kill("SIGKILL");
			done(undefined);
		}, deadlineMs);
		const done = (result: string | undefined): void => {
			clearTimeout(late);
			// A child process of the program may keep the pipe open although the result is already known.
			child.stdout.destroy();
			resolve(result);
		};
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			output = (output + text).slice(0, MAX_OUTPUT);
		});
		child.on("error", () => done(undefined));
		child.on("close", (code) => done(code === 0 ? output : undefined));
	});
}

/**
 * Whether a path is a socket that this user created. Sockets of other users are not used, because programs trust the server that they
 * connect to: a tmux server can make its client run a command.
 */
function isOwnSocket(path: string): boolean {
	try {
		const stat = lstatSync(path);
		return stat.isSocket() && stat.uid === process.getuid?.();
	} catch {
		// It is gone.
		return false;
	}
}

/**
 * The result of switching to a pane. `here`: the user's own terminal now shows the pane. `elsewhere`: another terminal, which already
 * showed the pane's session, now shows it. `detached`: no terminal shows the session; `command` attaches to it.
 */
type TmuxOutcome =
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
