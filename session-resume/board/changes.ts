import { type DeleteHow, type DeleteOutcome, fileErrorText } from "../../session-core/session-file/index.ts";
import type { Acts } from "./acts.ts";
import type { List } from "./list.ts";
import {
	type BoardQuestion,
	deleteQuestion,
	forGoodQuestion,
	groupQuestion,
	groupText,
} from "./questions.ts";
import type { Row } from "./row.ts";

/** Deleting and archiving sessions: each action asks first, and says what has happened. */

export interface Attempt {
	acts: Acts;
	/** Whether the user has not started another action. */
	isLast(): boolean;
	/** Whether a question may be shown. */
	canAsk(): boolean;
	/** Resolves to undefined if the question was not answered or could not be shown. */
	ask<Answer>(question: BoardQuestion<Answer>): Promise<Answer | undefined>;
	say(text: string, kind: "info" | "warning"): void;
	/** The session was deleted. */
	forget(row: Row): void;
	unselect(): void;
}

export async function deleteRow(row: Row, it: Attempt): Promise<void> {
	const { acts, ask, say } = it;
	const facts = await acts.facts("delete", row);
	if (facts.blocked !== undefined) {
		if (it.isLast()) say(facts.blocked, "warning");
		return;
	}
	const how = await ask(deleteQuestion(facts));
	if (how === undefined) return;
	let outcome = await removed(row, how, it);
	if (!outcome.ok && outcome.reason === "no_trash" && it.canAsk()) {
		const question = forGoodQuestion(row, `Could not move it to the trash (${outcome.detail}).`);
		if ((await ask(question)) === undefined) return;
		outcome = await removed(row, "for_good", it);
	}
	say(deletedText(outcome), outcome.ok ? "info" : "warning");
}

/** Archives or deletes all selected sessions after one confirmation. Open sessions are skipped. */
export async function changeSelected(key: "archive" | "delete", list: List, it: Attempt): Promise<void> {
	const { selected, openPath, marks } = list;
	const { acts, ask, say } = it;
	const all = list.rows.filter(({ path }) => selected.has(path));
	const rows = all.filter(({ path, live }) => path !== openPath && !live);
	const skipped = all.length - rows.length;
	const [first] = rows;
	if (!first) {
		say("Nothing to do: the selected sessions are open or gone.", "warning");
		return;
	}
	const archive = rows.every(({ mark }) => marks.archived.has(mark)) ? "unarchive" : "archive";
	const trash = key === "delete" && (await acts.facts(key, first)).trash ? "trash" : "for_good";
	const act = await ask(groupQuestion(key === "archive" ? archive : trash, rows, skipped));
	if (act === undefined) return;
	const kept: string[] = [];
	for (const row of rows) {
		const outcome =
			act === "trash" || act === "for_good"
				? await removed(row, act, it)
				: acts.setMark(row, "archived", act === "archive");
		if (!outcome.ok) kept.push(outcome.detail);
	}
	it.unselect();
	say(groupText(act, rows.length - kept.length, skipped, kept), kept.length > 0 ? "warning" : "info");
}

async function removed(row: Row, how: DeleteHow, { acts, forget }: Attempt): Promise<DeleteOutcome> {
	const outcome = await acts
		.remove(row, how)
		.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: fileErrorText(error) }));
	if (outcome.ok) forget(row);
	return outcome;
}

function deletedText(outcome: DeleteOutcome): string {
	if (!outcome.ok) return `Not deleted: ${outcome.detail}`;
	const texts = {
		trash: "Moved to the trash.",
		for_good: "Deleted.",
		gone: "The session was already deleted.",
	};
	return texts[outcome.how];
}
