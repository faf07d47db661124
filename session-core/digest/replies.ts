import { shareIn, tellingTerms } from "./terms.ts";
import { changedFiles, type Turn } from "./turns.ts";
import { substance } from "./voice.ts";

/** What the agent said in the current thread. */
export interface Replies {
	/** Its last visible text. */
	last: string | undefined;
	/** The reply of the last turn that did some work, where that is not the last one. */
	main: string | undefined;
	/** The turns after that one. */
	sinceMain: readonly Turn[];
	/** What it said between tool calls since the last prompt, newest last. */
	narration: string[];
	/** What earlier turns ended with, newest last. */
	earlier: string[];
	/** What the turns before the thread ended with, newest last. */
	older: string[];
}

const NARRATION = 8;
const EARLIER = 3;

/** Reads the replies from the thread's first turn on: an older thread's reply says nothing of this one. */
export function readReplies(turns: readonly Turn[], threadStart: number): Replies {
	const thread = turns.slice(threadStart);
	const mainAt = lastWork(thread);
	const newest = thread.findLastIndex((turn) => turn.says.length > 0);
	// A side reply counts while it is the newest thing; once the user went on, it is over.
	const at = newest === thread.length - 1 || mainAt < 0 ? newest : mainAt;
	const last = thread[at]?.says.at(-1);
	return {
		last,
		main: mainAt === at ? undefined : thread[mainAt]?.says.at(-1),
		sinceMain: thread.slice(mainAt + 1),
		narration: (turns.at(-1)?.says ?? []).filter((text) => text !== last).slice(-NARRATION),
		earlier: thread
			.slice(0, Math.max(0, at))
			.flatMap((turn, index) => (index === mainAt ? [] : (turn.says.at(-1) ?? [])))
			.slice(-EARLIER),
		older: turns
			.slice(Math.max(0, threadStart - EARLIER), threadStart)
			.flatMap((turn) => turn.says.at(-1) ?? [])
			.filter((reply) => substance(reply) >= 12),
	};
}

/** The last turn whose reply reports some work. A greeting, a poem or a name asked for is none. */
function lastWork(thread: readonly Turn[]): number {
	let at = -1;
	let known: ReadonlySet<string> = new Set();
	thread.forEach((turn, index) => {
		const reply = turn.says.at(-1);
		if (reply === undefined) return;
		const terms = tellingTerms(reply, 2_000);
		if (
			!didWork(turn, reply) &&
			(at < 0 || known.size < 12 || shareIn(known, terms) < 0.25 || substance(reply) < 60)
		)
			return;
		at = index;
		known = terms;
	});
	return at;
}

function didWork(turn: Turn, reply: string): boolean {
	if (changedFiles(turn)) return true;
	const told = substance(reply);
	if (turn.steps.length > 3) return told >= 25;
	return turn.steps.length > 0 ? told >= 40 : substance(turn.prompt ?? "") >= 6 && told >= 60;
}
