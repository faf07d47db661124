import { dirname } from "node:path";
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { openSessionFile } from "../../session-core/store/session-file.ts";
import { factsOf } from "../board/facts.ts";
import { copyFor } from "../board/leave.ts";
import { pickedChoice } from "../board/plain.ts";
import { leavingFor, questionOf } from "../board/question.ts";
import type { Leaving, Row } from "../board/types.ts";
import type { CommandDesk } from "../desk.ts";
import { instanceOf, type Order } from "../handover.ts";
import { forkAt } from "./fork-at.ts";

/** The host's current format. Forking an older file, it would rewrite that one, or copy what it cannot read. */
const HOST_VERSION = 3;
const OLD_FORMAT =
	"resume-from: this session is in an old format. Open it once without --branch and --at: pi brings it up to date.";

const DAMAGED =
	"resume-from: this session's file is damaged. Open it without --at: a repaired copy is made, and has its points.";

/** What is wanted of another session. */
export interface Opening {
	row: Row;
	branch: boolean;
	/** Go on from this entry, in a fork; undefined: from the end. */
	entryId: string | undefined;
	order: Order;
}

/** Open another session, or a fork of it, ask first where something speaks against it, and go on there. */
export async function openSession(desk: CommandDesk, opening: Opening): Promise<void> {
	const leaving = await decide(desk, opening);
	if (!leaving) return;
	const opened = leaving.act === "open" ? { path: leaving.path } : copyOf(desk, leaving, opening);
	if (!opened) return;
	const { path, told } = opened;
	// Who was asked already is not asked again by the hook before the switch.
	desk.permits.allow(path);
	const sessionId = await switchTo(desk.commandCtx, path, told);
	if (sessionId === undefined) {
		desk.permits.withdraw(path);
		return;
	}
	const instance = await instanceOf(sessionId);
	await instance?.goOn(opening.order);
}

async function decide(desk: CommandDesk, { row, branch, entryId }: Opening): Promise<Leaving | undefined> {
	const { ctx, host, screen } = desk;
	const act = branch || entryId !== undefined ? "fork" : "open";
	const facts = factsOf(act, row, {
		agentDir: desk.agentDir,
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

function copyOf(
	{ host, screen }: CommandDesk,
	leaving: Exclude<Leaving, { act: "open" }>,
	{ entryId }: Opening,
): { path: string; told?: string } | undefined {
	if (leaving.act === "fork" && isOldFormat(leaving.path)) {
		screen.say(OLD_FORMAT, "warning");
		return undefined;
	}
	if (entryId === undefined || leaving.act === "repair") {
		const copied = copyFor(leaving, host.folder);
		if (copied.ok) return { path: copied.path, ...(leaving.act === "repair" && { told: copied.text }) };
		screen.say(`resume-from: ${copied.detail}`, "warning");
		return undefined;
	}
	const folder = leaving.moved ? host.folder : dirname(leaving.path);
	const forked = forkAt({ path: leaving.path, entryId, cwd: leaving.cwd, folder });
	if (forked.ok) return { path: forked.path };
	screen.say(`resume-from: not forked. ${forked.detail}`, "warning");
	return undefined;
}

function isOldFormat(path: string): boolean {
	const opened = openSessionFile(path);
	return opened.ok && (opened.session.header?.version ?? 1) < HOST_VERSION;
}

/** The session that is open after the switch; undefined: the user or an extension cancelled it. */
async function switchTo(
	ctx: Pick<ExtensionCommandContext, "switchSession">,
	path: string,
	told: string | undefined,
): Promise<string | undefined> {
	let opened: Pick<ExtensionCommandContext, "sessionManager" | "ui"> | undefined;
	await ctx.switchSession(path, {
		withSession: async (next) => {
			opened = next;
		},
	});
	// Not before: the host paints the session anew when the switch is complete, and with it what was said until then.
	if (told !== undefined) opened?.ui.notify(told);
	return opened?.sessionManager.getSessionId();
}
