/** The requests' schemas, which docs/http.md documents, and the form of the answers. */

import { type Static, type TObject, Type } from "typebox";
import { Value } from "typebox/value";
import { MAX_RECORD_TEXT } from "../../session-core/recap/index.ts";
import { LISTED_STATES } from "../../session-core/sessions/index.ts";

/** The access that a request has: `read` permits only reading; `act` also permits answering and resuming sessions and writing recaps. */
export type Access = "act" | "read";

/** Why a request fails: a reason for programs, a sentence for people, and a remedy. */
export interface Refused {
	ok: false;
	status: number;
	reason: string;
	message: string;
	remedy: string;
}

/** The answer to a request. `own`: strings from the request itself, which are returned unredacted. */
export type Answer = { ok: true; status: 200 | 201; body: unknown; own: readonly string[] } | Refused;

export function answered(body: unknown, own: readonly string[] = [], status: 200 | 201 = 200): Answer {
	return { ok: true, status, body, own };
}

/** The messages never quote an error, because an error may quote a session. */
export function refused(status: number, reason: string, message: string, remedy: string): Refused {
	return { ok: false, status, reason, message, remedy };
}

export function sessionGone(reason: string): Refused {
	const message = `This session's file can no longer be read (${reason}).`;
	return refused(404, "session_gone", message, "Load the list again with GET /v1/sessions.");
}

export const INVALID_REMEDY = "See docs/http.md for what is expected.";

const closed = { additionalProperties: false };
const RecapKind = Type.Enum(["session", "job"]);
const Id = Type.String({ minLength: 1, maxLength: 200 });

export const SessionsQuery = Type.Object(
	{
		limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
		offset: Type.Optional(Type.Integer({ minimum: 0 })),
		state: Type.Optional(Type.Enum([...LISTED_STATES])),
		kind: Type.Optional(Type.Enum(["session", "headless", "fork", "child"])),
		cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
		q: Type.Optional(Type.String({ maxLength: 200 })),
	},
	closed,
);
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SearchQuery = Type.Object(
	{
		q: Type.String({ minLength: 1, maxLength: 400 }),
		/** A project's folder, in the same form as a session's `cwd`. */
		project: Type.Optional(Type.String({ maxLength: 4_096 })),
		since: Type.Optional(Type.String({ maxLength: 40 })),
		limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
	},
	closed,
);
export type SearchQuery = Static<typeof SearchQuery>;

/** The path of a session's file, which is needed only if several files have the session's id. */
const Path = Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 }));

export const SessionQuery = Type.Object({ path: Path }, closed);

export const RecapQuery = Type.Object({ kind: Type.Optional(RecapKind), subject_id: Id, path: Path }, closed);

export const RecapBody = Type.Object(
	{
		kind: RecapKind,
		subject_id: Id,
		path: Path,
		generator: Type.Optional(Type.Enum(["heuristic", "llm", "user_edited"])),
		force: Type.Optional(Type.Boolean()),
		headline: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_RECORD_TEXT })),
		bullets: Type.Optional(Type.Array(Type.String({ maxLength: MAX_RECORD_TEXT }), { maxItems: 5 })),
		next_actions: Type.Optional(Type.Array(Type.String({ maxLength: MAX_RECORD_TEXT }), { maxItems: 3 })),
	},
	closed,
);
export type RecapBody = Static<typeof RecapBody>;

export const ResumeRequest = Type.Object(
	{
		from_recap_id: Type.Optional(Id),
		from_subject_id: Type.Optional(Id),
		path: Path,
		kind: Type.Optional(RecapKind),
		branch_on_resume: Type.Optional(Type.Boolean()),
		send: Type.Optional(Type.Boolean()),
		message: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
		open: Type.Optional(Type.Boolean()),
		/** For a job that another machine recorded: the `command_line` that the person has seen. */
		confirmed: Type.Optional(Type.String({ maxLength: 100_000 })),
	},
	closed,
);
export type ResumeRequest = Static<typeof ResumeRequest>;

export const AnswerRequest = Type.Object(
	{
		text: Type.String({ minLength: 1 }),
		path: Path,
		/** The last message that the person has seen. Default: the session's current last message. */
		last_message_id: Type.Optional(Id),
	},
	closed,
);
export type AnswerRequest = Static<typeof AnswerRequest>;

interface Asked {
	access: Access;
	/** The `:id` in the address. */
	id: string;
	query: unknown;
	body: unknown;
	/** Aborts when the client disconnects. */
	signal: AbortSignal;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

/**
 * A query's values are strings, so they are converted to the types in the schema. A refusal quotes field names, but never values from the
 * request.
 */
const routeFor =
	(where: "query" | "body") =>
	<S extends TObject>(
		schema: S,
		answer: (value: Static<S>, asked: Asked) => Answer | Promise<Answer>,
	): Route =>
	(asked) => {
		const value = where === "query" ? Value.Convert(schema, asked.query) : asked.body;
		if (Value.Check(schema, value)) return answer(value, asked);
		return refused(422, "invalid", faultIn(schema, value, where), INVALID_REMEDY);
	};

/** Returns a route whose query must match a schema. */
export const forQuery = routeFor("query");
/** Returns a route whose body must match a schema. */
export const forBody = routeFor("body");

function faultIn(schema: TObject, value: unknown, where: string): string {
	const errors = Value.Errors(schema, value);
	// An unknown field is reported twice: by the object's schema and by the field's own schema, which is `false`.
	const [error] = [...errors.filter(({ keyword }) => keyword !== "type" && keyword !== "boolean"), ...errors];
	const name = error?.instancePath.slice(1) || where;
	if (error?.keyword === "additionalProperties")
		return `Unknown in the ${where}: ${error.params.additionalProperties.join(", ").slice(0, 100)}.`;
	if (error?.keyword === "enum") return `${name}: expected one of ${error.params.allowedValues.join(", ")}.`;
	return `${name}: ${error?.message ?? "not as expected"}.`;
}
