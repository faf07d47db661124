import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { hostname } from "node:os";
import { cleanLine, commandLine, headUnits, shownPath, startTimer, tailUnits } from "../../text/index.ts";
import type { Lease } from "./lease-files.ts";
import { placeFrom, type TerminalPlace } from "./terminal-place.ts";

export type LiveTarget = Pick<Lease, "pid" | "host" | "cwd" | "terminal">;
type Env = NodeJS.ProcessEnv;

/**
 * `detached` means that the user must first attach to the tmux session with `command`. `no_way` means
 * that this process cannot bring the terminal to the front.
 */
export type GoOutcome =
	| { ok: true; message: string }
	| { ok: false; reason: "detached"; message: string; command: string[] }
	| { ok: false; reason: "no_way"; message: string };

const SWITCHED: GoOutcome = { ok: true, message: "Switched to the session's terminal." };

export async function goTo(target: LiveTarget, env: Env = process.env): Promise<GoOutcome> {
	const place: TerminalPlace = (isHere(target) && target.terminal) || {};
	const { tmux, kitty, tty } = place;
	const inTmux = tmux && (await goToPane(tmux, tty, env));
	if (inTmux) return inTmux;
	const command = commandTo(place, env);
	if (command && (await runProgram(...command)) !== undefined) return SWITCHED;
	const remedy =
		kitty && !kitty.listenOn && !tmux
			? " To let pi switch to it, set allow_remote_control and listen_on in kitty.conf."
			: "";
	return { ok: false, reason: "no_way", message: `The session is open in ${whereItIs(target)}.${remedy}` };
}

export function canGo(target: LiveTarget): boolean {
	const { tmux, kitty, wezterm } = target.terminal ?? {};
	return isHere(target) && (tmux ?? kitty?.listenOn ?? wezterm) !== undefined;
}

/** Process ids, device paths and pane ids are valid only on the machine where the process runs. */
function isHere({ host }: LiveTarget): boolean {
	return host === hostname();
}

const MAX_FOLDER = 80;

function whereItIs(target: LiveTarget): string {
	const { pid, host, cwd, terminal = {} } = target;
	const folder = shownPath(cwd ?? "");
	const shown = folder.length <= MAX_FOLDER ? folder : `…${tailUnits(folder, MAX_FOLDER - 1)}`;
	return [
		`pid ${pid}`,
		!isHere(target) && `on ${headUnits(cleanLine(host), 40)}`,
		terminalName(terminal),
		cwd !== undefined && `in ${shown}`,
	]
		.filter(Boolean)
		.join(", ");
}

export function terminalName({ tty, program }: TerminalPlace): string {
	if (tty === undefined) return program ?? "";
	return program === undefined ? tty : `${tty} (${program})`;
}

function commandTo({ kitty, wezterm }: TerminalPlace, env: Env): [string[], Env] | undefined {
	// kitty receives commands through its socket, because a reply in the terminal would look like typed text.
	const { window, listenOn = "" } = kitty ?? {};
	const socket = listenOn.slice("unix:".length);
	if (socket.startsWith("@") || isOwnSocket(socket))
		return [["kitten", "@", "--to", listenOn, "focus-window", "--match", `id:${window}`], env];
	if (!wezterm) return undefined;
	const { pane, socket: own } = wezterm;
	// If the socket is unknown, `wezterm cli` finds the newest WezTerm instance itself.
	if (own !== undefined && process.platform !== "win32" && !isOwnSocket(own)) return undefined;
	const command = ["wezterm", "cli", "--no-auto-start", "activate-pane", "--pane-id", pane];
	return [command, { ...env, WEZTERM_UNIX_SOCKET: own }];
}

const MAX_OUTPUT = 16 * 1024;
/**
 * The timeout, in milliseconds, for commands such as `tmux` and `kitten`, which normally exit within a
 * few milliseconds.
 */
const DEADLINE_MS = 2_000;

/**
 * Runs a program without a shell and without access to this process's terminal. Returns undefined if
 * the program fails or does not finish in time.
 */
