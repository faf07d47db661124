import type { Overlap } from "../../session-core/sessions/live/index.ts";
import type { List, Scope } from "./list.ts";
import type { Preview } from "./preview-data.ts";
import type { Row } from "./row.ts";

export interface BoardState {
	readonly list: List;
	readonly scan: Readonly<Record<Scope, "waiting" | "running" | "done">>;
	readonly mode: Mode;
	/** The message that is shown instead of the key hints until the next key is pressed. */
	readonly notice: Notice | undefined;
	/** Returns the preview data that has been read so far from the current version of the session's file. */
	previewOf(row: Row): Preview | undefined;
	overlapsOf(row: Row): readonly Overlap[];
}

export type Mode =
	| { type: "list" }
	| { type: "rename" | "answer"; row: Row; text: string }
	| { type: "help" }
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

export const LIST: Mode = { type: "list" };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

export function inputText({ mode, list }: Pick<BoardState, "mode" | "list">): string {
	return mode.type === "rename" || mode.type === "answer" ? mode.text : list.query;
}
