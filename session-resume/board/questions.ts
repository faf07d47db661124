import type { Choice } from "../../session-core/pi/host/index.ts";
import { projectOf } from "../../session-core/sessions/index.ts";
import type { Acts, Facts } from "./acts.ts";

/** The questions that are asked before a session is left, forked or deleted. They are used by the board and by the host's dialogs. */

/**
 * What is opened in place of the current session. `repair`: a copy of everything that can be read from a damaged session. `cwd`: the folder
 * in which the copy runs. `moved`: whether that folder differs from the one in which the session ran. `entryId`: the last entry of the
 * fork, if the fork ends before the session does.
 */
export type Leaving =
	| { act: "open"; path: string }
	| { act: "fork" | "repair"; path: string; cwd: string; moved: boolean; entryId?: string };

/** The choice with which the board was closed. A session that pi cannot open is handed over to a new pi session. */
export type Chosen = Leaving | { act: "hand_over"; path: string };

export interface BoardQuestion<Answer> {
	text: string;
	choices: readonly Choice<Answer | undefined>[];
}

interface DecidePorts extends Pick<Acts, "here" | "facts" | "go"> {
	ask<Answer>(question: BoardQuestion<Answer>): Promise<Answer | undefined>;
	say(text: string, kind: "info" | "warning"): void;
	/** A single key must not fork without a question; on a live session it switches to that terminal at once. */
	isOneKey: boolean;
}

/** Undefined if nothing is to be opened. The user then needs no further message. */
export async function decide(
	act: "open" | "fork",
	row: Facts["row"],
	ports: DecidePorts,
): Promise<Leaving | undefined> {
	const { here, isOneKey } = ports;
	const facts = await ports.facts(act, row);
	if (facts.blocked !== undefined) {
		ports.say(facts.blocked, "warning");
		return undefined;
	}
	const confirmation = act === "fork" && isOneKey ? forkQuestion(facts, here) : undefined;
	const question = questionOf(act, facts, here) ?? confirmation;
	if (!question) return leavingFor(act, facts, here);
	if (act === "fork" || !facts.canGo || facts.damaged) return ports.ask(question);
	if (!isOneKey) {
		const goThere = { label: "Go there", value: "go" as const };
		const answer = await ports.ask<Leaving | "go">({
			text: question.text,
			choices: [goThere, ...question.choices],
		});
		if (answer !== "go") return answer;
	}
	const { ok, message } = await ports.go(row);
	if (!ok) return ports.ask({ ...question, text: `${message} ${question.text}` });
	ports.say(message, "info");
	return undefined;
}

/** Returns one question that covers all conditions of an action, or undefined if there are none. The first choice does no harm. */
function questionOf(act: "open" | "fork", facts: Facts, here: string): BoardQuestion<Leaving> | undefined {
	const { busy, writer, damaged } = facts;
	const busyDoubt = busy ? ["The agent is still working here. Leaving this session stops it."] : [];
	if (damaged && act === "open") {
		const repair = { label: "Open a repaired copy", value: leavingFor("repair", facts, here) };
		return {
			text: [DAMAGED, ...busyDoubt].join(" "),
			choices: busy ? [STAY, repair] : [repair, CANCEL],
		};
	}
	const hostAsks = act === "open" && facts.hostAsksForCwd;
	const doubts = [
		...(writer !== undefined && act === "open"
			? [`This session is open in ${writer}. Two tabs would mix their histories.`]
			: []),
		...busyDoubt,
		...(facts.cwdExists || hostAsks
			? []
			: [
					`Its folder ${projectOf(facts.row.cwd) || "?"} is gone. A fork would continue in ${projectOf(here)}.`,
				]),
	];
	if (doubts.length === 0) return undefined;
	const choices = act === "fork" ? [forkChoice(facts, here)] : openingChoices(facts, here);
	// If a run is active, every other choice stops it, so the first choice keeps the current session open.
	return { text: doubts.join(" "), choices: busy ? [STAY, ...choices] : [...choices, CANCEL] };
}

function forkQuestion(facts: Facts, here: string): BoardQuestion<Leaving> {
	const fork = forkChoice(facts, here);
	const { title, branches } = facts.row;
	if (!branches || !facts.cwdExists)
		return { text: `Continue “${title}” in a copy? The original stays unchanged.`, choices: [fork, CANCEL] };
	const open = { label: "Open the session itself", value: leavingFor("open", facts, here) };
	return { text: `“${title}” is set to be resumed in a copy.`, choices: [fork, open, CANCEL] };
}

