import { existsSync, fstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { type Check, type Checked, hasFields, isObject, maybe } from "../../text/files/index.ts";

const isLike =
	(pattern: RegExp): Check<string> =>
	(value): value is string =>
		typeof value === "string" && pattern.test(value);

/** A socket path has at most 107 bytes on Linux (`unix(7)`) and 103 on macOS. */
const isSocket = isLike(/^(?:\/|[A-Za-z]:\\)\P{Cc}{1,106}$/u);
/** kitty can also listen on TCP and on inherited descriptors, which must not be used. */
const isKittySocket = isLike(/^unix:(?:\/\P{Cc}{1,106}|@[\w.+-]{1,100})$/u);
const isNumber = isLike(/^\d{1,9}$/);

const CHECKS = {
	/** The path of the terminal device, such as `/dev/pts/3`. */
	tty: isLike(/^\/dev\/[\w/-]{1,60}$/),
	program: isLike(/^[\w.+-][\w .+-]{0,39}$/),
	/** The pane's id is `%` and a number. It is unique on the tmux server. */
	tmux: hasFields({ socket: isSocket, pane: isLike(/^%\d{1,9}$/) }),
	/** The kitty window. `listenOn`: the address of kitty's remote-control socket; absent if remote control is not enabled on a socket. */
	kitty: hasFields({ window: isNumber, listenOn: maybe(isKittySocket) }),
	wezterm: hasFields({ pane: isNumber, socket: maybe(isSocket) }),
};

/** The location of a process's terminal: plain data that is stored in the lease. */
export type TerminalPlace = { [Name in keyof typeof CHECKS]?: Checked<(typeof CHECKS)[Name]> };

/**
 * Reads the location of a terminal from the environment. A terminal that was started from another terminal inherits the variables of that
 * terminal, which are ignored. tmux is queried later, because its panes have the variables of the process that started the server.
 */
export function placeFrom(
	env: Readonly<Record<string, string | undefined>>,
	tty: string | undefined,
): TerminalPlace {
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

/** Keeps only values that our own code could have written, because any program can write a lease file. */
export function readPlace(stored: unknown): TerminalPlace | undefined {
	return isObject(stored) ? checked(stored) : undefined;
}

function checked(found: Readonly<Record<string, unknown>>): TerminalPlace {
	const valid = Object.entries(CHECKS).filter(([name, check]) => check(found[name]));
	return Object.fromEntries(valid.map(([name]) => [name, found[name]]));
}

export function ownPlace(): TerminalPlace | undefined {
	// Any of standard input, output and error may be redirected.
	const fd = [0, 1, 2].find((one) => isatty(one));
	return fd === undefined ? undefined : placeFrom(process.env, ttyName(fd));
}

/** Like `ttyname(3)`, which Node does not offer. Outside Linux, the devices are searched: `ttys003` on macOS, `pts/3` on other systems. */
function ttyName(fd: number): string | undefined {
	try {
		if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${fd}`);
		const { rdev } = fstatSync(fd);
		const names = ["/dev/pts", "/dev"].flatMap((folder) =>
			existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
		);
		return names.find((path) => /\/(?:ttys?)?\d+$/.test(path) && statSync(path).rdev === rdev);
	} catch {
		// The descriptor has just been closed, or this system has no device files.
		return undefined;
	}
}
