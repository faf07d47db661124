import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { copySession } from "../../session-core/log/index.ts";
import { type ExtensionCommandContext, getAgentDir } from "../../session-core/pi/host/index.ts";
import { otherWriter, permits } from "../live/leases.ts";
import type { Leaving } from "./questions.ts";

export type Leaver = Pick<ExtensionCommandContext, "switchSession" | "isIdle" | "abort" | "waitForIdle"> & {
	sessionManager: Pick<ExtensionCommandContext["sessionManager"], "getSessionDir">;
};

/** The session that is now open, and its screen. Once it is open, the host objects of the previous session throw when they are used. */
interface Arrived {
	session: object;
	ui: Pick<ExtensionCommandContext["ui"], "notify">;
	done: string;
}

/**
 * Opens a session, or a copy of it, in place of the open one. Asks no questions, because the user has already confirmed. Returns undefined
 * if the open session was not left. In that case, `refuse` is called with the reason, unless another extension or the user has refused the
 * switch.
 */
export async function leaveFor(
	leaving: Leaving,
	ctx: Leaver,
	refuse: (why: string) => void,
): Promise<Arrived | undefined> {
	// Otherwise, the host would continue the run and its tools invisibly, and would not save the result.
	if (!ctx.isIdle()) {
		ctx.abort();
		await ctx.waitForIdle();
	}
	const target = await targetOf(leaving, ctx.sessionManager.getSessionDir());
	if (!target.ok) {
		refuse(target.detail);
		return undefined;
	}
	permits.allow(target.path);
	const before = sizeOf(target.path);
	let arrived: Arrived | undefined;
	const { cancelled } = await ctx.switchSession(target.path, {
		withSession: async (next) => {
			arrived = { session: next.sessionManager, ui: next.ui, done: target.done };
		},
	});
	if (!cancelled) return arrived;
	// The switch was refused, for example because the disk is full now. While the user was being asked about it, another pi may have opened
	// the copy. In that case, the copy is a session like any other and must be kept.
	const isUsed =
		sizeOf(target.path) !== before || otherWriter(getAgentDir(), { sessionFile: target.path }) !== undefined;
	if (leaving.act !== "open" && !isUsed) rmSync(target.path, { force: true });
	return undefined;
}

function sizeOf(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.size;
}

type Target = { ok: true; path: string; done: string } | { ok: false; detail: string };

async function targetOf(leaving: Leaving, sessionDir: string): Promise<Target> {
	if (leaving.act === "open") return { ok: true, path: leaving.path, done: "" };
	const { path, cwd, moved } = leaving;
	const folder = moved ? sessionDir : dirname(path);
	const copy = await copySession({ path, cwd, folder, entryId: leaving.entryId, now: new Date() });
	const isFork = leaving.act === "fork";
	if (!copy.ok) return { ok: false, detail: `not ${isFork ? "forked" : "repaired"}. ${copy.detail}` };
	const done = isFork
		? "Forked: the other session is unchanged."
		: `Opened a repaired copy${losses(copy.lost)}. The damaged file is unchanged.`;
	return { ...copy, done };
}

function losses(lines: number): string {
	if (lines === 0) return "; nothing was lost";
	return lines === 1 ? "; 1 line could not be read" : `; ${lines} lines could not be read`;
}
