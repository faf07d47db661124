import {
	type Checked,
	hasFields,
	isEither,
	isFlag,
	isListOf,
	isNumber,
	isObject,
	isOneOf,
	isText,
	type JsonObject,
	maybe,
} from "../text/files/index.ts";
import { cleanLine, cleanText, safeSessionId, safeText, shownName, shownWord } from "../text/index.ts";

/** The kind of an open item is stored, so that it need not be guessed from the item's wording. */
export interface NextStep {
	/**
	 * A `question` or `request` needs the user's answer. An `offer` comes from the agent, and a
	 * `suggestion` from the recap model. A `step` is quoted from the agent or the user. A `cut_short`
	 * item is a request that was interrupted.
	 */
	kind: "question" | "request" | "offer" | "step" | "suggestion" | "cut_short";
	text: string;
}

export const HEADLINE_COLUMNS = 80;
/** The maximum width of an open item in columns. The limit is high enough for nearly all questions. */
export const NEXT_COLUMNS = 320;

/** The maximum length of each string in a record, in UTF-16 code units. */
export const MAX_RECORD_TEXT = 2_000;

export const isRecap = hasFields({
	id: isText,
	kind: isOneOf("session", "job"),
	subject_id: isText,
	generator: isEither(
		hasFields({ type: isOneOf("heuristic", "user_edited") }),
		hasFields({ type: isOneOf("llm"), provider: isText, model: isText }),
	),
	headline: isText,
	/** A model's summary or the user's unabridged request. This text is shown instead of the headline. */
	text: maybe(isText),
	bullets: isListOf(isText, 5),
	/**
	 * The kind of each item in `bullets`, if the items were generated without a model. Each of these
	 * items begins with a label for its kind.
	 */
	bullet_kinds: maybe(
		isListOf(isOneOf("larger", "earlier", "asked", "error", "did", "step", "said", "report"), 5),
	),
	next_actions: isListOf(isText, 3),
	next_kinds: maybe(isListOf(isOneOf("question", "request", "offer", "step", "suggestion", "cut_short"), 3)),
	artifacts: isListOf(
		hasFields({ kind: isOneOf("file", "commit", "url", "command"), label: isText, locator: isText }),
		4,
	),
	outcome: isOneOf("done", "waiting", "aborted", "error", "running"),
	/**
	 * The result of the last test run or similar check. Absent if neither an exit status nor a summary line
	 * shows the result.
	 */
	checks: maybe(isOneOf("passed", "failed")),
	/**
	 * The last test run or similar command. `line` is the line of its output that shows the result, such
	 * as `7 passed`.
	 */
	evidence: maybe(isListOf(hasFields({ command: isText, line: isText, edits_after: isNumber }))),
	resume_hint: maybe(
		hasFields({
			/** The first item in `next_actions`. It is repeated for the convenience of scripts. */
			seed_instruction: isText,
			provider: maybe(isText),
			model: maybe(isText),
			branch_on_resume: maybe(isFlag),
			tools: maybe(isListOf(isText)),
		}),
	),
	parent_job_id: maybe(isText),
	resumed_from_recap_id: maybe(isText),
	/** The id of another agent's session that this session continues, in the form `agent/id`. */
	handed_over_from: maybe(isText),
	workspace: maybe(hasFields({ cwd: isText, git_branch: maybe(isText), git_head: maybe(isText) })),
	last_message_id: isText,
	created_at: isNumber,
	/** True if the user requested the record. Such a record is shown instead of an earlier note. */
	requested: maybe(isFlag),
});

export interface SessionRecord extends Checked<typeof isRecap> {}

export type BulletKind = NonNullable<SessionRecord["bullet_kinds"]>[number];

export interface Note {
	generator: Extract<SessionRecord["generator"], { type: "llm" }>;
	text: string | undefined;
	headline: string | undefined;
	bullets: string[];
	/**
	 * An empty list means that the session has no open work. Undefined means that the model did not say what
	 * is open.
	 */
	next: NextStep[] | undefined;
}

type Hint = NonNullable<SessionRecord["resume_hint"]>;

