import { hostname } from "node:os";
import type { Choice } from "../../session-core/host/pick.ts";
import { terminalName } from "../../session-core/live/go-to-terminal.ts";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { safeSessionId } from "../../session-core/text/shown-line.ts";
import { describeState } from "../../session-core/words/age.ts";

/** The messages and choices for a session that is open in another process. */

/** Returns a description of the process, its state and its terminal: `another pi (pid 4242, working for 2m, on /dev/pts/3)`. */
export function describeWriter(lease: Lease, now: number): string {
	const host = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	const terminal = terminalName(lease.terminal ?? {});
	return `another pi${host} (pid ${lease.pid}, ${describeState(lease, now)}${terminal && `, on ${terminal}`})`;
}

/** Returns why the user is asked. */
export function openElsewhereText(lease: Lease, now: number): string {
	return `This session is open in ${describeWriter(lease, now)}. Two tabs would mix their histories.`;
}

/**
 * The choices that are offered before a session is opened. The first choice is harmless. `go` is offered only if the other terminal
 * can be brought to the front.
 */
export const OPENING_LABELS = {
	go: "Go there",
	fork: "Fork: continue in a copy",
	open: "Open anyway",
	cancel: "Cancel",
};

/** The choices that are offered if pi was started with a session that another process has open. */
export const STARTED_LABELS = {
	go: "Go to the other terminal and quit this pi",
	fork: "Fork: continue in a copy",
	stay: "Stay in this session anyway",
	fresh: "Leave this session and start a new one",
};

/** Returns the available choices. */
export function choicesOf<Key extends string>(
	labels: Readonly<Record<Key, string>>,
	{ canGo }: { canGo: boolean },
): Choice<Key>[] {
	const keys = Object.keys(labels) as Key[];
	return keys.filter((key) => key !== "go" || canGo).map((key) => ({ label: labels[key], value: key }));
}

/** Returns the command that continues in a fork of a session. */
export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${safeSessionId(sessionId)}`;
}
