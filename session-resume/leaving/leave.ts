import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { copySession } from "../../session-core/log/index.ts";
import { type ExtensionCommandContext, getAgentDir } from "../../session-core/pi/index.ts";
import { isFolder } from "../../session-core/text/index.ts";
import { otherWriter, permits } from "../live/leases.ts";
import type { Leaving } from "./decision.ts";

export type Leaver = Pick<
	ExtensionCommandContext,
	"switchSession" | "isIdle" | "abort" | "waitForIdle" | "cwd"
> & { sessionManager: Pick<ExtensionCommandContext["sessionManager"], "getSessionDir"> };

/**
 * pi's objects for the new session. The objects of the previous session throw errors when they are
 * used.
 */
interface Arrived {
	session: object;
	ui: Pick<ExtensionCommandContext["ui"], "notify">;
	done: string;
}

export async function leaveFor(
	leaving: Leaving,
	ctx: Leaver,
	refuse: (why: string) => void,
): Promise<Arrived | undefined> {
	// The agent is stopped first, because pi does not save replies that arrive after a session switch.
	if (!ctx.isIdle()) {
		ctx.abort();
		await ctx.waitForIdle();
	}
	const target = await targetOf(leaving, ctx);
	if (!target.ok) {
		refuse(target.detail);
		return undefined;
	}
	const { path, done } = target;
	permits.allow(path);
	const before = sizeOf(path);
	let arrived: Arrived | undefined;
	const { cancelled } = await ctx.switchSession(path, {
		withSession: async (next) => {
			arrived = { session: next.sessionManager, ui: next.ui, done };
		},
	});
	if (!cancelled) return arrived;
	// If pi does not open a copied session, the copy is deleted unless another pi process is using it.
	const isUsed = sizeOf(path) !== before || otherWriter(getAgentDir(), { sessionFile: path });
	if (leaving.act !== "open" && !isUsed) rmSync(path, { force: true });
	return undefined;
}

function sizeOf(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.size;
}

async function targetOf(
	{ act, path, cwd, entryId }: Leaving,
	here: Leaver,
): Promise<{ ok: true; path: string; done: string } | { ok: false; detail: string }> {
	if (act === "open") return { ok: true, path, done: "" };
	const place = isFolder(cwd)
		? { cwd, folder: dirname(path) }
		: { cwd: here.cwd, folder: here.sessionManager.getSessionDir() };
	const copy = await copySession({ path, ...place, entryId, now: new Date() });
	if (!copy.ok) return { ok: false, detail: `not ${act === "fork" ? "forked" : "repaired"}. ${copy.detail}` };
	const done =
		act === "fork"
			? "Forked: the other session is unchanged."
			: `Opened a repaired copy; ${losses(copy.lost)}. The damaged file is unchanged.`;
	return { ok: true, path: copy.path, done };
}

function losses(lines: number): string {
	if (lines === 0) return "nothing was lost";
	return lines === 1 ? "1 line could not be read" : `${lines} lines could not be read`;
}
