import type { BranchSlice } from "../branch.ts";
import type { Entry } from "../entry.ts";
import { readTimeline, type TimelineOptions } from "./timeline.ts";
import type { Timeline } from "./turn.ts";

/**
 * One event in a session, as a test writes it. A text is a request (`> request`), a reply (`< reply`),
 * a shell command (`$ command`, `$ command → output`, or `! command → output` if it fails), a tool with
 * a path (`edit src/a.ts`), or `aborted`: the user aborted the run. Several happenings in one text are
 * divided by ` // `, and `⏎` is a line break.
 */
export type Happening = string | Event;

type Event =
	| { user: string }
	| { says: string; stop?: string; error?: string }
	| { bash: string; out?: string; fails?: boolean; aborted?: boolean; pending?: boolean }
	| { tool: string; args: Record<string, unknown>; out?: string; fails?: boolean; diff?: string }
	| { ran: string; out?: string; exit?: number; stopped?: boolean }
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

const MINUTE = 60_000;

/** Returns a branch with these events, one minute apart. */
export function slice(...happenings: Happening[]): BranchSlice {
	const entries: Entry[] = [];
	const add = (fields: Record<string, unknown>): void => {
		const id = `e${entries.length}`;
		const timestamp = new Date(Date.UTC(2025, 0, 1) + entries.length * MINUTE).toISOString();
		entries.push({ type: "message", ...fields, id, parentId: entries.at(-1)?.id ?? null, timestamp });
	};
	const each = happenings.flatMap((one): Happening[] =>
		typeof one === "string" ? one.split(" // ") : [one],
	);
	each.forEach((happening, index) => {
		for (const fields of fieldsOf(happening, `call-${index}`)) add(fields);
	});
	return { entries };
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
	if (text === "aborted") return { says: "", stop: "aborted" };
	const [tool = "", path = ""] = text.split(" ");
	return { tool, args: { path }, diff: "+ 1 a" };
}

function fieldsOf(given: Happening, id: string): Record<string, unknown>[] {
	const happening = typeof given === "string" ? eventIn(given) : given;
	if ("entry" in happening) return [happening.entry];
	if ("user" in happening) return [{ message: { role: "user", content: happening.user } }];
	if ("ran" in happening) {
		const { ran: command, out: output = "", exit: exitCode = 0, stopped: cancelled = false } = happening;
		return [{ message: { role: "bashExecution", command, output, exitCode, cancelled } }];
	}
	if ("says" in happening) {
		const { says, stop: stopReason = "stop", error: errorMessage } = happening;
		const content = says === "" ? [] : [{ type: "text", text: says }];
		return [{ message: { role: "assistant", content, stopReason, errorMessage } }];
	}
	const isBash = "bash" in happening;
	const name = isBash ? "bash" : happening.tool;
	const call = {
		type: "toolCall",
		id,
		name,
		arguments: isBash ? { command: happening.bash } : happening.args,
	};
	const ask = { message: { role: "assistant", content: [call], stopReason: "toolUse" } };
	if (isBash && happening.pending) return [ask];
	const isAborted = isBash && happening.aborted;
	const text = isAborted ? "Command aborted" : (happening.out ?? "");
	const details = isBash ? undefined : { diff: happening.diff };
	const isError = happening.fails === true || isAborted === true;
	const content = [
		{ type: "text", text: isBash && happening.fails ? `${text}\n\nCommand exited with code 1` : text },
	];
	return [
		ask,
		{ message: { role: "toolResult", toolCallId: id, toolName: name, content, isError, details } },
	];
}
