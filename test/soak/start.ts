import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Random } from "../../session-core/session-file/fuzz.test-support.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import { startHost, type TerminalHost } from "../host/terminal-host.ts";
import { anyOf, count } from "./choose.ts";
import { meetingPoint } from "./meeting.ts";
import type { World } from "./world.ts";

/** A second stands for a minute: moments that take minutes come after moments here. */
const IMPATIENT = [
	...["--recap-away-seconds", "0.5"],
	...["--recap-focus-min-seconds", "0.1"],
	...["--recap-idle-seconds", "2"],
];
/** The suite, and behind it what the soak has inside the host. */
const EXTENSIONS = [
	PROJECT_ROOT,
	...["probe.ts", "full-disk.ts"].map((name) => fileURLToPath(new URL(`in-host/${name}`, import.meta.url))),
];
/** Terminals differ in how they are asked for a notification and for the clipboard. */
const TERMINALS: readonly Record<string, string>[] = [
	{ TERM_PROGRAM: "iTerm.app" },
	{ TERM: "xterm-kitty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{ TERM_PROGRAM: "ghostty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{},
];
/** The host ends on a disk that is full while it opens a session, and when what it appends cannot be written. */
const DISK_ERROR = /ENOSPC/;
const FULL_DISK = "a full disk";
/** 1.5.2 ends if a read of its own (a tool's, its picker's) is aborted before it has begun; no code of ours is in that stack. */
const HOST_ABORT = "an AbortError of the host";
const UNCAUGHT_ABORT = /pi exiting due to uncaughtException:\s*AbortError: The operation was aborted/;

/** Why the host has ended by itself, if that is no fault of ours. */
export function hostEnd(raw: string): string | undefined {
	if (DISK_ERROR.test(raw)) return FULL_DISK;
	const at = raw.search(UNCAUGHT_ABORT);
	return at >= 0 && !raw.slice(at).includes(PROJECT_ROOT) ? HOST_ABORT : undefined;
}
/** Milliseconds in which a host has to start; the machine may be busy. */
const START_MS = 40_000;

/** A host on the session that all tabs meet in, or on any: that one, another, the newest, or a new one. */
export async function startInTab(world: World, random: Random, at: "meeting" | "any"): Promise<TerminalHost> {
	const meeting = () => ["--session", meetingPoint(world)];
	const placed = () => ["--session", anyOf(random, world.sandbox.placed.filter(existsSync))];
	const ways = at === "meeting" ? [meeting] : [meeting, meeting, meeting, placed, () => ["-c"], () => []];
	world.tally.starts += 1;
	const starting = startHost({
		model: world.model,
		sandbox: world.sandbox,
		extensions: EXTENSIONS,
		args: [...anyOf(random, ways)(), ...IMPATIENT],
		// Over SSH, newer hosts wait longer than the soak for what may follow an Escape.
		env: { ...world.env, ...anyOf(random, TERMINALS), PI_TUI_ESC_TIMEOUT: "10" },
		rows: anyOf(random, [24, 40, 60]),
		cols: anyOf(random, [60, 100, 160]),
		deadlineMs: START_MS,
		jobControl: "shell",
	});
	const host = await starting.catch((error: unknown) => {
		if (!DISK_ERROR.test(String(error))) throw error;
		count(world.tally.ends, FULL_DISK);
	});
	return host ?? startInTab(world, random, "any");
}
