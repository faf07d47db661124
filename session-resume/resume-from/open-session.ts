import { factsOf } from "../board/facts.ts";
import { leaveFor } from "../board/leave.ts";
import { pickedChoice } from "../board/plain.ts";
import { leavingFor, questionOf } from "../board/question.ts";
import type { Leaving, Row } from "../board/types.ts";
import type { CommandContext } from "../context.ts";
import { type Continuation, waitForInstance } from "../instances.ts";

const DAMAGED =
	"resume-from: this session's file is damaged. Open it without --at: a repaired copy is made, and has its points.";

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
	const leaving = await decide(context, opening);
	if (!leaving || !context.session.isLive()) return;
	const { entryId, continuation } = opening;
	const cut = leaving.act === "fork" && entryId !== undefined ? { ...leaving, entryId } : leaving;
	const left = await leaveFor(cut, { ctx: commandCtx, permits, sessionDir: host.folder });
	if (left.ok) {
		if (leaving.act === "repair") left.ui.notify(left.told);
		await (await waitForInstance(left.sessionId))?.goOn(continuation);
	} else if (left.reason === "not_copied") screen.say(`resume-from: ${left.detail}`, "warning");
}

async function decide(
	context: CommandContext,
	{ row, branch, entryId }: Opening,
): Promise<Leaving | undefined> {
	const { ctx, host, screen } = context;
	const act = branch || entryId !== undefined ? "fork" : "open";
	const facts = await factsOf(act, row, {
		agentDir: context.agentDir,
		now: Date.now,
		isBusy: () => !ctx.isIdle(),
		hostAsksForCwd: screen.isTerminal(),
	});
	if (facts.blocked !== undefined) {
		screen.say(`resume-from: ${facts.blocked}`, "warning");
		return undefined;
	}
	if (facts.damage !== undefined && entryId !== undefined) {
		screen.say(DAMAGED, "warning");
		return undefined;
	}
	const question = questionOf(act, facts, host.cwd);
	if (!question) return leavingFor(act, facts, host.cwd);
	const labels = question.choices.map(({ label }) => label);
	return pickedChoice(question, await ctx.ui.select(question.text, labels))?.leads;
}