function runProgram(
	[program = "", ...args]: readonly string[],
	env: Env,
	deadlineMs = DEADLINE_MS,
): Promise<string | undefined> {
	return new Promise((resolve) => {
		let output = "";
		const child = spawn(program, args, {
			env,
			stdio: ["ignore", "pipe", "ignore"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const done = (result: string | undefined): void => {
			clearTimeout(late);
			// Child processes may keep a program's output pipe open, so this process closes the reading end.
			child.stdout.destroy();
			resolve(result);
		};
		const late = startTimer("sessions", deadlineMs, () => {
			child.kill("SIGKILL");
			done(undefined);
		});
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			output = (output + text).slice(0, MAX_OUTPUT);
		});
		child.on("error", () => done(undefined));
		child.on("close", (code) => done(code === 0 ? output : undefined));
	});
}

/** A tmux server can make its client run a command, so another user's server must not be contacted. */
function isOwnSocket(path: string): boolean {
	try {
		const stat = lstatSync(path);
		return stat.isSocket() && stat.uid === process.getuid?.();
	} catch {
		return false;
	}
}

/** The tmux session name is the last field, because only a session name can contain spaces. */
const PANE_FORMAT = "#{pane_tty} #{session_id} #{window_id} #{session_attached} #{session_name}";
const PANE_ANSWER = /^(\/\S+) (\$\d+) (@\d+) (\d+) (.*)$/;

async function goToPane(
	{ socket, pane }: NonNullable<TerminalPlace["tmux"]>,
	tty: string | undefined,
	env: Env,
): Promise<GoOutcome | undefined> {
	if (!isOwnSocket(socket)) return undefined;
	const tmux = (...args: string[]) => runProgram(["tmux", "-S", socket, ...args], env);
	const answer = await tmux("display-message", "-p", "-t", pane, PANE_FORMAT);
	const [, paneTty, id = "", window, attached, name = ""] = PANE_ANSWER.exec(answer?.trimEnd() ?? "") ?? [];
	if (paneTty === undefined || (tty !== undefined && paneTty !== tty)) return undefined;
	const target = ["select-window", "-t", `${id}:${window}`, ";", "select-pane", "-t", pane];
	if ((await tmux(...target)) === undefined) return undefined;
	const own = placeFrom(env, undefined).tmux;
	// `switch-client` fails if no terminal shows the current tmux session.
	if (own?.socket === socket && (await tmux("switch-client", "-t", id)) !== undefined) return SWITCHED;
	const session = `tmux session ${headUnits(cleanLine(name), 60)}`;
	if (attached !== "0")
		return { ok: true, message: `Brought the session to the front in another terminal (${session}).` };
	const server = /^(?:\/private)?\/tmp\/tmux-\d+\/default$/.test(socket) ? [] : ["-S", socket];
	const command = ["tmux", ...server, "attach", "-t", /^\w[\w-]*$/.test(name) ? name : id];
	const outside = own && own.socket !== socket ? " outside the current tmux" : "";
	const message = `pi is running in ${session}, which is not attached. To attach it, run this in a terminal${outside}: ${commandLine(command)}`;
	return { ok: false, reason: "detached", message, command };
}

const CLIENT_FORMAT =
	"#{allow-passthrough} #{window_active} #{session_attached} #{client_termname} #{client_termtype}";
/** Before tmux 3.4, `allow-passthrough` can only be `on` or `off`. */
const ALLOWED = /^(all \d|(?:on|1) 1) [1-9]\d* (.*)$/;

/**
 * Returns the name and type of the terminal in which tmux runs, or undefined if tmux does not pass escape
 * sequences on to that terminal. If `allow-passthrough` is `on`, tmux passes on sequences only from the
 * active window.
 */
export async function outerTerminal(env: Env): Promise<string | undefined> {
	const { tmux } = placeFrom(env, undefined);
	if (!tmux || !isOwnSocket(tmux.socket)) return undefined;
	const ask = ["tmux", "-S", tmux.socket, "display-message", "-p", "-t", tmux.pane, CLIENT_FORMAT];
	const answer = await runProgram(ask, env, 1_000);
	return ALLOWED.exec(answer?.trimEnd() ?? "")?.[2];
}