export function withHint(recap: SessionRecord, change: Partial<Hint> = {}): SessionRecord {
	const { resume_hint: before, ...rest } = recap;
	const seed_instruction = recap.next_actions[0] ?? "";
	const { branch_on_resume: branches, ...hint } = { ...before, ...change, seed_instruction };
	if (seed_instruction === "" && !branches && !hint.tools) return rest;
	return { ...rest, resume_hint: { ...hint, ...(branches && { branch_on_resume: true }) } };
}

/**
 * Returns true if the record requests that the session be resumed in a fork. A record that was copied
 * from the parent session is ignored, because this session is already the requested fork.
 */
export function isBranching(record: SessionRecord | undefined, sessionId: string): boolean {
	return record?.subject_id === sessionId && record.resume_hint?.branch_on_resume === true;
}

/** Returns a record's fields for the debug log. The log must not contain any text from a session. */
export function recordFields(recap: SessionRecord) {
	return {
		session: recap.subject_id,
		record: recap.id,
		kind: recap.kind,
		by: recap.generator.type,
		outcome: recap.outcome,
		stamp: recap.last_message_id,
		bullets: recap.bullets.length,
		next: recap.next_actions.length,
		artifacts: recap.artifacts.length,
	};
}

export const RECAP_ENTRY = "session-suite:recap";

/**
 * Separates strings that are redacted together, so that no secret is detected across their boundaries.
 */
const BETWEEN = "\n\u241e\n";

/**
 * Returns undefined if the entry is not a valid record. Strings are sanitized and redacted, because
 * another program may have written the entry.
 */
export function readRecap(entry: JsonObject): SessionRecord | undefined {
	if (entry["type"] !== "custom" || entry["customType"] !== RECAP_ENTRY) return undefined;
	const data = withoutOldVerdict(entry["data"]);
	if (!isRecap(data)) return undefined;
	const texts: string[] = [];
	const plain = mapTexts(data, (text) => {
		texts.push(text);
		return text;
	});
	// Redacting all strings of a record together takes half as long as redacting each string separately.
	const together = texts.join(BETWEEN);
	const safe = safeText(together) === together ? plain : mapTexts(data, safeText);
	return isRecap(safe) ? safe : undefined;
}

/** Removes obsolete values of `checks`, so that records from older versions remain valid. */
function withoutOldVerdict(data: unknown): unknown {
	if (typeof data !== "object" || data === null || !("checks" in data)) return data;
	if (data.checks !== "not_run" && data.checks !== "none") return data;
	const { checks: _, ...rest } = data;
	return rest;
}

type Change = (text: string) => string;

const line: Change = (text) => cleanLine(text).slice(0, MAX_RECORD_TEXT).toWellFormed();
const asIs: Change = (text) => text;
const all = (names: string, change: (text: string, redacted: Change) => string) =>
	names.split(" ").map((name) => [name, change] as const);

/**
 * Specifies how each field of a record is sanitized. Ids are not redacted, because they are needed for
 * lookups. A field that is missing from this map is dropped.
 */
const FIELDS = new Map([
	...all("id resumed_from_recap_id handed_over_from last_message_id", shownWord),
	...all("subject_id parent_job_id", safeSessionId),
	...all("provider model tools git_branch git_head", shownName),
	...all("headline text bullets next_actions label locator command line", (text, redacted) =>
		line(redacted(text)),
	),
	...all("seed_instruction", (text, redacted) => redacted(text).slice(0, MAX_RECORD_TEXT).toWellFormed()),
	...all("cwd", (text) => cleanText(text).replace(/[\n\t]/g, "")),
	...all("kind type bullet_kinds next_kinds outcome checks created_at edits_after", asIs),
	...all("branch_on_resume requested", asIs),
	...all("generator artifacts evidence resume_hint workspace", asIs),
]);

function mapTexts(value: unknown, redacted: Change, change: Change = asIs): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((one) => mapTexts(one, redacted, change));
	if (!isObject(value)) return value;
	const known: JsonObject = {};
	for (const name of Object.keys(value)) {
		const own = FIELDS.get(name);
		if (own) known[name] = mapTexts(value[name], redacted, (text) => own(text, redacted));
	}
	return known;
}
