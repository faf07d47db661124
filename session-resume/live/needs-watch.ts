import { watchFolder } from "../../session-core/store/folder-watch.ts";
import { HEARTBEAT_MS, type Lease, liveFolder } from "../../session-core/store/lease.ts";
import { liveLeases } from "../../session-core/store/live.ts";
import { needSignalFolder } from "../../session-core/store/need-signal.ts";
import { ownLeases } from "./own.ts";

export interface NeedsDeps {
	agentDir: string;
	/** The session that is open here. */
	sessionId: string;
	now(): number;
	/** How many other sessions need their user; told when it is another number than before, at first if it is not 0. */
	changed(count: number): void;
	/** Default: the live ones. */
	leases?: () => Lease[];
}

/** A change comes as several events, and sessions end together. In milliseconds. */
const CALM_MS = 100;

/**
 * Counts the other sessions that need their user, whenever one tells that this changed. Nothing runs in between; only while there
 * are some, it is looked once a heartbeat whether their processes live: a killed one tells nothing. Returns the way to end it.
 */
export function watchNeeds({ agentDir, sessionId, now, changed, leases }: NeedsDeps): () => void {
	let count = 0;
	let calm: NodeJS.Timeout | undefined;
	let doubt: NodeJS.Timeout | undefined;

	function look(): void {
		clearTimeout(calm);
		clearTimeout(doubt);
		calm = undefined;
		const before = count;
		count = needCount(leases?.() ?? liveLeases(agentDir, now()), { sessionId, own: ownLeases });
		if (count > 0) doubt = setTimeout(look, HEARTBEAT_MS).unref();
		if (count !== before) changed(count);
	}

	const watch = watchFolder(needSignalFolder(liveFolder(agentDir)), () => {
		calm ??= setTimeout(look, CALM_MS).unref();
	});
	// A number that nothing corrects is worse than none.
	if (watch.isOn()) look();
	return () => {
		clearTimeout(calm);
		clearTimeout(doubt);
		watch.end();
	};
}

/** Sessions that need their user; one that is open twice counts once, and the one that is open here never. */
export function needCount(
	leases: readonly Pick<Lease, "instance" | "sessionId" | "state">[],
	{ sessionId, own }: { sessionId: string; own: ReadonlySet<string> },
): number {
	const others = leases.filter(
		(lease) => lease.state === "needs_you" && lease.sessionId !== sessionId && !own.has(lease.instance),
	);
	return new Set(others.map((lease) => lease.sessionId)).size;
}
