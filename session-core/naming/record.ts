import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { TITLE_ENTRY } from "../store/own-records.ts";

/** Who chose a title. */
export type TitleSource = "auto" | "manual";

/** What a `session-suite:title` entry holds: where the name of the same text comes from. */
export const TitleDataSchema = Type.Object({
	/** Empty where the name was taken away. */
	title: Type.String(),
	source: Type.Union([Type.Literal("auto"), Type.Literal("manual")]),
	/** `provider/model` that made it up. */
	model: Type.Optional(Type.String()),
	/** Id of the last message when it was made. */
	last_message_id: Type.Optional(Type.String()),
	/** Id of the name entry that it stands instead of; null: there was none. See `write.ts`. */
	replaces: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export type TitleData = Static<typeof TitleDataSchema>;

/** An entry that bears on the session's name, in memory or in the file. */
export type NameRecord =
	| { kind: "name"; id: string; text: string }
	| { kind: "title"; id: string; data: TitleData };

export type NameEntry = Extract<NameRecord, { kind: "name" }>;

/** Anything that may be an entry: files hold more than they say. */
export type Candidate = Readonly<Record<string, unknown>>;

/** Read one entry; undefined where it has nothing to do with the name. */
export function readNameRecord(entry: Candidate): NameRecord | undefined {
	const { type, id, name, customType, data } = entry;
	if (typeof id !== "string") return undefined;
	if (type === "session_info") return { kind: "name", id, text: typeof name === "string" ? name.trim() : "" };
	if (type !== "custom" || customType !== TITLE_ENTRY || !Value.Check(TitleDataSchema, data))
		return undefined;
	return { kind: "title", id, data };
}

/** The records among entries, oldest first. */
export function nameRecords(entries: readonly Candidate[]): NameRecord[] {
	return entries.flatMap((entry) => readNameRecord(entry) ?? []);
}

export { TITLE_ENTRY };
