import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { folded, type SessionView, viewOf } from "../../session-core/session-view/view.ts";
import type { Words } from "../../session-core/words/words.ts";
import { markOf } from "./marks.ts";

/** One session on the board. All texts are safe to show, on one line. */
export interface Row extends SessionView {
	/** Whether its file is in the current project's folder. */
	here: boolean;
	/** The name under which its marks are stored. */
	mark: string;
	/** Resuming it continues in a fork. */
	branches: boolean;
	/** What a filter is matched against, folded. */
	match: { title: string; searched: string; id: string };
}

/** Sessions without a user, and those that other sessions started. */
const BACKGROUND: ReadonlySet<Row["kind"]> = new Set(["headless", "child"]);

/** Returns the row of a session. */
export function rowOf(summary: SessionSummary, here: boolean, words: Words): Row {
	const view = viewOf(summary, words);
	const { newestRecord, id } = view;
	return {
		...view,
		here,
		mark: markOf(summary.path),
		// This applies even if the record is outdated. A fork inherits its parent's records, but a request in them to
		// continue in a fork is already fulfilled.
		branches: newestRecord?.resume_hint?.branch_on_resume === true && newestRecord.subject_id === id,
		match: { title: folded(view.title), searched: view.searched, id },
	};
}

/** Returns the row under another name. */
export function renamed(row: Row, name: string): Row {
	return {
		...row,
		title: name,
		titleSource: "manual",
		match: { ...row.match, title: folded(name), searched: `${folded(name)}\n${row.match.searched}` },
	};
}

/** The user or a model gave it its title. */
export function isNamed({ titleSource }: Pick<Row, "titleSource">): boolean {
	return titleSource === "manual" || titleSource === "auto";
}

export function isBackground({ kind }: Pick<Row, "kind">): boolean {
	return BACKGROUND.has(kind);
}
