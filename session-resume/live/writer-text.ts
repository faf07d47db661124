import { hostname } from "node:os";
import { describeState } from "../../session-core/sessions/index.ts";
import { type Lease, terminalName } from "../../session-core/sessions/live/index.ts";
import { cleanLine, safeSessionId } from "../../session-core/text/index.ts";

/** Returns a description of the process, its state and its terminal: `another pi (pid 4242, working for 2m, on /dev/pts/3)`. */
export function describeWriter(lease: Lease): string {
	const host = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	const terminal = terminalName(lease.terminal ?? {});
	return `another pi${host} (pid ${lease.pid}, ${describeState(lease, Date.now())}${terminal && `, on ${terminal}`})`;
}

export function openElsewhereText(lease: Lease): string {
	return `This session is open in ${describeWriter(lease)}. Two tabs would mix their histories.`;
}

export function openedTwiceText(lease: Lease): string {
	const terminal = terminalName(lease.terminal ?? {});
	return `this session was opened a second time (pid ${lease.pid}${terminal && `, on ${terminal}`}). Two tabs mix their histories, so close one of them.`;
}

export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${safeSessionId(sessionId)}`;
}

export function waysToOpen({ sessionId }: Lease): string {
	return `${forkCommand(sessionId)} continues in a fork; /resume-from ${safeSessionId(sessionId)} asks what to do.`;
}
