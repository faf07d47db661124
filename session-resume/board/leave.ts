import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ExtensionCommandContext, SessionManager } from "@mariozechner/pi-coding-agent";
import { repairCopy } from "../../session-core/store/repaired-copy.ts";
import type { Permits } from "../live/permits.ts";
import type { Leaving } from "./types.ts";

export type ForkOutcome = { ok: true; path: string } | { ok: false; detail: string };

type Copying = Exclude<Leaving, { act: "open" }>;

/** What is used of the host's command context. */
interface Leaver extends Pick<ExtensionCommandContext, "switchSession" | "isIdle" | "abort" | "waitForIdle"> {
	ui: Pick<ExtensionCommandContext["ui"], "notify">;
}

/** Open the session, or a copy of it, in place of the one that is open. Who was asked already is not asked again. */
export async function leaveFor(
	leaving: Leaving,
	{ ctx, permits, sessionDir }: { ctx: Leaver; permits: Permits; sessionDir: string },
): Promise<void> {
	await stopRun(ctx);
	if (leaving.act === "open") {
		permits.allow(leaving.path);
		const { cancelled } = await ctx.switchSession(leaving.path);
		// Once the switch is made, this instance is over, and its permits with it.
		if (cancelled) permits.withdraw(leaving.path);
		return;
	}
	const copied = copyFor(leaving, sessionDir);
	if (!copied.ok) {
		ctx.ui.notify(`sessions: ${copied.detail}`, "warning");
		return;
	}
	let next: { ui: Pick<Leaver["ui"], "notify"> } | undefined;
	await ctx.switchSession(copied.path, {
		withSession: async (replaced) => {
			next = replaced;
		},
	});
	// Not before: the host paints the session anew when the switch is complete, and with it what was said until then.
	next?.ui.notify(copied.text);
}

export type CopyOutcome = { ok: true; path: string; text: string } | { ok: false; detail: string };

/** Makes the copy that is opened in place of the session itself; `text` says what was done. */
export function copyFor({ act, path, cwd, moved }: Copying, sessionDir: string): CopyOutcome {
	const folder = moved ? sessionDir : dirname(path);
	if (act === "fork") {
		const forked = forkSession(path, cwd, folder);
		if (!forked.ok) return { ok: false, detail: `not forked. ${forked.detail}` };
		return { ...forked, text: "Forked: the other session stays as it is." };
	}
	const repaired = repairCopy({ path, cwd, folder, now: new Date() });
	if (!repaired.ok) return { ok: false, detail: `not repaired. ${repaired.detail}` };
	return {
		...repaired,
		text: `Opened a repaired copy${losses(repaired.lost)}. The damaged file stays as it is.`,
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

/**
 * Copies a session with the host's own means. They write entry by entry, so it is done aside and put in place whole: a full disk
 * leaves nothing behind.
 */
export function forkSession(path: string, cwd: string, folder: string): ForkOutcome {
	let aside: string | undefined;
	try {
		mkdirSync(folder, { recursive: true });
		aside = mkdtempSync(join(folder, ".fork-"));
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
