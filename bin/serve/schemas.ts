/** The shapes that go over HTTP. The one definition: requests are checked by it, and `/openapi.json` is made of it. */
import { type Static, type TSchema, Type } from "typebox";
import { RecapSchema } from "../../session-core/recap/record.ts";

const closed = { additionalProperties: false };

export const KindSchema = Type.Enum(["session", "job"]);
const SessionKindSchema = Type.Enum(["session", "headless", "fork", "child"]);
/** `closed`: no process has it open. */
const StateSchema = Type.Enum(["needs_you", "failed", "working", "idle", "closed"]);

const Id = Type.String({ minLength: 1, maxLength: 200 });
const Seconds = Type.Number({ description: "Unix seconds" });

export const ErrorSchema = Type.Object({
	error: Type.Object({
		reason: Type.String({ description: "For programs: one word, stable" }),
		message: Type.String(),
		remedy: Type.String({ description: "What to do about it" }),
	}),
});

export const SessionSchema = Type.Object({
	id: Type.String(),
	title: Type.String(),
	title_source: Type.Enum(["manual", "auto", "prompt", "none"]),
	kind: SessionKindSchema,
	cwd: Type.String(),
	project: Type.String({ description: "The folder as people write it, the home folder as ~" }),
	state: StateSchema,
	since: Type.Optional(Seconds),
	modified_at: Seconds,
	created_at: Seconds,
	model: Type.Optional(Type.String()),
	next: Type.Optional(Type.String({ description: "The first next action of a current recap" })),
	ending: Type.Optional(Type.String({ description: "How it ended, where that is worth a word" })),
	damaged: Type.Optional(Type.Boolean({ description: "pi would not read its file" })),
});
export type SessionJson = Static<typeof SessionSchema>;

export const CountsSchema = Type.Object({
	needs_you: Type.Number(),
	failed: Type.Number(),
	working: Type.Number(),
	idle: Type.Number(),
});

export const SessionsQuery = Type.Object(
	{
		limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
		offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
		state: Type.Optional(Type.Enum(["needs_you", "failed", "working", "idle", "closed", "live"])),
		kind: Type.Optional(SessionKindSchema),
		cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
		q: Type.Optional(Type.String({ maxLength: 200, description: "Words that must all occur" })),
	},
	closed,
);
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SessionsAnswer = Type.Object({
	total: Type.Number({ description: "Sessions that match" }),
	offset: Type.Number(),
	next_offset: Type.Union([Type.Number(), Type.Null()]),
	as_of: Seconds,
	revision: Type.Number({ description: "Counts the changes of the list" }),
	counts: CountsSchema,
	sessions: Type.Array(SessionSchema),
});

/** A recap, and whether it is of the session's last message; `stored: false`: made by rules for this answer. */
export const CardAnswer = Type.Object({
	session: SessionSchema,
	recap: Type.Union([RecapSchema, Type.Null()]),
	fresh: Type.Boolean(),
	stored: Type.Boolean(),
	first_prompt: Type.Optional(Type.String()),
	resume_command: Type.String({ description: "For a shell" }),
});

export const RecapQuery = Type.Object({ kind: Type.Optional(KindSchema), subject_id: Id }, closed);
export const RecapsAnswer = Type.Object({ recaps: Type.Array(RecapSchema) });

export const RecapRequest = Type.Object(
	{
		kind: KindSchema,
		subject_id: Id,
		generator: Type.Optional(Type.Enum(["heuristic", "llm", "user_edited"])),
		force: Type.Optional(Type.Boolean({ description: "Also where one exists for the same last message" })),
		headline: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Of user_edited" })),
		bullets: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 5 })),
		next_actions: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 3 })),
	},
	closed,
);
export type RecapRequest = Static<typeof RecapRequest>;
export const RecapAnswer = Type.Object({ recap: RecapSchema });

export const WatchAnswer = Type.Object({
	subject_id: Type.String(),
	title: Type.String(),
	state: StateSchema,
	fresh: Type.Boolean(),
	recap: RecapSchema,
});

export const ResumeRequest = Type.Object(
	{
		from_recap_id: Type.Optional(Id),
		from_subject_id: Type.Optional(Id),
		kind: Type.Optional(KindSchema),
		branch_on_resume: Type.Optional(Type.Boolean({ description: "Go on in a fork of the session" })),
		send: Type.Optional(Type.Boolean({ description: "Send the next step at once; a job's always is" })),
		message: Type.Optional(
			Type.String({
				minLength: 1,
				maxLength: 20_000,
				description: "What to go on with, or the answer that is waited for",
			}),
		),
		open: Type.Optional(
			Type.Boolean({
				description: "Run it in a new window of the server's tmux, or go to the terminal that has it open",
			}),
		),
	},
	closed,
);
export type ResumeRequest = Static<typeof ResumeRequest>;

export const ResumeAnswer = Type.Object({
	kind: KindSchema,
	subject_id: Type.String(),
	session_file: Type.String(),
	title: Type.String(),
	cwd: Type.String(),
	command: Type.Array(Type.String(), { description: "Program and arguments, to be run in cwd" }),
	env: Type.Record(Type.String(), Type.String(), { description: "To be set for it" }),
	command_line: Type.String({ description: "All of it for a POSIX shell" }),
	branch: Type.Boolean(),
	model: Type.Optional(Type.Object({ provider: Type.String(), model: Type.String() })),
	seed_instruction: Type.Optional(Type.String()),
	prompt: Type.Optional(Type.String({ description: "What is sent when it starts" })),
	needs_answer: Type.Optional(Type.String({ description: "A question to the user: say message" })),
	parent_job_id: Type.Optional(Type.String()),
	resumed_from_recap_id: Type.Optional(Type.String()),
	opened: Type.Boolean({ description: "It is in front now: in a new tmux window, or where it was open" }),
	told: Type.Optional(Type.String({ description: "Where it is in front" })),
});

export const HealthAnswer = Type.Object({
	status: Type.Literal("ok"),
	version: Type.String(),
	access: Type.Enum(["act", "read"]),
	features: Type.Object({
		recap: Type.Object({
			available: Type.Boolean(),
			transport: Type.String(),
			routes_prefix: Type.String(),
			generators_ga: Type.Array(Type.String()),
			generators_experimental: Type.Array(Type.String()),
			kinds: Type.Array(KindSchema),
			notes: Type.Record(Type.String(), Type.String()),
		}),
		resume: Type.Object({ available: Type.Boolean(), open: Type.Boolean(), routes_prefix: Type.String() }),
		live: Type.Object({ available: Type.Boolean(), clients: Type.Number(), route: Type.String() }),
	}),
});

export type Schema = TSchema;
