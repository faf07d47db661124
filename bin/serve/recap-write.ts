import { type AddRecordDeps, addRecord } from "../../session-core/recap/add-record.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { recordKind } from "../../session-core/session-view/describe.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { withoutFinalMark } from "../../session-core/text/fit-line.ts";
import { shownLine } from "../../session-core/text/shown-line.ts";
import { RECAP_PROBLEMS } from "../sessions/recap-problems.ts";
import { type Problem, refused } from "./answer.ts";
import type { Item } from "./board.ts";
import type { RecapRequest } from "./requests.ts";

export type Written = { ok: true; recap: SessionRecord } | { ok: false; problem: Problem };

/** Writes a recap into a session that is not open in any process. */
export async function writeRecap(item: Item, request: RecapRequest, deps: AddRecordDeps): Promise<Written> {
	const early = obstacle(item, request);
	if (early) return early;
	const { force, generator } = request;
	const edit = generator === "user_edited" ? (made: SessionRecord) => edited(made, request) : undefined;
	const added = await addRecord(item.summary, { force, edit }, deps);
	if (added.ok) return added;
	const [status, message, remedy] = RECAP_PROBLEMS[added.reason];
	return refused(status, added.reason, message, remedy);
}

/** Returns the problem with the fields of a request, or undefined if they are valid. */
function obstacle(item: Item, { kind, generator, headline }: RecapRequest): Written | undefined {
	const own = recordKind(item.summary);
	if (kind !== own) {
		return refused(422, "wrong_kind", `This is a ${own}, not a ${kind}.`, `Send "kind": "${own}".`);
	}
	if (generator === "llm") {
		return refused(
			501,
			"generator_not_available",
			"This server cannot call a model: only pi has the credentials.",
			'Send "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
		);
	}
	if (generator === "user_edited" && headlineOf(headline) === "") {
		return refused(422, "no_headline", "A user-edited recap needs a headline.", 'Add "headline".');
	}
	return undefined;
}

/** Maximum width in columns of a headline of 200 characters. */
const MAX_HEADLINE = 400;

function headlineOf(text = ""): string {
	return withoutFinalMark(shownLine(text, MAX_HEADLINE));
}

/** Returns the generated recap with the user's words in place of the generated ones. */
function edited(
	made: SessionRecord,
	{ headline, bullets, next_actions: actions }: RecapRequest,
): SessionRecord {
	const lines = (texts: readonly string[]) => texts.map((text) => shownLine(text)).filter(Boolean);
	const next = actions ? lines(actions) : made.next_actions;
	const [first] = next;
	const { resume_hint: hint, next_kinds: kinds, ...rest } = made;
	return {
		...rest,
		...(!actions && kinds && { next_kinds: kinds }),
		generator: { type: "user_edited" },
		headline: clipColumns(headlineOf(headline), 80),
		bullets: bullets ? lines(bullets) : made.bullets,
		next_actions: next,
		...((hint || first) && { resume_hint: { ...hint, seed_instruction: first ?? "" } }),
	};
}
