import { isBranching } from "../../session-core/recap/index.ts";
import type { SessionView } from "../../session-core/sessions/index.ts";
import { shownPath } from "../../session-core/text/index.ts";
import { openInText } from "../live/leases.ts";

/** Returns true if resuming the session creates a fork instead of continuing the original. */
export function branches({ recap, id }: SessionView): boolean {
	return isBranching(recap, id);
}

export type Act = "open" | "fork";

export interface Leaving {
	act: "open" | "fork" | "repair";
	path: string;
	cwd: string;
	/** The id of the fork's last entry. If undefined, the fork contains the whole session. */
	entryId?: string;
}

interface Question<Answer> {
	text: string;
	choices: readonly { label: string; value: Answer | undefined }[];
}

export interface Asking {
	ask<Answer>(question: Question<Answer>): Promise<Answer | undefined>;
	say(text: string, kind: "info" | "warning"): void;
}

/**
 * Facts about a session. They are determined right before an action, because the list of sessions may
 * be several seconds old.
 */
export interface Facts {
	row: SessionView;
	/** The reason why pi must not open the session: pi would exit or empty the session's file. */
	blocked: string | undefined;
	damaged: boolean;
	cwdExists: boolean;
	writer: string | undefined;
	canGo: boolean;
	busy: boolean;
	/** If the session's folder no longer exists, pi asks for another folder, but only in a terminal. */
	hostAsksForCwd: boolean;
}

export type Decision =
	| { type: "refuse"; why: string }
	| { type: "leave"; leaving: Leaving }
	/** `goesThere` is true if the terminal that has the session open can be brought to the front. */
	| { type: "ask"; question: Question<Leaving>; goesThere: boolean };

/**
 * If `isOneKey` is true, the user must confirm a fork, because a single key press can start one by
 * accident.
 */
export function decisionOn(
	act: Act,
	facts: Facts,
	{ here, isOneKey }: { here: string; isOneKey: boolean },
): Decision {
	const { row, blocked, canGo, damaged } = facts;
	if (blocked !== undefined) return { type: "refuse", why: blocked };
	const isConfirmed = act === "fork" && isOneKey;
	const question = doubtsOn(act, facts, here) ?? (isConfirmed ? forkQuestion(facts, here) : undefined);
	if (!question) return { type: "leave", leaving: to(act, row) };
	return { type: "ask", question, goesThere: act === "open" && canGo && !damaged };
}

function to(act: Leaving["act"], { path, cwd }: SessionView): Leaving {
	return { act, path, cwd };
}

const DAMAGED =
	"This session's file is damaged, so pi could lose part of it. You can open a copy of everything that can be read; the file itself is not changed.";

type Offer = Question<Leaving>["choices"][number];

const STAY: Offer = { label: "Stay: let the agent continue", value: undefined };
const CANCEL: Offer = { label: "Cancel", value: undefined };

/**
 * Combines all warnings about an action into one question. The first choice in the dialog never causes
 * data loss.
 */
function doubtsOn(act: Act, facts: Facts, here: string): Question<Leaving> | undefined {
	const { row, busy, writer } = facts;
	const isRepair = facts.damaged && act === "open";
	const isElsewhere = writer !== undefined && act === "open";
	const isGone = !facts.cwdExists && !(act === "open" && facts.hostAsksForCwd);
	const doubts = [
		isRepair && DAMAGED,
		isElsewhere && !isRepair && openInText(writer),
		busy && "The agent is still working here. Leaving this session stops it.",
		isGone &&
			!isRepair &&
			`Its folder ${row.project || "?"} is gone. A fork would continue in ${shownPath(here)}.`,
	].filter(Boolean);
	if (doubts.length === 0) return undefined;
	const fork = forkChoice(facts, here);
	const value = to("open", row);
	let choices = isElsewhere ? [fork, { label: "Open anyway", value }] : [{ label: "Open it", value }];
	// If a session's folder is missing and pi cannot ask for another folder, the session can only be forked.
	if (act === "fork" || isGone) choices = [fork];
	if (isRepair) choices = [{ label: "Open a repaired copy", value: to("repair", row) }];
	return { text: doubts.join(" "), choices: busy ? [STAY, ...choices] : [...choices, CANCEL] };
}

function forkQuestion(facts: Facts, here: string): Question<Leaving> {
	const { row, cwdExists } = facts;
	const fork = forkChoice(facts, here);
	if (!branches(row) || !cwdExists) {
		const text = `Continue “${row.title}” in a copy? The original stays unchanged.`;
		return { text, choices: [fork, CANCEL] };
	}
	const open = { label: "Open the session itself", value: to("open", row) };
	return { text: `“${row.title}” is set to be resumed in a copy.`, choices: [fork, open, CANCEL] };
}

function forkChoice({ row, cwdExists }: Facts, here: string): Offer {
	const where = cwdExists ? "" : `, in ${shownPath(here)}`;
	return { label: `Fork: continue in a copy${where}`, value: to("fork", row) };
}
