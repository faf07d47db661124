import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import type { Recap } from "../../session-core/recap/record.ts";
import { makeRecord } from "../../session-core/records/make-record.ts";
import { type Refusal, refusal } from "../../session-core/records/refusal.ts";
import { ownRecord } from "../../session-core/records/stored-records.ts";
import { appendBelow } from "../../session-core/session/append-below.ts";
import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import { shownLine } from "../../session-core/store/shown-line.ts";
import { RECAP_ENTRY } from "../../session-core/store/stored-recap.ts";
import type { Checkout } from "../../session-core/workspace/repository.ts";
import type { Item } from "./item.ts";
import { type Problem, refused } from "./problem.ts";
import { kindOf, openItem } from "./recap-read.ts";
import type { RecapWords } from "./recap-words.ts";
import type { RecapRequest } from "./schemas.ts";

export interface WriteDeps {
	/** What another process does in this session; undefined: none has it open. */
	liveState(item: Item): string | undefined;
	checkout(cwd: string): Promise<Checkout | undefined>;
	now(): number;
	words: RecapWords;
}

export type Written = { ok: true; recap: Recap } | { ok: false; problem: Problem };

/**
 * Writes a recap into a session that no process has open. A live session's file belongs to its process, which would hang its
 * next message beside ours.
 */
export async function writeRecap(item: Item, request: RecapRequest, deps: WriteDeps): Promise<Written> {
	const early = obstacle(item, request, deps);
	if (early) return early;
	const checkout = await deps.checkout(item.summary.cwd);
	const opened = await openItem(item);
	if (!opened.ok) return opened;
	const { file, reading } = opened;
	const existing = ownRecord(reading.records, item.id);
	const reason = refusal({
		...reading,
		cause: "typed",
		minMessages: 0,
		existing,
		force: request.force ?? false,
		wantsModel: false,
	});
	if (reason) return refusedFor(reason);
	const made = makeRecord(reading, {
		id: randomUUID(),
		subjectId: item.id,
		now: deps.now(),
		words: await deps.words(reading.language),
		kind: kindOf(item),
		cwd: item.summary.cwd,
		checkout,
	});
	const recap = request.generator === "user_edited" ? edited(made, request) : made;
	return append(item, recap, file.stamp.size, deps);
}

/** Why nothing is read, let alone written. */
function obstacle(item: Item, request: RecapRequest, deps: WriteDeps): Written | undefined {
	const kind = kindOf(item);
	if (request.kind !== kind) {
		return refused(422, "wrong_kind", `This is a ${kind}, not a ${request.kind}.`, `Say "kind": "${kind}".`);
	}
	if (request.generator === "llm") {
		return refused(
			501,
			"generator_not_available",
			"Models are asked by pi, which has the credentials; this server has none.",
			'Say "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
		);
	}
	if (request.generator === "user_edited" && request.headline === undefined) {
		return refused(422, "no_headline", "A recap of your own needs a headline.", 'Add "headline".');
	}
	if (!item.summary.hostReads) {
		return refused(
			422,
			"damaged",
			"pi would not read this session's file, so nothing is added to it.",
			"Open it with /sessions in pi: that offers a repaired copy.",
		);
	}
	return liveRefusal(item, deps);
}

function liveRefusal(item: Item, deps: WriteDeps): Written | undefined {
	const state = deps.liveState(item);
	return state === undefined
		? undefined
		: refused(
				423,
				"live",
				`This session is open in another process (${state}), and its file is that process's to write.`,
				"Type /recap-card there, or try again when it is closed.",
			);
}

const REFUSALS: Readonly<Record<Refusal, { status: 409 | 422; message: string; remedy: string }>> = {
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
};

function refusedFor(reason: Refusal): Written {
	const { status, message, remedy } = REFUSALS[reason];
	return refused(status, reason, message, remedy);
}

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

/** Appends if the file still is what was read: nothing is between this look and the write but the write. */
function append(item: Item, recap: Recap, size: number, deps: WriteDeps): Written {
	const leaf = fileLeafId(item.path);
	if (leaf === undefined) {
		return refused(
			422,
			"unreadable_end",
			"The end of this session's file cannot be read, so nothing is added to it.",
			"Open it in pi once: that mends old formats; a torn file is offered as a repaired copy.",
		);
	}
	const live = liveRefusal(item, deps);
	if (live) return live;
	if (lstatSync(item.path, { throwIfNoEntry: false })?.size !== size) {
		return refused(409, "moved_on", "The session went on while its recap was made.", "Try again.");
	}
	try {
		appendBelow(item.path, leaf, { customType: RECAP_ENTRY, data: recap });
		return { ok: true, recap };
	} catch {
		return refused(
			422,
			"unwritable",
			"The session's file cannot be written.",
			"Check the file's permissions and the room on the disk.",
		);
	}
}
