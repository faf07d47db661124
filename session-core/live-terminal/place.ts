import { isObject } from "../json.ts";

/** A pane of a tmux server. */
export interface TmuxPlace {
	/** Path of the server's socket. */
	socket: string;
	/** `%` and a number, unique on the server. */
	pane: string;
}

/** Where a process's terminal is, as far as its environment tells. Plain data: it is kept in the lease. */
export interface TerminalPlace {
	/** The terminal device: `/dev/pts/3`. */
	tty?: string;
	/** What the terminal calls itself (`TERM_PROGRAM`). */
	program?: string;
	tmux?: TmuxPlace;
	/** `listenOn`: the address of kitty's remote control; absent where it is not enabled on a socket. */
	kitty?: { window: string; listenOn?: string };
	wezterm?: { pane: string; socket?: string };
}

/** An address in a socket of the file system has at most 107 bytes (`unix(7)`); macOS allows 103. */
const MAX_SOCKET = 107;
const PANE = /^%\d{1,9}$/;
const NUMBER = /^\d{1,9}$/;
const TTY = /^\/dev\/[\w/-]{1,60}$/;
const PROGRAM = /^[\w.+-][\w .+-]{0,39}$/;
const ABSTRACT = /^@[\w.+-]{1,100}$/;
const CONTROL = /\p{Cc}/u;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The place of a process by its environment and its terminal device. Programs hand their variables down: a terminal that was
 * started in another one has the other's, too. What only that one can have set is left out; tmux, whose panes have the variables
 * of whatever started the server, is asked when it comes to going there.
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

/** A place as it was stored. Whatever is not as we would write it is left out: a lease's file is anybody's text. */
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

/** Kitty also listens on TCP and on inherited descriptors; neither is ours to connect to. */
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
