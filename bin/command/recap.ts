import { type AddFailure, addRecord } from "../../session-core/recap/add-record.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { recapText } from "../../session-core/recap/text.ts";
import { readCheckout } from "../../session-core/repository.ts";
import { findSession } from "../sessions/find.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, NOT_FOUND, printJson, type World } from "../shell/world.ts";

const REASONS: Readonly<Record<Exclude<AddFailure, "exists" | "edited">, string>> = {
	nothing: "this session has no prompt yet.",
	off: "recaps are switched off.",
	short: "this session is too short for a recap.",
	inherited: "nothing has happened in this fork yet; request the recap of the session it was forked from.",
	live: "this session is open in pi, and only that process may write its file. Type /recap-card there.",
	damaged: "the file of this session is damaged. pi-sessions resume --repair opens a repaired copy.",
	moved_on: "the session changed while its recap was generated. Try again.",
	unreadable: "the file of this session cannot be read.",
	unwritable:
		"the file of this session cannot be written. Check its permissions and the free space on the disk.",
};

/** `pi-sessions recap` */
export async function recap(
	wanted: string,
	{ force, json }: { force?: boolean | undefined; json?: boolean | undefined },
	world: World,
): Promise<number> {
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	let words = await wordsFor(world);
	const print = (record: SessionRecord) => {
		if (json) printJson(record, world.out);
		else world.out.write(`${recapText(record, words)}\n`);
		return DONE;
	};
	const { agentDir, now, log } = world;
	const added = await addRecord(
		found.row,
		{ force },
		{
			agentDir,
			now,
			log,
			checkout: readCheckout,
			words: async (own) => (words = await wordsFor(world, own)),
		},
	);
	if (added.ok) return print(added.recap);
	const { reason, existing } = added;
	if (reason !== "exists" && reason !== "edited") return world.fail(REASONS[reason]);
	if (existing) print(existing);
	const author = reason === "edited" ? " that a person wrote" : "";
	return world.fail(`the last message already has a recap${author}; use --force to write another one.`, DONE);
}
