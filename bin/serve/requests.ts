import { type Static, type TObject, Type } from "typebox";
import { Value } from "typebox/value";
import { MAX_RECORD_TEXT } from "../../session-core/recap/index.ts";
import { LISTED_STATES } from "../../session-core/sessions/index.ts";
import { type Access, type Answer, invalid } from "./http.ts";

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 200 });
const OptionalId = Type.Optional(Id);
const Flag = Type.Optional(Type.Boolean());
const RecapKind = Type.Enum(["session", "job"]);
const OptionalKind = Type.Optional(RecapKind);
const Path = Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 }));
const Folder = Type.Optional(Type.String({ maxLength: 4_096 }));
const optionalText = (maxLength: number, minLength = 0) =>
	Type.Optional(Type.String({ minLength, maxLength }));
const lines = (maxItems: number) =>
	Type.Optional(Type.Array(Type.String({ maxLength: MAX_RECORD_TEXT }), { maxItems }));
const optionalInteger = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
	Type.Optional(Type.Integer({ minimum, maximum }));

export type SessionsQuery = Static<typeof SessionsQuery>;
export const SessionsQuery = Type.Object(
	{
		limit: optionalInteger(1, 1_000),
		offset: optionalInteger(0),
		state: Type.Optional(Type.Enum([...LISTED_STATES])),
		kind: Type.Optional(Type.Enum(["session", "headless", "fork", "child"])),
		cwd: Folder,
		q: optionalText(200),
	},
	closed,
);

export type SearchQuery = Static<typeof SearchQuery>;
export const SearchQuery = Type.Object(
	{
		q: Type.String({ minLength: 1, maxLength: 400 }),
		project: Folder,
		since: optionalText(40),
		limit: optionalInteger(1, 100),
	},
	closed,
);

export const SessionQuery = Type.Object({ path: Path }, closed);

export const RecapQuery = Type.Object({ kind: OptionalKind, subject_id: Id, path: Path }, closed);

export type RecapBody = Static<typeof RecapBody>;
export const RecapBody = Type.Object(
	{
		kind: RecapKind,
		subject_id: Id,
		path: Path,
		generator: Type.Optional(Type.Enum(["heuristic", "llm", "user_edited"])),
		force: Flag,
		headline: optionalText(MAX_RECORD_TEXT, 1),
		bullets: lines(5),
		next_actions: lines(3),
	},
	closed,
);

export type ResumeRequest = Static<typeof ResumeRequest>;
export const ResumeRequest = Type.Object(
	{
		from_recap_id: OptionalId,
		from_subject_id: OptionalId,
		path: Path,
		kind: OptionalKind,
		branch_on_resume: Flag,
		send: Flag,
		message: optionalText(20_000, 1),
		open: Flag,
		/**
		 * A job from another machine starts only if `confirmed` repeats the command that the user has
		 * seen.
		 */
		confirmed: optionalText(100_000),
	},
	closed,
);

export type AnswerRequest = Static<typeof AnswerRequest>;
/**
 * The id of the last message that the user has seen. The default is the id of the session's last
 * message.
 */
export const AnswerRequest = Type.Object(
	{ text: Type.String({ minLength: 1 }), path: Path, last_message_id: OptionalId },
	closed,
);

interface Asked {
	access: Access;
	id: string;
	query: unknown;
	body: unknown;
	signal: AbortSignal;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

type For<S extends TObject> = (value: Static<S>, asked: Asked) => Answer | Promise<Answer>;

/** All values in a query string are strings, so they are converted to the schema's types. */
export function forQuery<S extends TObject>(schema: S, answer: For<S>): Route {
	return (asked) => {
		const value = Value.Convert(schema, asked.query);
		return Value.Check(schema, value) ? answer(value, asked) : invalid(faultIn(schema, value, "query"));
	};
}

export function forBody<S extends TObject>(schema: S, answer: For<S>): Route {
	return (asked) =>
		Value.Check(schema, asked.body)
			? answer(asked.body, asked)
			: invalid(faultIn(schema, asked.body, "body"));
}

/** The error message names the invalid field but never quotes the field's value. */
function faultIn(schema: TObject, value: unknown, where: string): string {
	const errors = Value.Errors(schema, value);
	// TypeBox reports an unknown field twice, so the less specific error is skipped.
	const [error] = [...errors.filter(({ keyword }) => keyword !== "type" && keyword !== "boolean"), ...errors];
	const name = error?.instancePath.slice(1) || where;
	if (error?.keyword === "additionalProperties")
		return `The ${where} contains unknown fields: ${error.params.additionalProperties.join(", ").slice(0, 100)}.`;
	if (error?.keyword === "enum") return `${name} must be one of ${error.params.allowedValues.join(", ")}.`;
	return `${name} ${error?.message ?? "is not valid"}.`;
}
