import { fstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { placeFrom, type TerminalPlace } from "./place.ts";

/** Standard input, output and errors: any of them may be the terminal while the others are redirected. */
const STANDARD = [0, 1, 2] as const;

/** Where this process's terminal is; undefined for one that has none (in a pipe, or under a program). */
export function ownPlace(): TerminalPlace | undefined {
	const fd = STANDARD.find((one) => isatty(one));
	return fd === undefined ? undefined : placeFrom(process.env, ttyName(fd));
}

/** The path of a descriptor's terminal, as `ttyname(3)` finds it; Node has no such call. Undefined: not found. */
export function ttyName(fd: number): string | undefined {
	try {
		const link = readlinkSync(`/proc/self/fd/${fd}`);
		return link.startsWith("/dev/") ? link : undefined;
	} catch {
		// Not Linux.
		return deviceOf(fd);
	}
}

/** Looks for the device among those that terminals have: `ttys003` on macOS, `pts/3` elsewhere. */
export function deviceOf(fd: number, folders: readonly string[] = ["/dev/pts", "/dev"]): string | undefined {
	try {
		const { rdev } = fstatSync(fd);
		for (const folder of folders) {
			const name = namesIn(folder).find((one) => isSame(join(folder, one), rdev));
			if (name !== undefined) return join(folder, name);
		}
	} catch {
		// The descriptor is closed, or this system has no devices in its file system.
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
		// It was closed in this moment, or is somebody else's.
		return false;
	}
}
