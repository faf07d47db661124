import { isObject, type JsonObject } from "../json.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine, cleanText } from "../text/sanitize.ts";
import { shownName, shownWord } from "../text/shown-line.ts";
import { isRecap, MAX_RECORD_TEXT, type SessionRecord } from "./record.ts";

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
	// Checking all texts at once takes half as long as checking them one by one. They are redacted one by one only if a secret is found,
	// which is rare.
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

/** How the text in each field becomes safe. Ids are not redacted, so that they can be looked up. Other fields are dropped. */
const FIELDS = new Map([
	...all("id subject_id parent_job_id resumed_from_recap_id handed_over_from last_message_id", shownWord),
	...all("provider model tools git_branch git_head", shownName),
	...all("headline text bullets next_actions label locator command line", (text, redacted) =>
		line(redacted(text)),
	),
	...all("seed_instruction", (text, redacted) => redacted(text).slice(0, MAX_RECORD_TEXT).toWellFormed()),
	...all("cwd", (text) => cleanText(text).replace(/[\n\t]/g, "")),
	...all("kind type next_kinds outcome checks created_at edits_after branch_on_resume", asIs),
	...all("generator artifacts evidence resume_hint workspace", asIs),
]);

/** Returns the known fields of a record or of a part of it, with each text made safe. */
function mapTexts(value: unknown, redacted: Change, change: Change = asIs): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((one) => mapTexts(one, redacted, change));
	if (!isObject(value)) return value;
	const known = Object.entries(value).flatMap(([name, field]) => {
		const own = FIELDS.get(name);
		return own ? [[name, mapTexts(field, redacted, (text) => own(text, redacted))]] : [];
	});
	return Object.fromEntries(known);
}
