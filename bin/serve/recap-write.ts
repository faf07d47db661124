import type { Recap } from "../../session-core/recap/record.ts";
import { type AddFailure, type AddRecordDeps, addRecord } from "../../session-core/records/add-record.ts";
import { shownLine } from "../../session-core/store/shown-line.ts";
import type { Item } from "./item.ts";
import { type Problem, refused } from "./problem.ts";
import { kindOf } from "./recap-read.ts";
import type { RecapRequest } from "./schemas.ts";

export type Written = { ok: true; recap: Recap } | { ok: false; problem: Problem };

/** Writes a recap into a session that no process has open. */
export async function writeRecap(item: Item, request: RecapRequest, deps: AddRecordDeps): Promise<Written> {
	const early = obstacle(item, request);
	if (early) return early;
	const { force, generator } = request;
	const edit = generator === "user_edited" ? (made: Recap) => edited(made, request) : undefined;
	const added = await addRecord(item.summary, { force, edit }, deps);
	if (added.ok) return added;
	const { status, message, remedy } = REFUSALS[added.reason];
	return refused(status, added.reason, message, remedy);
}

/** What is wrong with the wish, whatever the session holds. */
function obstacle(item: Item, { kind, generator, headline }: RecapRequest): Written | undefined {
	const own = kindOf(item);
	if (kind !== own) {
		return refused(422, "wrong_kind", `This is a ${own}, not a ${kind}.`, `Say "kind": "${own}".`);
	}
	if (generator === "llm") {
		return refused(
			501,
			"generator_not_available",
			"Models are asked by pi, which has the credentials; this server has none.",
			'Say "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
		);
	}
	if (generator === "user_edited" && headline === undefined) {
		return refused(422, "no_headline", "A recap of your own needs a headline.", 'Add "headline".');
	}
	return undefined;
}

const REFUSALS: Readonly<
	Record<AddFailure, { status: 404 | 409 | 422 | 423; message: string; remedy: string }>
> = {
	exists: {
		status: 409,
		message: "There is a recap for this session's last message.",
		remedy: 'GET /v1/recap shows it; "force": true writes another.',
	},
	edited: {
		status: 409,
		message: "The recap for this session's last message was written by a person.",
		remedy: 'GET /v1/recap shows it; "force": true writes another.',
	},
	nothing: {
		status: 422,
		message: "Nothing was asked in this session yet.",
		remedy: "Write a recap when there is something to tell.",
	},
	inherited: {
		status: 422,
		message: "Nothing was said in this fork since it began.",
		remedy: "Ask for the recap of the session that it was forked from.",
	},
	short: { status: 422, message: "This session is too short for a recap.", remedy: 'Say "force": true.' },
	off: {
		status: 422,
		message: "Recaps are switched off.",
		remedy: "See resume.minMessages in the settings.",
	},
	live: {
		status: 423,
		message: "This session is open in another process, and its file is that process's to write.",
		remedy: "Type /recap-card there, or try again when it is closed.",
	},
	damaged: {
		status: 422,
		message: "This session's file is damaged, so nothing is added to it.",
		remedy: "Open it with /sessions in pi: that offers a repaired copy.",
	},
	moved_on: { status: 409, message: "The session went on while its recap was made.", remedy: "Try again." },
	unreadable: {
		status: 404,
		message: "The file of this session is not readable any more.",
		remedy: "Ask for /v1/sessions again.",
	},
	unwritable: {
		status: 422,
		message: "The session's file cannot be written.",
		remedy: "Check the file's permissions and the room on the disk.",
	},
};

/** A person's words over what the log says. */
function edited(made: Recap, { headline, bullets, next_actions: actions }: RecapRequest): Recap {
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
