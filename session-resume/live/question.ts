import { hostname } from "node:os";
import type { Lease, LeaseState } from "../../session-core/store/lease.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { ageOf } from "../board/age.ts";

/** What is said and asked about a session that is open in another process. */

/** How a live state reads. */
export const STATE_WORDS: Readonly<Record<LeaseState, string>> = {
	working: "working",
	needs_you: "waiting for you",
	idle: "idle",
	failed: "stopped by an error",
};

/** What a live session does, and for how long: `working for 2m`. */
export function describeState({ state, since }: Pick<Lease, "state" | "since">, now: number): string {
	const age = ageOf(since, now);
	return age === "now" ? STATE_WORDS[state] : `${STATE_WORDS[state]} for ${age}`;
}

/** The process and what it does: `another pi (pid 4242, working for 2m)`. */
export function describeWriter(lease: Lease, now: number): string {
	const where = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	return `another pi${where} (pid ${lease.pid}, ${describeState(lease, now)})`;
}

/** Why it is asked at all. */
export function whyAsked(lease: Lease, now: number): string {
	return `This session is open in ${describeWriter(lease, now)}. Two that go on with one session write into each other's history.`;
}

/** Choices before an opening; the first is the safe one. */
export const OPENING_CHOICES = {
	fork: "Fork: go on in a copy",
	open: "Open anyway",
	cancel: "Cancel",
} as const;

/** Choices at a start, when it is open already; the first is the safe one. */
export const STARTED_CHOICES = {
	fork: "Fork: go on in a copy",
	stay: "Stay in it anyway",
	fresh: "Leave it and start a new session",
} as const;

/** The command that goes on in a copy of a session. */
export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${cleanLine(sessionId)}`;
}

/** The choice whose wording the user picked. */
export function chosen<Key extends string>(
	choices: Readonly<Record<Key, string>>,
	picked: string | undefined,
): Key | undefined {
	return (Object.keys(choices) as Key[]).find((key) => choices[key] === picked);
}
