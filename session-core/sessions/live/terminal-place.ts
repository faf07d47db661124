import { existsSync, fstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { type Check, type Checked, hasFields, isObject, maybe } from "../../text/index.ts";

const isLike =
	(pattern: RegExp): Check<string> =>
	(value): value is string =>
		typeof value === "string" && pattern.test(value);

/**
 * The path of a socket can be at most 107 bytes long on Linux (`unix(7)`) and 103 bytes long on
 * macOS.
 */
const isSocket = isLike(/^(?:\/|[A-Za-z]:\\)\P{Cc}{1,106}$/u);
/** kitty can also listen on TCP and on inherited file descriptors, but those are not safe to use. */
const isKittySocket = isLike(/^unix:(?:\/\P{Cc}{1,106}|@[\w.+-]{1,100})$/u);
const isNumber = isLike(/^\d{1,9}$/);

const CHECKS = {
	tty: isLike(/^\/dev\/[\w/-]{1,60}$/),
	program: isLike(/^[\w.+-][\w .+-]{0,39}$/),
	/** A tmux pane id, such as `%12`, is unique on its tmux server. */
	tmux: hasFields({ socket: isSocket, pane: isLike(/^%\d{1,9}$/) }),
	/** `listenOn` is the address of kitty's remote control socket (`listen_on` in kitty.conf). */
	kitty: hasFields({ window: isNumber, listenOn: maybe(isKittySocket) }),
	wezterm: hasFields({ pane: isNumber, socket: maybe(isSocket) }),
};

export type TerminalPlace = { [Name in keyof typeof CHECKS]?: Checked<(typeof CHECKS)[Name]> };

/** Ignores environment variables that were inherited from another terminal. */
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

/** Any program can write to the lease files, so invalid values are dropped. */
export function readPlace(stored: unknown): TerminalPlace | undefined {
	return isObject(stored) ? checked(stored) : undefined;
}

function checked(found: Readonly<Record<string, unknown>>): TerminalPlace {
	const valid = Object.entries(CHECKS).filter(([name, check]) => check(found[name]));
	return Object.fromEntries(valid.map(([name]) => [name, found[name]]));
}

export function ownPlace(): TerminalPlace | undefined {
	const fd = [0, 1, 2].find((one) => isatty(one));
	return fd === undefined ? undefined : placeFrom(process.env, ttyName(fd));
}

/** Node has no `ttyname(3)`, so the device files are searched on systems without `/proc`. */
function ttyName(fd: number): string | undefined {
	try {
		if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${fd}`);
		const { rdev } = fstatSync(fd);
		const names = ["/dev/pts", "/dev"].flatMap((folder) =>
			existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
		);
		return names.find((path) => /\/(?:ttys?)?\d+$/.test(path) && statSync(path).rdev === rdev);
	} catch {
		return undefined;
	}
}
