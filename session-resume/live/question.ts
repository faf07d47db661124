import { hostname } from "node:os";
import { terminalName } from "../../session-core/live-terminal/where.ts";
import type { Lease, LeaseState } from "../../session-core/store/lease.ts";
import type { Choice } from "../../session-core/terminal/pick.ts";
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

/** The process, what it does and where: `another pi (pid 4242, working for 2m, on /dev/pts/3)`. */
export function describeWriter(lease: Lease, now: number): string {
	const machine = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	const terminal = terminalName(lease.terminal ?? {});
	const facts = [`pid ${lease.pid}`, describeState(lease, now), terminal && `on ${terminal}`];
	return `another pi${machine} (${facts.filter(Boolean).join(", ")})`;
}

/** Why it is asked at all. */
export function whyAsked(lease: Lease, now: number): string {
	return `This session is open in ${describeWriter(lease, now)}. Two that go on with one session write into each other's history.`;
}

/** Choices before an opening; the first is the harmless one. `go` only where its terminal can be brought to the front. */
export const OPENING_CHOICES = {
	go: "Go there",
	fork: "Fork: go on in a copy",
	open: "Open anyway",
	cancel: "Cancel",
} as const;

/** Choices at a start, when it is open already; likewise. */
export const STARTED_CHOICES = {
	go: "Go there and quit here",
	fork: "Fork: go on in a copy",
	stay: "Stay in it anyway",
	fresh: "Leave it and start a new session",
} as const;

/** The choices that there are. */
export function choicesOf<Key extends string>(
	labels: Readonly<Record<Key, string>>,
	{ canGo }: { canGo: boolean },
): Choice<Key>[] {
	const keys = Object.keys(labels) as Key[];
	return keys.filter((key) => key !== "go" || canGo).map((key) => ({ label: labels[key], value: key }));
}

/** The command that goes on in a copy of a session. */
export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${cleanLine(sessionId)}`;
}
