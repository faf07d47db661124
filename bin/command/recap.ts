import { recapText, type SessionRecord } from "../../session-core/recap/index.ts";
import { addRecord } from "../../session-core/sessions/add-record.ts";
import { readCheckout } from "../../session-core/text/files/index.ts";
import { findSession } from "../sessions/find.ts";
import { RECAP_PROBLEMS } from "../sessions/recap-problems.ts";
import { DONE, NOT_FOUND, printJson, type World, wordsFor } from "../shell/world.ts";

interface RecapOptions {
	force?: boolean;
	json?: boolean;
}

export async function makeRecap(
	{ force, json }: RecapOptions,
	world: World,
	wanted: string,
): Promise<number> {
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const forLanguage = await wordsFor(world);
	let words = forLanguage(undefined);
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
			words: (own) => (words = forLanguage(own)),
		},
	);
	if (added.ok) return print(added.recap);
	const { reason, existing } = added;
	const [, message, remedy] = RECAP_PROBLEMS[reason];
	if (reason !== "exists" && reason !== "edited") return world.fail(`${message} ${remedy}`);
	if (existing) print(existing);
	return world.fail(`${message} Use --force to write another one.`, DONE);
}
