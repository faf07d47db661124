import { dirname } from "node:path";
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { forkFile } from "../../session-core/store/fork-file.ts";
import { repairCopy } from "../../session-core/store/repaired-copy.ts";
import type { Permits } from "../live/permits.ts";
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
	const target = await targetOf(leaving, sessionDir);
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
async function targetOf(leaving: Leaving, sessionDir: string): Promise<Target> {
	if (leaving.act === "open") return { ok: true, path: leaving.path, told: "" };
	const { path, cwd, moved } = leaving;
	const folder = moved ? sessionDir : dirname(path);
	if (leaving.act === "fork") {
		const copy = await forkFile({ path, cwd, folder, entryId: leaving.entryId, now: new Date() });
		if (!copy.ok) return { ok: false, detail: `not forked. ${copy.detail}` };
		return { ...copy, told: "Forked: the other session stays as it is." };
	}
	const repaired = await repairCopy({ path, cwd, folder, now: new Date() });
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

/** Stops the run in the session that is left: the host would let it go on unseen, tools and all, and save nothing of it. */
export async function stopRun(ctx: Pick<Leaver, "isIdle" | "abort" | "waitForIdle">): Promise<void> {
	if (ctx.isIdle()) return;
	ctx.abort();
	await ctx.waitForIdle();
}
