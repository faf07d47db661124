import { Script } from "node:vm";

/** What a pattern is tried on: a title, and the rest that is known of the session. */
export type Tried = readonly [title: string, text: string];

/** Milliseconds that a pattern may take for one slice of the list; an ordinary one takes a few. */
const LIMIT_MS = 250;

/** Nested repetitions take twice as long for each further letter, and nothing but this ends them. */
const TRY = new Script("tried.map(([a, b]) => (pattern.test(a) ? 0 : pattern.test(b) ? 1 : -1))");

/** The last one that did not end in time: it is not tried on the next slice, too. */
let endless: string | undefined;

/** For each: 0 where the title matches, 1 where the rest does, -1 where neither does. Nothing matches a pattern that takes too long. */
export function tryPattern(pattern: RegExp, tried: readonly Tried[]): readonly number[] {
	if (pattern.source === endless) return tried.map(() => -1);
	try {
		return TRY.runInNewContext({ pattern, tried }, { timeout: LIMIT_MS });
	} catch {
		endless = pattern.source;
		return tried.map(() => -1);
	}
}
