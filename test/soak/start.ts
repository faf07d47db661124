import { fileURLToPath } from "node:url";
import { PROJECT_ROOT } from "../host/launch.ts";
import { startHost, type TerminalHost } from "../host/terminal-host.ts";
import { hasHeader, meetingPoint } from "./meeting.ts";
import { anyOf, count, type Random } from "./random.ts";
import type { World } from "./world.ts";

/** One second represents a minute. */
const IMPATIENT = [
	...["--recap-away-seconds", "0.5"],
	...["--recap-focus-min-seconds", "0.1"],
	...["--recap-idle-seconds", "2"],
];
/** The suite, followed by the soak's own extensions. */
const EXTENSIONS = [
	PROJECT_ROOT,
	...["probe.ts", "full-disk.ts"].map((name) => fileURLToPath(new URL(`in-host/${name}`, import.meta.url))),
];
/** Terminals with different sequences for notifications and the clipboard. */
const TERMINALS: readonly Record<string, string>[] = [
	{ TERM_PROGRAM: "iTerm.app" },
	{ TERM: "xterm-kitty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{ TERM_PROGRAM: "ghostty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{},
];
/** The host exits if the disk is full while it opens a session or appends to it. */
const DISK_ERROR = /ENOSPC/;
const FULL_DISK = "a full disk";
/**
 * 1.5.2 refuses a file without a header before it loads extensions. A host leaves such a file if its session was deleted while it was
 * starting: it has read the session, holds no lease yet, and appends to a file that is gone.
 */
const NO_HEADER = /Session file is not a valid pi session/;
/** 1.5.2 exits if one of its own reads is aborted before it has begun; our code is not involved. */
const HOST_ABORT = "an AbortError of the host";
const UNCAUGHT_ABORT = /pi exiting due to uncaughtException:\s*AbortError: The operation was aborted/;

/** Why the host exited on its own; undefined if it may be our fault. */
export function hostEnd(raw: string): string | undefined {
	if (DISK_ERROR.test(raw)) return FULL_DISK;
	const at = raw.search(UNCAUGHT_ABORT);
	return at >= 0 && !raw.slice(at).includes(PROJECT_ROOT) ? HOST_ABORT : undefined;
}
/** Timeout for a start in milliseconds; the machine may be busy. */
const START_MS = 40_000;

/** Starts a host on the shared session, or on any: that one, another one, the newest, or a new one. */
export async function startInTab(world: World, random: Random, at: "meeting" | "any"): Promise<TerminalHost> {
	const meeting = () => ["--session", meetingPoint(world)];
	const placed = () => {
		// The tabs may have deleted all of them.
		const left = world.sandbox.placed.filter(hasHeader);
		return left.length > 0 ? ["--session", anyOf(random, left)] : [];
	};
	const ways = at === "meeting" ? [meeting] : [meeting, meeting, meeting, placed, () => ["-c"], () => []];
	world.tally.starts += 1;
	const starting = startHost({
		model: world.model,
		sandbox: world.sandbox,
		extensions: EXTENSIONS,
		args: [...anyOf(random, ways)(), ...IMPATIENT],
		// Over SSH, newer hosts wait longer for the rest of an escape sequence than the soak does.
		env: { ...world.env, ...anyOf(random, TERMINALS), PI_TUI_ESC_TIMEOUT: "10" },
		rows: anyOf(random, [24, 40, 60]),
		cols: anyOf(random, [60, 100, 160]),
		deadlineMs: START_MS,
		jobControl: "shell",
	});
	const host = await starting.catch((error: unknown) => {
		const message = String(error).replace(/\s*│?\n│?/g, " ");
		if (!DISK_ERROR.test(message) && !NO_HEADER.test(message)) throw error;
		count(world.tally.ends, DISK_ERROR.test(message) ? FULL_DISK : "a file without a header");
	});
	return host ?? startInTab(world, random, "any");
}
