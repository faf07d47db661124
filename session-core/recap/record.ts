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
import { cleanLine, cleanText, safeText, shownName, shownWord } from "../text/index.ts";

/** An open item and its kind. The kind is stored with the item, because it must never be guessed from the words. */
export interface NextStep {
	/**
	 * `question`: the agent asks the user for a decision or a fact. `request`: the agent needs the user to do something. `offer`: the agent
	 * proposes further work. `step`: the next step in the agent's words. `suggestion`: a next step that the recap suggests and that the
	 * agent did not state. `cut_short`: the user's request that an abort or an error interrupted.
	 */
	kind: "question" | "request" | "offer" | "step" | "suggestion" | "cut_short";
	text: string;
}

/** Maximum width of a headline in columns. */
export const HEADLINE_COLUMNS = 80;
/** Maximum width of an open item in columns. Nearly all questions and requests fit. */
export const NEXT_COLUMNS = 320;

/** Maximum length of each text in a record, in code units. */
export const MAX_RECORD_TEXT = 2_000;

/** Whether a value is a record, which has the same shape for the widget, the card, the session file and scripts. */
export const isRecap = hasFields({
	id: isText,
	kind: isOneOf("session", "job"),
	subject_id: isText,
	generator: isEither(
		hasFields({ type: isOneOf("heuristic", "user_edited") }),
		hasFields({ type: isOneOf("llm"), provider: isText, model: isText }),
	),
	/** At most 80 columns. */
	headline: isText,
	/** What is shown instead of the headline: a model's 1–3 sentences or, offline, the request whose beginning is the headline. */
	text: maybe(isText),
	bullets: isListOf(isText, 5),
	/** The kind of each bullet in an offline recap. Each of these bullets begins with the label of its kind. */
	bullet_kinds: maybe(
		isListOf(isOneOf("larger", "earlier", "asked", "error", "did", "step", "said", "report"), 5),
	),
	next_actions: isListOf(isText, 3),
	/**
	 * The kinds of the items in `next_actions`, in the order of those items. `open` and `before` are kinds in records by earlier versions;
	 * even older records have no kinds.
	 */
	next_kinds: maybe(
		isListOf(isOneOf("question", "request", "offer", "step", "suggestion", "cut_short", "open", "before"), 3),
	),
	artifacts: isListOf(
		hasFields({ kind: isOneOf("file", "commit", "url", "command"), label: isText, locator: isText }),
		4,
	),
	outcome: isOneOf("done", "waiting", "aborted", "error", "running"),
	/**
	 * The result of the last checks. The field is present only if an exit status or a runner's own summary line shows the result;
	 * `evidence` contains that line.
	 */
	checks: maybe(isOneOf("passed", "failed")),
	/** The last run: its command, the line of its output that shows the result, and the number of files that were edited after the run. */
	evidence: maybe(isListOf(hasFields({ command: isText, line: isText, edits_after: isNumber }))),
	resume_hint: maybe(
		hasFields({
			/** The first item in `next_actions`, for scripts. The suite itself reads `next_actions`. */
			seed_instruction: isText,
			provider: maybe(isText),
			model: maybe(isText),
			branch_on_resume: maybe(isFlag),
			/** For a job, the tools that it was allowed to use. The job's next run may use only these tools. */
			tools: maybe(isListOf(isText)),
		}),
	),
	/** For a job that continues another job: the session of that job. */
	parent_job_id: maybe(isText),
	/** For a job that continues another job: the record from which it was resumed. */
	resumed_from_recap_id: maybe(isText),
	/** Another agent's session that this session continues, as `agent/id`. */
	handed_over_from: maybe(isText),
	workspace: maybe(hasFields({ cwd: isText, git_branch: maybe(isText), git_head: maybe(isText) })),
	/** The last message that the record covers. This message identifies the state of the conversation. */
	last_message_id: isText,
	created_at: isNumber,
});

export interface SessionRecord extends Checked<typeof isRecap> {}

export type BulletKind = NonNullable<SessionRecord["bullet_kinds"]>[number];

/**
 * The parts of a record that a model has written about one state, limited to what the session supports. Each part is independent of the
 * others.
 */
export interface Note {
	generator: Extract<SessionRecord["generator"], { type: "llm" }>;
	/** 1–3 sentences. */
	text: string | undefined;
	/** The topic: a few words, like a title. */
	headline: string | undefined;
	/** What was done. */
	bullets: string[];
	/** The open items; empty if nothing is open, and undefined if the model does not say what is open. */
	next: NextStep[] | undefined;
}

type Hint = NonNullable<SessionRecord["resume_hint"]>;

/**
 * Returns a record with a changed hint for resuming the session, or without a hint if the hint would be empty. With `branch_on_resume`,
 * resuming the session creates a fork instead of continuing the original.
 */
export function withHint(recap: SessionRecord, change: Partial<Hint> = {}): SessionRecord {
	const { resume_hint: before, ...rest } = recap;
	const seed_instruction = recap.next_actions[0] ?? "";
	const { branch_on_resume: branches, ...hint } = { ...before, ...change, seed_instruction };
	if (seed_instruction === "" && !branches && !hint.tools) return rest;
	return { ...rest, resume_hint: { ...hint, ...(branches && { branch_on_resume: true }) } };
}

/** Returns the parts of a record that are written to the debug log: ids, kinds and counts, but no text. */
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

/** The type of the custom entry that contains a recap record. */
export const RECAP_ENTRY = "session-suite:recap";

/** Separates texts that are redacted together, so that no secret is detected across the boundary between two of them. */
const BETWEEN = "\n\u241e\n";

/**
 * Returns the recap record in a `custom` entry; undefined if the entry is something else or does not match the schema. All texts are safe
 * to show, even if another program wrote the file. Unknown fields are dropped.
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
	// Checking all texts at once takes half as long as checking them one by one. The texts are redacted one by one only if a secret is
	// found, which is rare.
	const together = texts.join(BETWEEN);
	const safe = safeText(together) === together ? plain : mapTexts(data, safeText);
	return isRecap(safe) ? safe : undefined;
}

/** In records that older versions wrote, `checks` can be `not_run` or `none`, which no longer exist. The rest of such a record is valid. */
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

/** How the text in each field is made safe. Ids are not redacted, so that they can be looked up. Other fields are dropped. */
const FIELDS = new Map([
	...all("id subject_id parent_job_id resumed_from_recap_id handed_over_from last_message_id", shownWord),
	...all("provider model tools git_branch git_head", shownName),
	...all("headline text bullets next_actions label locator command line", (text, redacted) =>
		line(redacted(text)),
	),
	...all("seed_instruction", (text, redacted) => redacted(text).slice(0, MAX_RECORD_TEXT).toWellFormed()),
	...all("cwd", (text) => cleanText(text).replace(/[\n\t]/g, "")),
	...all("kind type bullet_kinds next_kinds outcome checks created_at edits_after branch_on_resume", asIs),
	...all("generator artifacts evidence resume_hint workspace", asIs),
]);

/** Returns the known fields of a record, or of part of it, with every text made safe. */
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
