import { fstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { isObject } from "../json.ts";

/** A pane of a tmux server. */
export interface TmuxPlace {
	/** Path of the server's socket. */
	socket: string;
	/** The pane's id: `%` and a number. It is unique on the server. */
	pane: string;
}

/** The location of a process's terminal, as determined from the process's environment. It is plain data that is stored in the lease. */
export interface TerminalPlace {
	/** The path of the terminal device, such as `/dev/pts/3`. */
	tty?: string;
	/** The name of the terminal program (`TERM_PROGRAM`). */
	program?: string;
	tmux?: TmuxPlace;
	/**
	 * The kitty window. `listenOn` is the address of kitty's remote-control socket; absent if remote control is not enabled on a socket.
	 */
	kitty?: { window: string; listenOn?: string };
	wezterm?: { pane: string; socket?: string };
}

/** Maximum length of a socket's path in bytes: 107 on Linux (`unix(7)`), 103 on macOS. */
const MAX_SOCKET = 107;
const PANE = /^%\d{1,9}$/;
const NUMBER = /^\d{1,9}$/;
const TTY = /^\/dev\/[\w/-]{1,60}$/;
const PROGRAM = /^[\w.+-][\w .+-]{0,39}$/;
const ABSTRACT = /^@[\w.+-]{1,100}$/;
const CONTROL = /\p{Cc}/u;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the location of a process's terminal, according to the process's environment and terminal device. A terminal that was started
 * from another terminal inherits that terminal's variables, which are ignored. tmux is queried later, because processes in its panes have
 * the variables of the process that started the server.
 */
export function placeFrom(env: Environment, tty: string | undefined): TerminalPlace {
	const program = env["TERM_PROGRAM"];
	const isKitty = program === undefined || /kitty/i.test(`${program} ${env["TERM"]}`);
	return checked({
		tty,
		program,
		tmux: { socket: env["TMUX"]?.replace(/,\d+,\d+$/, ""), pane: env["TMUX_PANE"] },
		kitty: isKitty && { window: env["KITTY_WINDOW_ID"], listenOn: env["KITTY_LISTEN_ON"] },
		wezterm: program === "WezTerm" && { pane: env["WEZTERM_PANE"], socket: env["WEZTERM_UNIX_SOCKET"] },
	});
}

/**
 * Returns a stored terminal location. Keeps only values that our own code could have written, because any program can write a lease file.
 */
export function readPlace(stored: unknown): TerminalPlace | undefined {
	return isObject(stored) ? checked(stored) : undefined;
}

function checked(found: Readonly<Record<string, unknown>>): TerminalPlace {
	const tty = matching(found["tty"], TTY);
	const program = matching(found["program"], PROGRAM);
	const tmux = tmuxIn(fieldsOf(found["tmux"]));
	const kitty = kittyIn(fieldsOf(found["kitty"]));
	const wezterm = weztermIn(fieldsOf(found["wezterm"]));
	return {
		...(tty !== undefined && { tty }),
		...(program !== undefined && { program }),
		...(tmux && { tmux }),
		...(kitty && { kitty }),
		...(wezterm && { wezterm }),
	};
}

function tmuxIn(fields: Readonly<Record<string, unknown>>): TmuxPlace | undefined {
	const socket = socketPath(fields["socket"]);
	const pane = matching(fields["pane"], PANE);
	return socket !== undefined && pane !== undefined ? { socket, pane } : undefined;
}

function kittyIn(fields: Readonly<Record<string, unknown>>): TerminalPlace["kitty"] {
	const window = matching(fields["window"], NUMBER);
	const listenOn = kittyAddress(fields["listenOn"]);
	return window === undefined ? undefined : { window, ...(listenOn !== undefined && { listenOn }) };
}

function weztermIn(fields: Readonly<Record<string, unknown>>): TerminalPlace["wezterm"] {
	const pane = matching(fields["pane"], NUMBER);
	const socket = socketPath(fields["socket"]);
	return pane === undefined ? undefined : { pane, ...(socket !== undefined && { socket }) };
}

/** Returns a kitty address if it is a Unix socket. kitty can also listen on TCP and on inherited descriptors, which must not be used. */
function kittyAddress(value: unknown): string | undefined {
	if (typeof value !== "string" || !value.startsWith("unix:")) return undefined;
	const address = value.slice("unix:".length);
	return ABSTRACT.test(address) || socketPath(address) !== undefined ? value : undefined;
}

function socketPath(value: unknown): string | undefined {
	if (typeof value !== "string" || CONTROL.test(value)) return undefined;
	const isAbsolute = /^(\/|[A-Za-z]:\\)/.test(value);
	return isAbsolute && Buffer.byteLength(value) <= MAX_SOCKET ? value : undefined;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
	return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}

/** The descriptors of standard input, output and error. Any of them may be redirected. */
const STANDARD = [0, 1, 2] as const;

/** Returns the location of this process's terminal, or undefined if it has none (for example, in a pipe). */
export function ownPlace(): TerminalPlace | undefined {
	const fd = STANDARD.find((one) => isatty(one));
	return fd === undefined ? undefined : placeFrom(process.env, ttyName(fd));
}

/**
 * Returns the path of the terminal that a file descriptor refers to, in the same way as `ttyname(3)`, which Node does not offer. Undefined
 * if the path is not found.
 */
function ttyName(fd: number): string | undefined {
	try {
		const link = readlinkSync(`/proc/self/fd/${fd}`);
		return link.startsWith("/dev/") ? link : undefined;
	} catch {
		// Not Linux.
		return deviceOf(fd);
	}
}

/** Searches the folders that contain terminal devices for the device of a file descriptor: `ttys003` on macOS, `pts/3` on other systems. */
function deviceOf(fd: number, folders: readonly string[] = ["/dev/pts", "/dev"]): string | undefined {
	try {
		const { rdev } = fstatSync(fd);
		for (const folder of folders) {
			const name = namesIn(folder).find((one) => isSame(join(folder, one), rdev));
			if (name !== undefined) return join(folder, name);
		}
	} catch {
		// The descriptor is closed, or this system has no device files.
	}
	return undefined;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => /^(ttys?)?\d+$/.test(name));
	} catch {
		return [];
	}
}

function isSame(path: string, rdev: number): boolean {
	try {
		return statSync(path).rdev === rdev;
	} catch {
		// The descriptor has just been closed, or belongs to another user.
		return false;
	}
}
