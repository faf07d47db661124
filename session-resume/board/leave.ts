import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ExtensionCommandContext, SessionManager } from "@mariozechner/pi-coding-agent";
import { sweepTemporaries, temporaryName } from "../../session-core/store/atomic-file.ts";
import { repairCopy } from "../../session-core/store/repaired-copy.ts";
import { openSessionFile } from "../../session-core/store/session-file.ts";
import type { Permits } from "../live/permits.ts";
import { type ForkOutcome, forkAt } from "../resume-from/fork-at.ts";
import type { Leaving } from "./types.ts";

/** What is used of the host's command context. */
export interface Leaver
	extends Pick<ExtensionCommandContext, "switchSession" | "isIdle" | "abort" | "waitForIdle"> {}

export interface LeaveDeps {
	ctx: Leaver;
	permits: Permits;
	/** Where sessions of the current project stand. */
	sessionDir: string;
}

/** The session that is open now, and what may still speak to the user in it. Everything of the old one is over. */
export interface Arrived {
	ok: true;
	sessionId: string;
	ui: Pick<ExtensionCommandContext["ui"], "notify">;
	/** What was done to open it, in words; empty where it is the session itself. */
	told: string;
}

/** `cancelled`: an extension said no, or the user did. */
export type LeaveOutcome =
	| Arrived
	| { ok: false; reason: "cancelled" }
	| { ok: false; reason: "not_copied"; detail: string };

/** Open the session, or a copy of it, in place of the one that is open. Who was asked already is not asked again. */
export async function leaveFor(
	leaving: Leaving,
	{ ctx, permits, sessionDir }: LeaveDeps,
): Promise<LeaveOutcome> {
	await stopRun(ctx);
	const target = targetOf(leaving, sessionDir);
	if (!target.ok) return { ok: false, reason: "not_copied", detail: target.detail };
	permits.allow(target.path);
	let arrived: Arrived | undefined;
	await ctx.switchSession(target.path, {
		withSession: async (next) => {
			arrived = { ok: true, sessionId: next.sessionManager.getSessionId(), ui: next.ui, told: target.told };
		},
	});
	if (arrived) return arrived;
	// Once a switch is made, this instance is over, and its permits with it.
	permits.withdraw(target.path);
	return { ok: false, reason: "cancelled" };
}

type Target = { ok: true; path: string; told: string } | { ok: false; detail: string };

/** The file that is opened: the session's own, or a copy of it; `told` says what was done. */
function targetOf(leaving: Leaving, sessionDir: string): Target {
	if (leaving.act === "open") return { ok: true, path: leaving.path, told: "" };
	const { path, cwd, moved } = leaving;
	const folder = moved ? sessionDir : dirname(path);
	if (leaving.act === "fork") {
		const copy = forked(leaving, folder);
		if (!copy.ok) return { ok: false, detail: `not forked. ${copy.detail}` };
		return { ...copy, told: "Forked: the other session stays as it is." };
	}
	const repaired = repairCopy({ path, cwd, folder, now: new Date() });
	if (!repaired.ok) return { ok: false, detail: `not repaired. ${repaired.detail}` };
	return {
		...repaired,
		told: `Opened a repaired copy${losses(repaired.lost)}. The damaged file stays as it is.`,
	};
}

function losses(lines: number): string {
	if (lines === 0) return "; nothing was lost";
	return lines === 1 ? "; 1 line could not be read" : `; ${lines} lines could not be read`;
}

function forked({ path, cwd, entryId }: Exclude<Leaving, { act: "open" }>, folder: string): ForkOutcome {
	const opened = openSessionFile(path);
	if (opened.ok && (opened.session.header?.version ?? 1) < HOST_VERSION)
		return { ok: false, detail: OLD_FORMAT };
	return entryId === undefined ? forkSession(path, cwd, folder) : forkAt({ path, entryId, cwd, folder });
}

/** The host's current format. Forking an older file, it would rewrite that one, or copy what it cannot read. */
const HOST_VERSION = 3;
const OLD_FORMAT = "This session is in an old format. Open it once instead: pi brings it up to date.";

/** Stops the run in the session that is left: the host would let it go on unseen, tools and all, and save nothing of it. */
export async function stopRun(ctx: Pick<Leaver, "isIdle" | "abort" | "waitForIdle">): Promise<void> {
	if (ctx.isIdle()) return;
	ctx.abort();
	await ctx.waitForIdle();
}

/**
 * Copies a session with the host's own means. They write entry by entry, so it is done aside and put in place whole: a full disk
 * leaves nothing behind, and what a killed process left is gone with the next fork.
 */
export function forkSession(path: string, cwd: string, folder: string): ForkOutcome {
	let aside: string | undefined;
	try {
		mkdirSync(folder, { recursive: true });
		const hidden = join(folder, ".fork");
		sweepTemporaries(hidden);
		aside = temporaryName(hidden);
		mkdirSync(aside, { mode: 0o700 });
		const copy = SessionManager.forkFrom(path, cwd, aside).getSessionFile();
		if (copy === undefined) return { ok: false, detail: "The host wrote no file." };
		const place = join(folder, basename(copy));
		renameSync(copy, place);
		return { ok: true, path: place };
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	} finally {
		if (aside !== undefined) rmSync(aside, { recursive: true, force: true });
	}
}