const DAMAGED =
	"The file of this session is damaged, so pi could lose part of it. You can open a copy of everything that can be read; the file itself is not changed.";

const STAY: Choice<undefined> = { label: "Stay: let the agent continue", value: undefined };
const CANCEL: Choice<undefined> = { label: "Cancel", value: undefined };

function forkChoice(facts: Facts, here: string): Choice<Leaving> {
	const label = facts.cwdExists
		? "Fork: continue in a copy"
		: `Fork: continue in a copy, in ${projectOf(here)}`;
	return { label, value: leavingFor("fork", facts, here) };
}

function openingChoices(facts: Facts, here: string): Choice<Leaving>[] {
	const fork = forkChoice(facts, here);
	// If the session's folder no longer exists, the session can continue only in a different folder. If the host does not ask for one, the
	// session must be forked.
	if (!facts.cwdExists && !facts.hostAsksForCwd) return [fork];
	const value = leavingFor("open", facts, here);
	return facts.writer === undefined ? [{ label: "Open it", value }] : [fork, { label: "Open anyway", value }];
}

function leavingFor(act: Leaving["act"], { row, cwdExists }: Facts, here: string): Leaving {
	if (act === "open") return { act, path: row.path };
	const moved = !cwdExists || row.cwd === "";
	return { act, path: row.path, cwd: moved ? here : row.cwd, moved };
}

type Change = "archive" | "unarchive" | "trash" | "for_good";

const NAMED = 5;

interface Changing {
	skipped?: number;
	/** The reason why the sessions can only be deleted permanently. */
	why?: string;
}

const ACTIONS: Readonly<Record<Change, (what: string) => string>> = {
	archive: (what) => `Archive ${what}`,
	unarchive: (what) => `Unarchive ${what}`,
	trash: (what) => `Move ${what} to the trash`,
	for_good: (what) => `Delete ${what} permanently`,
};

/**
 * Returns the question that is asked before sessions are archived or deleted. It is asked for a single session, too, as in the host's
 * picker, because a single key must not delete a session. If the sessions could not be restored, the first choice keeps them.
 */
export function changeQuestion(
	change: Change,
	rows: readonly { title: string }[],
	{ skipped = 0, why = "No trash is available." }: Changing = {},
): BoardQuestion<Change> {
	const titles = rows.slice(0, NAMED).map(({ title }) => `“${title}”`);
	const more = rows.length > NAMED ? [`${rows.length - NAMED} more`] : [];
	const list = [...titles, ...more].join(", ");
	const [which, them] = rows.length === 1 ? [list, "it"] : [`${countText(rows.length)} (${list})`, "them"];
	const action = ACTIONS[change];
	const keep = { label: `Keep ${them}`, value: undefined };
	const act = { label: action(them), value: change };
	const isFinal = change === "for_good";
	const question = isFinal ? `${why} ${action(which)}? This cannot be undone.` : `${action(which)}?`;
	return { text: question + skippedText(skipped), choices: isFinal ? [keep, act] : [act, keep] };
}

export function changedText(
	change: Change | "gone",
	count: number,
	{ skipped = 0, kept = [] }: Pick<Changing, "skipped"> & { kept?: readonly string[] },
): string {
	const isArchiving = change === "archive" || change === "unarchive";
	if (count === 1 && kept[0] !== undefined) return `Not ${isArchiving ? "saved" : "deleted"}: ${kept[0]}`;
	const done = count === 1 ? "" : ` ${countText(count - kept.length)}`;
	const texts = {
		archive: `Archived${done}.`,
		unarchive: `Unarchived${done}.`,
		trash: `Moved${done} to the trash.`,
		for_good: `Deleted${done}.`,
		gone: "The session was already deleted.",
	};
	const left = kept.length === 0 ? "" : ` ${countText(kept.length)} kept: ${kept[0]}`;
	return `${texts[change]}${skippedText(skipped)}${left}`;
}

function countText(count: number): string {
	return `${count} session${count === 1 ? "" : "s"}`;
}

function skippedText(count: number): string {
	if (count === 0) return "";
	return count === 1
		? " 1 session is open and stays as it is."
		: ` ${count} sessions are open and stay as they are.`;
}
