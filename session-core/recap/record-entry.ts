import type { JsonObject } from "../json.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine, cleanText } from "../text/sanitize.ts";
import { shownName, shownWord } from "../text/shown-line.ts";
import { isRecap, type SessionRecord } from "./record.ts";

/** The type of the custom entry that contains a recap record. */
export const RECAP_ENTRY = "session-suite:recap";

/** Maximum length of each text of a record, in code units. */
const MAX_TEXT = 2_000;
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
	return safeText(together) === together ? plain : mapTexts(data, safeText);
}

/** In records that older versions wrote, `checks` can be `not_run` or `none`, which no longer exist. The rest of such a record is valid. */
function withoutOldVerdict(data: unknown): unknown {
	if (typeof data !== "object" || data === null || !("checks" in data)) return data;
	if (data.checks !== "not_run" && data.checks !== "none") return data;
	const { checks: _, ...rest } = data;
	return rest;
}

/**
 * Returns the record with its texts sanitized and transformed by a function. Ids and names are not transformed, so that they can be looked
 * up.
 */
function mapTexts(recap: SessionRecord, change: (text: string) => string): SessionRecord {
	const {
		resume_hint: hint,
		parent_job_id: parent,
		resumed_from_recap_id: resumed,
		handed_over_from: origin,
		workspace,
	} = recap;
	const line = (text: string) => cleanLine(change(text)).slice(0, MAX_TEXT).toWellFormed();
	return {
		id: shownWord(recap.id),
		kind: recap.kind,
		subject_id: shownWord(recap.subject_id),
		generator: readGenerator(recap.generator),
		headline: line(recap.headline),
		bullets: recap.bullets.map(line),
		next_actions: recap.next_actions.map(line),
		...(recap.next_kinds && { next_kinds: [...recap.next_kinds] }),
		artifacts: recap.artifacts.map(({ kind, label, locator }) => ({
			kind,
			label: line(label),
			locator: line(locator),
		})),
		outcome: recap.outcome,
		...(recap.checks !== undefined && { checks: recap.checks }),
		...(recap.evidence && {
			evidence: recap.evidence.map(({ command, line: shown, edits_after }) => ({
				command: line(command),
				line: line(shown),
				edits_after,
			})),
		}),
		...(hint && { resume_hint: readHint(hint, (text) => change(text).slice(0, MAX_TEXT).toWellFormed()) }),
		...(parent !== undefined && { parent_job_id: shownWord(parent) }),
		...(resumed !== undefined && { resumed_from_recap_id: shownWord(resumed) }),
		...(origin !== undefined && { handed_over_from: shownWord(origin) }),
		...(workspace && { workspace: readWorkspace(workspace) }),
		last_message_id: shownWord(recap.last_message_id),
		created_at: recap.created_at,
	};
}

function readGenerator(generator: SessionRecord["generator"]): SessionRecord["generator"] {
	if (generator.type !== "llm") return { type: generator.type };
	return { type: "llm", provider: shownName(generator.provider), model: shownName(generator.model) };
}

function readHint(
	hint: NonNullable<SessionRecord["resume_hint"]>,
	block: (text: string) => string,
): NonNullable<SessionRecord["resume_hint"]> {
	const { provider, model, branch_on_resume: branch, tools } = hint;
	return {
		seed_instruction: block(hint.seed_instruction),
		...(provider !== undefined && { provider: shownName(provider) }),
		...(model !== undefined && { model: shownName(model) }),
		...(branch !== undefined && { branch_on_resume: branch }),
		...(tools && { tools: tools.map(shownName) }),
	};
}

function readWorkspace(
	workspace: NonNullable<SessionRecord["workspace"]>,
): NonNullable<SessionRecord["workspace"]> {
	const { cwd, git_branch: branch, git_head: head } = workspace;
	return {
		cwd: cleanText(cwd).replace(/[\n\t]/g, ""),
		...(branch !== undefined && { git_branch: shownName(branch) }),
		...(head !== undefined && { git_head: shownName(head) }),
	};
}
