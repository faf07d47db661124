import type { BranchSlice } from "../branch.ts";
import { SessionText } from "../session-text.test-support.ts";
import { readTimeline, type TimelineOptions } from "./timeline.ts";
import type { Timeline } from "./turn.ts";

/**
 * One event in a session, as a test writes it. A text is a request (`> request`), a reply (`< reply`),
 * a shell command (`$ command`, `$ command → output`, or `! command → output` if it fails), a tool with
 * a path (`edit src/a.ts`), the session's name (`name: …`), a compaction's summary (`summary: …`), or
 * `aborted`: the user aborted the run. Several happenings in one text are divided by ` // `, and `⏎` is
 * a line break.
 */
export type Happening = string | Event;

type Event =
	| { user: string }
	| { says: string; stop?: string; error?: string }
	| { bash: string; out?: string; fails?: boolean; aborted?: boolean; pending?: boolean }
	| { tool: string; args: Record<string, unknown>; out?: string; fails?: boolean; diff?: string }
	| { ran: string; out?: string; exit?: number; stopped?: boolean }
	/** A script (codemode) that made these calls. */
	| { calls: unknown[]; out?: string }
	| { entry: Record<string, unknown> };

/**
 * A request, the edit that it asked for, a check that passes, and the report, in a session in `cwd`.
 */
export const ASK = "> Make the parser in src accept trailing commas please";
export const EDIT: Happening = {
	tool: "edit",
	args: { path: "/code/app/src/parser.ts" },
	diff: "+ 1 a\n- 2 b\n+ 3 c\n",
};
export const PASS = "$ npm test → 3 passed";
export const DONE = "< The parser takes trailing commas now.";
export const cwd = "/code/app";

/** Returns a branch with these events, one minute apart. */
export function slice(...happenings: Happening[]): BranchSlice {
	const text = new SessionText({}, { startedAt: Date.UTC(2024, 11, 31, 23, 59), seconds: 60 });
	for (const happening of happenings) {
		if (typeof happening !== "string") add(text, happening);
		else for (const one of happening.split(" // ")) add(text, eventIn(one));
	}
	return { entries: text.lines.slice(1).map((line) => JSON.parse(line)) };
}

/** Returns the timeline of these events. */
export function timelineOf(happenings: Happening[], options?: TimelineOptions): Timeline {
	return readTimeline(slice(...happenings), options);
}

function eventIn(text: string): Event {
	const rest = text.slice(2).replaceAll("⏎", "\n");
	if (text.startsWith("> ")) return { user: rest };
	if (text.startsWith("< ")) return { says: rest };
	if (/^[$!] /.test(text)) {
		const [bash = "", ...out] = rest.split(" → ");
		return { bash, out: out.join(" → "), fails: text.startsWith("!") };
	}
	const [kind = "", ...about] = text.split(": ");
	if (kind === "name") return { entry: { type: "session_info", name: about.join(": ") } };
	if (kind === "summary")
		return { entry: { type: "compaction", summary: about.join(": ").replaceAll("⏎", "\n") } };
	if (text === "aborted") return { says: "", stop: "aborted" };
	const [tool = "", path = ""] = text.split(" ");
	return { tool, args: { path }, diff: "+ 1 a" };
}

function add(text: SessionText, event: Event): SessionText {
	if ("entry" in event) return text.entry("message", event.entry);
	if ("user" in event) return text.user(event.user);
	if ("ran" in event) {
		const { ran: command, out: output = "", exit: exitCode = 0, stopped: cancelled = false } = event;
		return text.entry("message", {
			message: { role: "bashExecution", command, output, exitCode, cancelled },
		});
	}
	if ("calls" in event) {
		const nestedCalls = { calls: event.calls, complete: true };
		return text.tool("codemode", { code: "…" }, event.out ?? "", { nestedCalls });
	}
	if ("says" in event) {
		const { says, stop: stopReason = "stop", error: errorMessage } = event;
		return text.assistant(says, { stopReason, errorMessage });
	}
	const { out = "", fails: isError = false } = event;
	if ("tool" in event)
		return text.tool(event.tool, event.args, out, { isError, details: { diff: event.diff } });
	if (event.pending) return text.pending("bash", { command: event.bash });
	if (event.aborted) return text.tool("bash", { command: event.bash }, "Command aborted", { isError: true });
	return text.bash(event.bash, out, isError ? 1 : 0);
}
