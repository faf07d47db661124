import { hostname } from "node:os";
import {
	describeState,
	type Lease,
	liveFolder,
	liveLeases,
	terminalName,
} from "../../session-core/sessions/index.ts";
import {
	cleanLine,
	safeSessionId,
	spellingsOf,
	startTimer,
	watchFolder,
} from "../../session-core/text/index.ts";

/**
 * The leases that this instance of the extension wrote. pi loads the extension again for each session,
 * so other sessions in the same process are treated as separate writers.
 */
export const ownLeases = new Set<string>();

export function isOwn({ instance }: Lease): boolean {
	return ownLeases.has(instance);
}

/**
 * The time, in milliseconds, within which events are combined, because a single change causes several
 * events.
 */
const CALM_MS = 100;

export function followLeases(agentDir: string, look: () => void) {
	let calm: NodeJS.Timeout | undefined;
	const lookNow = () => {
		calm = undefined;
		look();
	};
	const lookSoon = () => {
		calm ??= startTimer("sessions", CALM_MS, lookNow);
	};
	// A `rename` event means that a lease file was created or removed. A heartbeat causes only a `change` event.
	const watch = watchFolder(liveFolder(agentDir), (event) => event === "rename" && lookSoon());
	return {
		watch,
		lookSoon,
		end() {
			clearTimeout(calm);
			watch.end();
		},
	};
}

const permitted = new Map<string, number>();
/**
 * The time, in milliseconds, for which a permission to open a session is valid. pi may request the
 * permission twice.
 */
const PERMIT_MS = 30_000;

export const permits = {
	allow: (path: string) => void permitted.set(path, Date.now()),
	has: (path: string) => Date.now() - (permitted.get(path) ?? Number.NEGATIVE_INFINITY) < PERMIT_MS,
};

export function otherWriter(
	agentDir: string,
	{ sessionFile, sessionId }: { sessionFile?: string | undefined; sessionId?: string | undefined },
): Lease | undefined {
	const files = sessionFile === undefined ? [] : spellingsOf(sessionFile);
	return liveLeases(agentDir, Date.now()).find(
		(lease) =>
			!isOwn(lease) && (lease.sessionId === sessionId || files.some((file) => file === lease.sessionFile)),
	);
}

export function describeWriter(lease: Lease): string {
	const host = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	const place = placeOf(lease);
	return `another pi process${host} (pid ${lease.pid}, ${describeState(lease, Date.now())}${place})`;
}

export function openInText(writer: string): string {
	return `This session is open in ${writer}. Two tabs would mix their histories.`;
}

export function openedTwiceText(lease: Lease): string {
	return `this session was opened a second time (pid ${lease.pid}${placeOf(lease)}). Two tabs mix their histories, so close one of them.`;
}

function placeOf({ terminal }: Lease): string {
	const name = terminal && terminalName(terminal);
	return name ? `, on ${name}` : "";
}

export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${safeSessionId(sessionId)}`;
}
