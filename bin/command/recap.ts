import { type AddFailure, addRecord } from "../../session-core/recap/add-record.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { recapText } from "../../session-core/recap/text.ts";
import { readCheckout } from "../../session-core/repository.ts";
import type { Words } from "../../session-core/words/words.ts";
import { findSession } from "../sessions/find.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND, printJson, type World } from "../shell/world.ts";

const REASONS: Readonly<Record<Exclude<AddFailure, "exists" | "edited">, string>> = {
	nothing: "nothing was asked in it yet.",
	off: "recaps are switched off.",
	short: "it is too short for a recap.",
	inherited:
		"nothing was said in this fork since it began; ask for the recap of the session it was forked from.",
	live: "it is open in a pi, and only that one may write its file. Type /recap-card there.",
	damaged:
		"its file is damaged, so nothing is added to it. pi-sessions resume --repair opens a repaired copy.",
	moved_on: "it changed while its recap was derived. Try again.",
	unreadable: "its file cannot be read.",
	unwritable: "its file cannot be written. Check its permissions and the space on the disk.",
};

/** `pi-sessions recap` */
export async function recap(
	wanted: string,
	{ force, json }: { force?: boolean | undefined; json?: boolean | undefined },
	world: World,
): Promise<number> {
	const say = (text: string) => world.err.write(`pi-sessions recap: ${text}\n`);
	const print = (found: SessionRecord, words: Words) => {
		if (json) printJson(found, world.out);
		else world.out.write(`${recapText(found, words)}\n`);
	};
	const found = await findSession(wanted, world);
	if (!found.ok) {
		say(found.told);
		return NOT_FOUND;
	}
	let words: Words | undefined;
	const { agentDir, now } = world;
	const added = await addRecord(
		found.row,
		{ force },
		{
			agentDir,
			now,
			checkout: readCheckout,
			words: async (own) => (words = await wordsFor(world, own)),
		},
	);
	if (added.ok) {
		print(added.recap, words ?? (await wordsFor(world)));
		return DONE;
	}
	const { reason, existing } = added;
	if (reason !== "exists" && reason !== "edited") {
		say(REASONS[reason]);
		return FAILED;
	}
	if (existing) print(existing, await wordsFor(world));
	const author = reason === "edited" ? "a person wrote it" : "nothing was said since";
	say(`its last message has a recap already (${author}); --force writes a new one.`);
	return DONE;
}
