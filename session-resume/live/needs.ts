import { mkdirSync } from "node:fs";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { watchFolder } from "../../session-core/catalog/watch.ts";
import { hostTui } from "../../session-core/host/tui.ts";
import { type Lease, liveLeases } from "../../session-core/live/lease-files.ts";
import { HEARTBEAT_MS, liveFolder } from "../../session-core/live/liveness.mjs";
import { needsUserElsewhere } from "./next-waiting.ts";
import { ownLeases } from "./writers.ts";

export interface NeedsDeps {
	agentDir: string;
	/** The session that is open here. */
	sessionId: string;
	/** Called whenever the number of other sessions that need the user changes, and at the beginning if that number is not 0. */
	changed(count: number): void;
}

/** Number of milliseconds to wait for further events, because one change causes several events. */
const CALM_MS = 100;

/**
 * Counts the other sessions that need their user. The count is updated without polling, whenever a lease is written or removed. While
 * there are such sessions, their processes are also checked at every heartbeat, because a killed process does not remove its lease.
 * Returns a function that ends the counting.
 */
export function watchNeeds({ agentDir, sessionId, changed }: NeedsDeps): () => void {
	const folder = liveFolder(agentDir);
	let count = 0;
	let calm: NodeJS.Timeout | undefined;
	let recheck: NodeJS.Timeout | undefined;

	function look(): void {
		clearTimeout(calm);
		clearTimeout(recheck);
		calm = undefined;
		// The folder may have been deleted, so it is created again.
		makeFolder(folder);
		watch.renew();
		const before = count;
		count = needCount(liveLeases(agentDir, Date.now()), { sessionId, own: ownLeases });
		if (count > 0) recheck = setTimeout(look, HEARTBEAT_MS).unref();
		if (count !== before) changed(count);
	}

	makeFolder(folder);
	const watch = watchFolder(folder, (event) => {
		// A heartbeat only touches a file, which is reported as `change`. A new lease replaces the file, which is reported as `rename`.
		if (event === "rename") calm ??= setTimeout(look, CALM_MS).unref();
	});
	// Without a watcher, the number would become outdated, so no number is shown.
	if (watch.isOn) look();
	return () => {
		clearTimeout(calm);
		clearTimeout(recheck);
		watch.end();
	};
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch {
		// The folder cannot be created, so there is nothing to watch.
	}
}

/**
 * Returns the number of sessions that need the user, including those that failed unseen. A session that is open twice counts once; the session that is open here does not
 * count.
 */
export function needCount(
	leases: readonly Pick<Lease, "instance" | "sessionId" | "state">[],
	{ sessionId, own }: { sessionId: string; own: ReadonlySet<string> },
): number {
	const others = leases.filter((lease) => needsUserElsewhere(lease, { sessionId, own }));
	return new Set(others.map((lease) => lease.sessionId)).size;
}

const KEY = "session-resume:needs";

/**
 * Returns a text with the number of other sessions that need the user and the key that opens the board; undefined if there are no such
 * sessions.
 */
export function needsText(count: number, key: string | undefined): string | undefined {
	return count === 0
		? undefined
		: [`◆ ${count} need${count === 1 ? "s" : ""} you`, key].filter(Boolean).join(" · ");
}

export interface FooterDeps {
	ui: Pick<ExtensionContext["ui"], "setStatus" | "setWidget" | "theme">;
	agentDir: string;
	sessionId: string;
	/** The key that opens the board, if there is one. */
	key: string | undefined;
}

/** Shows in the footer how many other sessions need the user. Returns a function that removes this display. */
export function showNeeds({ ui, agentDir, sessionId, key }: FooterDeps): () => void {
	let shown: string | undefined;
	const endWatch = watchNeeds({ agentDir, sessionId, changed: show });

	function show(count: number): void {
		shown = needsText(count, key);
		// Output for a program must not contain escape sequences.
		const isPainted = shown !== undefined && hostTui(ui, KEY) !== undefined;
		ui.setStatus(KEY, isPainted && shown !== undefined ? ui.theme.fg("dim", shown) : shown);
	}

	return () => {
		endWatch();
		if (shown !== undefined) ui.setStatus(KEY, undefined);
	};
}
