import { decide } from "../board/decide.ts";
import { leaveFor } from "../board/leave.ts";
import type { Leaving, Row } from "../board/types.ts";
import type { CommandContext } from "../context.ts";
import { type Continuation, waitForInstance } from "../instances.ts";

const DAMAGED =
	"this session's file is damaged. Open it without --at: a repaired copy is made, and has its points.";

/** What is wanted of another session. */
export interface Opening {
	row: Row;
	branch: boolean;
	/** Go on from this entry, in a fork; undefined: from the end. */
	entryId: string | undefined;
	continuation: Continuation;
}

/** Open another session, or a fork of it, ask first where something speaks against it, and go on there. */
export async function openSession(context: CommandContext, opening: Opening): Promise<void> {
	const { commandCtx, host, permits, screen } = context;
	const leaving = await decided(context, opening);
	if (!leaving || !context.session.isLive()) return;
	const { entryId, continuation } = opening;
	const cut = leaving.act === "fork" && entryId !== undefined ? { ...leaving, entryId } : leaving;
	const left = await leaveFor(cut, { ctx: commandCtx, permits, sessionDir: host.folder });
	if (left.ok) {
		if (leaving.act === "repair") left.ui.notify(left.told);
		await (await waitForInstance(left.sessionId))?.goOn(continuation);
	} else if (left.reason === "not_copied") screen.say(`resume-from: ${left.detail}`, "warning");
}

function decided(
	{ agentDir, ctx, host, screen }: CommandContext,
	{ row, branch, entryId }: Opening,
): Promise<Leaving | undefined> {
	return decide(branch || entryId !== undefined ? "fork" : "open", row, {
		ui: ctx.ui,
		facts: {
			agentDir,
			now: Date.now,
			isBusy: () => !ctx.isIdle(),
			hostAsksForCwd: screen.isTerminal(),
		},
		here: host.cwd,
		refuse: (why) => screen.say(`resume-from: ${why}`, "warning"),
		obstacle: ({ damage }) => (damage !== undefined && entryId !== undefined ? DAMAGED : undefined),
	});
}
