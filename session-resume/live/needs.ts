import { mkdirSync } from "node:fs";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { watchFolder } from "../../session-core/catalog/watch.ts";
import { hostTui } from "../../session-core/host/tui.ts";
import { type Lease, liveLeases } from "../../session-core/live/lease.ts";
import { HEARTBEAT_MS, liveFolder } from "../../session-core/live/liveness.mjs";
import type { Wordbook } from "../../session-core/words/wordbook.ts";
import type { Words } from "../../session-core/words/words.ts";
import { ownLeases } from "./writers.ts";

export interface NeedsDeps {
	agentDir: string;
	/** The session that is open here. */
	sessionId: string;
	/** Called with the number of other sessions that need their user when it changes; at first if it is not 0. */
	changed(count: number): void;
}

/** Time in milliseconds for which events are collected, because one change causes several events. */
const CALM_MS = 100;

/**
 * Counts the other sessions that need their user whenever a lease is written or removed; nothing polls. Only while there are some,
 * their processes are checked once a heartbeat, because a killed one removes nothing. Returns the function that ends it.
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
		// The folder may have been deleted.
		makeFolder(folder);
		watch.renew();
		const before = count;
		count = needCount(liveLeases(agentDir, Date.now()), { sessionId, own: ownLeases });
		if (count > 0) recheck = setTimeout(look, HEARTBEAT_MS).unref();
		if (count !== before) changed(count);
	}

	makeFolder(folder);
	const watch = watchFolder(folder, (event) => {
		// A heartbeat only touches a file (`change`); a lease is put in place whole (`rename`).
		if (event === "rename") calm ??= setTimeout(look, CALM_MS).unref();
	});
	// Without a watcher, the number would not be updated, so none is shown.
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
		// Nothing can be written here, so there is nothing to watch.
	}
}

/** Returns the sessions that need their user; one that is open twice counts once, and the one that is open here never. */
export function needCount(
	leases: readonly Pick<Lease, "instance" | "sessionId" | "state">[],
	{ sessionId, own }: { sessionId: string; own: ReadonlySet<string> },
): number {
	const others = leases.filter(
		(lease) => lease.state === "needs_you" && lease.sessionId !== sessionId && !own.has(lease.instance),
	);
	return new Set(others.map((lease) => lease.sessionId)).size;
}

const KEY = "session-resume:needs";

/** How many other sessions need their user, and the key that opens the board. Undefined for 0. */
export function needsText(
	count: number,
	key: string | undefined,
	{ live }: Pick<Words, "live">,
): string | undefined {
	return count === 0 ? undefined : [`◆ ${live.needYou(count)}`, key].filter(Boolean).join(" · ");
}

export interface FooterDeps {
	ui: Pick<ExtensionContext["ui"], "setStatus" | "setWidget" | "theme">;
	agentDir: string;
	sessionId: string;
	/** The key of the board, if it has one. */
	key: string | undefined;
	wordbook: Pick<Wordbook, "words" | "loading">;
}

/** Shows in the footer how many other sessions need their user. Returns the function that ends it. */
export function showNeeds({ ui, agentDir, sessionId, key, wordbook }: FooterDeps): () => void {
	let shown: string | undefined;
	let isOver = false;
	const endWatch = watchNeeds({ agentDir, sessionId, changed: (count) => void show(count) });

	async function show(count: number): Promise<void> {
		await wordbook.loading;
		if (isOver) return;
		shown = needsText(count, key, wordbook.words);
		// A program gets no escape sequences.
		const isPainted = shown !== undefined && hostTui(ui, KEY) !== undefined;
		ui.setStatus(KEY, isPainted && shown !== undefined ? ui.theme.fg("dim", shown) : shown);
	}

	return () => {
		isOver = true;
		endWatch();
		if (shown !== undefined) ui.setStatus(KEY, undefined);
	};
}
