import { hostname } from "node:os";
import type { Choice } from "../../session-core/host/pick.ts";
import { terminalName } from "../../session-core/live/go-to-terminal.ts";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { safeSessionId } from "../../session-core/text/shown-line.ts";
import { describeState } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/en.ts";

/** The messages and choices for a session that is open in another process. */

/** Returns a description of the process, its state and its terminal: `another pi (pid 4242, working for 2m, on /dev/pts/3)`. */
export function describeWriter(lease: Lease, now: number, words: Words): string {
	return words.live.otherPi({
		host: lease.host === hostname() ? undefined : cleanLine(lease.host).slice(0, 40),
		pid: lease.pid,
		state: describeState(lease, now, words),
		terminal: terminalName(lease.terminal ?? {}),
	});
}

/** Returns why the user is asked. */
export function openElsewhereText(lease: Lease, now: number, words: Words): string {
	return words.live.openElsewhere(describeWriter(lease, now, words));
}

/**
 * Returns the choices that are offered before a session is opened. The first choice is harmless. `go` is offered only if the other terminal
 * can be brought to the front.
 */
export function openingLabels({ terminal, board }: Words) {
	return { go: terminal.goThere, fork: board.forkCopy, open: board.openAnyway, cancel: board.cancel };
}

/** Returns the choices that are offered if pi was started with a session that another process has open. */
export function startedLabels({ terminal, board }: Words) {
	return {
		go: terminal.goAndQuit,
		fork: board.forkCopy,
		stay: terminal.stayIn,
		fresh: terminal.startNew,
	};
}

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
