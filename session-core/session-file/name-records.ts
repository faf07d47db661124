import { isObject } from "../json.ts";
import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";

/** Who chose a title. */
export type TitleSource = "auto" | "manual";

/** The type of the custom entry that says who chose a title. */
export const TITLE_ENTRY = "session-suite:title";

/** The data of a {@link TITLE_ENTRY} entry, which states the origin of the session name that has the same text. */
export interface TitleData {
	/** Empty if the name was removed. */
	title: string;
	source: TitleSource;
	/** The model that wrote the title, as `provider/model`. */
	model?: string;
	/** The id of the last message when the title was written. */
	last_message_id?: string;
}

/** An entry that affects the session's name, in memory or in the file. */
export type NameRecord =
	| { kind: "name"; id: string; parentId: string | undefined; text: string }
	| { kind: "title"; id: string; parentId: string | undefined; data: TitleData };

export type NameEntry = Extract<NameRecord, { kind: "name" }>;

/** Maximum width of a name in columns. Any longer text was probably pasted by mistake. */
const NAME_COLUMNS = 200;

/** Returns a typed name in sanitized and clipped form, as it is stored. Returns an empty string if no part of the name can be displayed. */
export function nameText(typed: string): string {
	return clipColumns(cleanLine(typed), NAME_COLUMNS);
}

/** Reads one entry of any shape. Returns undefined if it does not affect the name. */
export function readNameRecord(entry: Readonly<Record<string, unknown>>): NameRecord | undefined {
	const { type, id, name, customType, data } = entry;
	if (typeof id !== "string") return undefined;
	const parentId = typeof entry["parentId"] === "string" ? entry["parentId"] : undefined;
	if (type === "session_info")
		return { kind: "name", id, parentId, text: typeof name === "string" ? name.trim() : "" };
	if (type !== "custom" || customType !== TITLE_ENTRY || !isObject(data)) return undefined;
	const { title, source, model, last_message_id: stamp } = data;
	if (typeof title !== "string" || (source !== "auto" && source !== "manual")) return undefined;
	const made = {
		...(typeof model === "string" && { model }),
		...(typeof stamp === "string" && { last_message_id: stamp }),
	};
	return { kind: "title", id, parentId, data: { title, source, ...made } };
}

/** Returns the name records among entries, oldest first. */
export function nameRecords(entries: readonly Readonly<Record<string, unknown>>[]): NameRecord[] {
	return entries.flatMap((entry) => readNameRecord(entry) ?? []);
}

/** Returns the newest name in the file. An empty text means that the name was removed. */
export function newestName(records: readonly NameRecord[]): NameEntry | undefined {
	return records.findLast((record): record is NameEntry => record.kind === "name");
}

/**
 * Returns the current name, who chose it, and the model that wrote an automatic one; undefined if that is the user's own prompt. The name counts as automatic only if the newest title record has the same text and is marked
 * as automatic.
 */
export function currentName(
	records: readonly NameRecord[],
): { id: string; text: string; source: TitleSource; model: string | undefined } | undefined {
	const name = newestName(records);
	if (!name) return undefined;
	const title = records.findLast((record) => record.kind === "title");
	const isAuto = title?.data.source === "auto" && title.data.title === name.text;
	const model = isAuto ? title.data.model : undefined;
	return { id: name.id, text: name.text, source: isAuto ? "auto" : "manual", model };
}

/** Returns the newest name that differs from the current one, or an empty string if there is none. */
export function previousName(records: readonly NameRecord[]): string {
	const current = newestName(records);
	const before = records.findLast((record) => record.kind === "name" && record.text !== current?.text);
	return before?.kind === "name" ? before.text : "";
}
