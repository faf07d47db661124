import { type AddFailure, type AddRecordDeps, addRecord } from "../../session-core/recap/add-record.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { recordKind } from "../../session-core/session-view/describe.ts";
import { shownLine } from "../../session-core/text/shown-line.ts";
import type { Item } from "../sessions/item.ts";
import { type Problem, refused } from "./answer.ts";
import type { RecapRequest } from "./requests.ts";

export type Written = { ok: true; recap: SessionRecord } | { ok: false; problem: Problem };

/** Writes a recap into a session that no process has open. */
export async function writeRecap(item: Item, request: RecapRequest, deps: AddRecordDeps): Promise<Written> {
	const early = obstacle(item, request);
	if (early) return early;
	const { force, generator } = request;
	const edit = generator === "user_edited" ? (made: SessionRecord) => edited(made, request) : undefined;
	const added = await addRecord(item.summary, { force, edit }, deps);
	if (added.ok) return added;
	const [status, message, remedy] = REFUSALS[added.reason];
	return refused(status, added.reason, message, remedy);
}

/** What is wrong with the request, whatever the session holds. */
function obstacle(item: Item, { kind, generator, headline }: RecapRequest): Written | undefined {
	const own = recordKind(item.summary);
	if (kind !== own) {
		return refused(422, "wrong_kind", `This is a ${own}, not a ${kind}.`, `Send "kind": "${own}".`);
	}
	if (generator === "llm") {
		return refused(
			501,
			"generator_not_available",
			"Only pi calls models, because it has the credentials.",
			'Send "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
		);
	}
	if (generator === "user_edited" && headline === undefined) {
		return refused(422, "no_headline", "A recap of your own needs a headline.", 'Add "headline".');
	}
	return undefined;
}

const FORCE = 'GET /v1/recap shows it; "force": true writes another one.';

const REFUSALS: Readonly<
	Record<AddFailure, [status: 404 | 409 | 422 | 423, message: string, remedy: string]>
> = {
	exists: [409, "This session's last message has a recap already.", FORCE],
	edited: [409, "A person wrote the recap of this session's last message.", FORCE],
	nothing: [
		422,
		"Nothing was asked in this session yet.",
		"Write a recap when something has happened in it.",
	],
	inherited: [
		422,
		"Nothing was said in this fork since it began.",
		"Ask for the recap of the session that it was forked from.",
	],
	short: [422, "This session is too short for a recap.", 'Send "force": true.'],
	off: [422, "Recaps are switched off.", "See resume.minMessages in the settings."],
	live: [
		423,
		"This session is open in another process, and only that process may write its file.",
		"Type /recap-card there, or try again when it is closed.",
	],
	damaged: [
		422,
		"This session's file is damaged, so nothing is added to it.",
		"Open it with /sessions in pi, which offers a repaired copy.",
	],
	moved_on: [409, "The session changed while its recap was derived.", "Try again."],
	unreadable: [404, "The file of this session can no longer be read.", "Ask for /v1/sessions again."],
	unwritable: [
		422,
		"The session's file cannot be written.",
		"Check the file's permissions and the space on the disk.",
	],
};

/** The derived recap with a person's words in it. */
function edited(
	made: SessionRecord,
	{ headline, bullets, next_actions: actions }: RecapRequest,
): SessionRecord {
	const lines = (texts: readonly string[]) => texts.map((text) => shownLine(text)).filter(Boolean);
	const next = actions ? lines(actions) : made.next_actions;
	const [first] = next;
	const { resume_hint: hint, ...rest } = made;
	return {
		...rest,
		generator: { type: "user_edited" },
		headline: shownLine(headline ?? "", 80),
		bullets: bullets ? lines(bullets) : made.bullets,
		next_actions: next,
		...((hint || first) && { resume_hint: { ...hint, seed_instruction: first ?? "" } }),
	};
}
