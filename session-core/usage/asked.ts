import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { isPassing } from "../model/failure.ts";
import { cleanLine } from "../text/sanitize.ts";
import { PAUSE_MS } from "./busy-pause.ts";
import type { Feature } from "./entry.ts";
import { type Journal, type JournalProblem, openJournal } from "./journal.ts";
import { sweepOld } from "./sweep.ts";

/** Who wants a model to be asked: the user with a command, or nobody. */
export type Trigger = "auto" | "typed";

/** A question of ours about one state of the conversation. */
export interface Asking {
	feature: Feature;
	/** Id of the last message: the state. */
	stamp: string;
	by: Trigger;
}

export interface Claim {
	/** What came of it: `ok`, or why there is nothing. */
	settle(outcome: string): void;
	/** Nobody was asked after all. */
	withdraw(): void;
	problem: JournalProblem | undefined;
}

export type Claimed =
	| { ok: true; claim: Claim }
	| { ok: false; reason: "asked" }
	| { ok: false; reason: "uncounted"; problem: JournalProblem };

/** What was asked about the states of one session, over restarts and in all processes. */
export interface Asked {
	/** Whether this state has had its call, so that it is not asked about unasked. */
	has(question: Pick<Asking, "feature" | "stamp">): boolean;
	/** Calls of this feature that nobody typed. */
	attempts(feature: Feature): number;
	/** Take the one call of a state. Of two that try at the same moment, one gets it. What was typed always gets it. */
	claim(question: Asking): Claimed;
	problem(): JournalProblem | undefined;
}

export interface AskedOptions {
	agentDir: string;
	session: string;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** What was claimed, and what became of it; one line each. */
interface Attempt extends Asking {
	id: string;
	/** Unix seconds of its newest line. */
	at: number;
	/** Undefined: it is under way, or its process died meanwhile, and then it has been paid for as likely as not. */
	outcome: string | undefined;
}

/**
 * One file a session, with a line for each claim and one for what came of it. All processes read the lines in the same
 * order, so the first claim of a state has it.
 */
export function createAsked({ agentDir, session, now }: AskedOptions): Asked {
	const folder = join(agentDir, "session-suite", "asked");
	// The id of a session is what its file says; it must not name a path.
	const name = createHash("sha256").update(session).digest("hex").slice(0, 40);
	const journal: Journal = openJournal(join(folder, `${name}.jsonl`));
	const attempts = (): Attempt[] => {
		const read = journal.read();
		return attemptsIn(read.ok ? read.lines : journal.own());
	};

	const claim: Asked["claim"] = ({ feature, stamp, by }) => {
		const before = journal.read();
		const isAuto = by === "auto";
		if (isAuto && !before.ok) return { ok: false, reason: "uncounted", problem: before.problem };
		const has = (among: readonly Attempt[]) => wasAsked(among, { feature, stamp }, now());
		if (isAuto && before.ok && has(attemptsIn(before.lines))) return { ok: false, reason: "asked" };
		const id = randomUUID();
		const at = () => Math.floor(now() / 1000);
		const write = (outcome: string) => void journal.append(JSON.stringify({ at: at(), id, outcome }));
		const failed = journal.append(JSON.stringify({ at: at(), id, feature, stamp: shortStamp(stamp), by }));
		const problem = failed ?? (before.ok ? undefined : before.problem);
		if (isAuto) {
			const after = journal.read();
			const unseen = problem ?? (after.ok ? undefined : after.problem);
			if (unseen) {
				write(WITHDRAWN);
				return { ok: false, reason: "uncounted", problem: unseen };
			}
			const all = after.ok ? attemptsIn(after.lines) : [];
			if (
				has(
					all.slice(
						0,
						all.findIndex((attempt) => attempt.id === id),
					),
				)
			) {
				write(WITHDRAWN);
				return { ok: false, reason: "asked" };
			}
		}
		if (!before.ok || before.lines.length === 0) sweepOld(folder, now());
		return { ok: true, claim: { problem, settle: write, withdraw: () => write(WITHDRAWN) } };
	};

	return {
		claim,
		has: (question) => wasAsked(attempts(), question, now()),
		attempts: (feature) =>
			attempts().filter((it) => it.feature === feature && it.by === "auto" && it.outcome !== WITHDRAWN)
				.length,
		problem: () => journal.check(),
	};
}

const WITHDRAWN = "withdrawn";

/** One call a state, whatever came of it; a provider that was only busy is asked once more, after a pause. */
function wasAsked(
	attempts: readonly Attempt[],
	{ feature, stamp }: Pick<Asking, "feature" | "stamp">,
	now: number,
): boolean {
	const same = attempts.filter(
		(it) => it.feature === feature && it.stamp === shortStamp(stamp) && it.outcome !== WITHDRAWN,
	);
	const [first] = same;
	if (!first) return false;
	const mayAgain = same.length === 1 && first.outcome !== undefined && isPassing(first.outcome);
	return !mayAgain || now < first.at * 1000 + PAUSE_MS;
}

/** The id of an entry is what a file says: it is bounded and cleaned like all that is written down. */
function shortStamp(stamp: string): string {
	return cleanLine(stamp).slice(0, 80);
}

/** The attempts that lines tell of, in the order of their claims. */
function attemptsIn(lines: readonly string[]): Attempt[] {
	const attempts = new Map<string, Attempt>();
	for (const line of lines) {
		const read = readLine(line);
		if (!read) continue;
		const { id, at, outcome, ...claimed } = read;
		const known = attempts.get(id);
		if (known && outcome !== undefined) Object.assign(known, { at, outcome });
		else if (!known && isAsking(claimed)) attempts.set(id, { id, at, outcome: undefined, ...claimed });
	}
	return [...attempts.values()];
}

type Line = { at: number; id: string; outcome?: string } & Partial<Record<keyof Asking, unknown>>;

function readLine(line: string): Line | undefined {
	try {
		// A line that was cut off by a crash stands before a whole one.
		const value: Partial<Line> = JSON.parse(line.slice(Math.max(0, line.lastIndexOf('{"at":'))));
		return typeof value.at === "number" && typeof value.id === "string" ? (value as Line) : undefined;
	} catch {
		// Cut off by a crash or a full disk.
		return undefined;
	}
}

function isAsking(value: Partial<Record<keyof Asking, unknown>>): value is Asking {
	return (
		typeof value.feature === "string" &&
		typeof value.stamp === "string" &&
		(value.by === "auto" || value.by === "typed")
	);
}
