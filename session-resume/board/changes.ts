import type { WriteOutcome } from "../../session-core/atomic-file.ts";
import { type DeleteHow, type DeleteOutcome, fileErrorText } from "../../session-core/session-file/index.ts";
import type { Acts } from "./acts.ts";
import type { List } from "./list.ts";
import { type BoardQuestion, changedText, changeQuestion } from "./questions.ts";
import type { Row } from "./row.ts";

/** Deleting and archiving sessions: each action asks first, and says what has happened. */

export interface Attempt {
	acts: Acts;
	/** Whether the user has not started another action. */
	isLast(): boolean;
	/** Resolves to undefined if the question was not answered or could not be shown. */
	ask<Answer>(question: BoardQuestion<Answer>): Promise<Answer | undefined>;
	say(text: string, kind: "info" | "warning"): void;
	forget(row: Row): void;
	unselect(): void;
}

export async function changeSelected(key: "archive" | "delete", list: List, it: Attempt): Promise<void> {
	const { selected, openPath, marks } = list;
	const all = list.rows.filter(({ path }) => selected.has(path));
	const rows = all.filter(({ path, live }) => path !== openPath && !live);
	const skipped = all.length - rows.length;
	if (rows.length === 0) {
		it.say("Nothing to do: the selected sessions are open or gone.", "warning");
		return;
	}
	if (key === "delete") return deleteSessions(rows, it, skipped);
	const change = rows.every(({ mark }) => marks.archived.has(mark)) ? "unarchive" : "archive";
	if ((await it.ask(changeQuestion(change, rows, { skipped }))) === undefined) return;
	const outcomes = rows.map((row) => it.acts.setMark(row, "archived", change === "archive"));
	it.unselect();
	report(change, outcomes, it, skipped);
}

/** Deletes sessions. Those that cannot be moved to the trash are deleted permanently if the user agrees. */
export async function deleteSessions(rows: readonly Row[], it: Attempt, skipped = 0): Promise<void> {
	const { acts, ask } = it;
	const [first] = rows;
	if (!first) return;
	const facts = await acts.facts("delete", first);
	// Of several sessions, each that must not be deleted is kept.
	if (rows.length === 1 && facts.blocked !== undefined) {
		if (it.isLast()) it.say(facts.blocked, "warning");
		return;
	}
	const how = facts.trash ? "trash" : "for_good";
	if ((await ask(changeQuestion(how, rows, { skipped }))) === undefined) return;
	const outcomes = new Map<Row, DeleteOutcome>();
	for (const row of rows) outcomes.set(row, await removed(row, how, it));
	const stuck = rows.flatMap((row) => {
		const outcome = outcomes.get(row);
		return outcome?.ok === false && outcome.reason === "no_trash" ? [{ row, detail: outcome.detail }] : [];
	});
	if (stuck[0]) {
		const question = changeQuestion(
			"for_good",
			stuck.map(({ row }) => row),
			{ why: `The trash refused ${stuck.length === 1 ? "it" : "them"} (${stuck[0].detail}).` },
		);
		if ((await ask(question)) !== undefined)
			for (const { row } of stuck) outcomes.set(row, await removed(row, "for_good", it));
	}
	it.unselect();
	const last = outcomes.get(first);
	const isOne = rows.length === 1 && last?.ok;
	report(isOne ? last.how : how, [...outcomes.values()], it, skipped);
}

async function removed(row: Row, how: DeleteHow, { acts, forget }: Attempt): Promise<DeleteOutcome> {
	const outcome = await acts
		.remove(row, how)
		.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: fileErrorText(error) }));
	if (outcome.ok) forget(row);
	return outcome;
}

function report(
	change: Parameters<typeof changedText>[0],
	outcomes: readonly (DeleteOutcome | WriteOutcome)[],
	{ say }: Attempt,
	skipped: number,
): void {
	const kept = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.detail]));
	say(changedText(change, outcomes.length, { skipped, kept }), kept.length > 0 ? "warning" : "info");
}
