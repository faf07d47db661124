import { execFile } from "node:child_process";
import type { Recap } from "../../session-core/recap/record.ts";
import { recapText } from "../../session-core/recap/text.ts";
import { type AddFailure, addRecord } from "../../session-core/records/add-record.ts";
import type { Words } from "../../session-core/words/words.ts";
import { type Exec, readCheckout } from "../../session-core/workspace/repository.ts";
import { findSession } from "../sessions/find.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND } from "../shell/exit.ts";
import { printJson } from "../shell/json.ts";
import type { World } from "../shell/world.ts";

export interface RecapOptions {
	force?: boolean | undefined;
	llm?: boolean | undefined;
	json?: boolean | undefined;
}

const WHICH = "which session? pi-sessions recap <title|id>; pi-sessions list lists them.";

const REASONS: Readonly<Record<Exclude<AddFailure, "exists" | "edited">, string>> = {
	nothing: "nothing was asked in it yet.",
	off: "recaps are switched off.",
	short: "there is too little in it yet.",
	inherited:
		"nothing was said in this fork since it began; ask for the recap of the session it was forked from.",
	live: "a pi has it open, and its file is that one's to write. Type /recap-card there.",
	damaged:
		"its file is damaged, so nothing is added to it. pi-sessions resume --repair opens a repaired copy.",
	moved_on: "it went on while its recap was made. Try again.",
	unreadable: "its file cannot be read.",
	unwritable: "its file cannot be written. Check its permissions and the room on the disk.",
};

/** `pi-sessions recap` */
export async function recap(wanted: string, options: RecapOptions, world: World): Promise<number> {
	const say = (text: string) => world.err.write(`pi-sessions recap: ${text}\n`);
	if (wanted === "") {
		say(WHICH);
		return NOT_FOUND;
	}
	const found = await findSession(wanted, world);
	if (!found.ok) {
		say(found.told);
		return NOT_FOUND;
	}
	if (options.llm) {
		const { askHost } = await import("./ask-host.ts");
		const asked = await askHost(found.row, { force: options.force ?? false }, world);
		if (asked.ok) print(asked.recap, await wordsFor(world), options, world);
		say(asked.told);
		return asked.ok ? DONE : FAILED;
	}
	let words: Words | undefined;
	const { agentDir, now } = world;
	const added = await addRecord(found.row, options, {
		agentDir,
		now,
		checkout: (cwd) => readCheckout(exec, cwd),
		words: async (own) => (words = await wordsFor(world, own)),
	});
	if (added.ok) {
		print(added.recap, words ?? (await wordsFor(world)), options, world);
		return DONE;
	}
	const { reason, existing } = added;
	if (reason !== "exists" && reason !== "edited") {
		say(REASONS[reason]);
		return FAILED;
	}
	if (existing) print(existing, await wordsFor(world), options, world);
	const author = reason === "edited" ? "a person wrote it" : "nothing was said since";
	say(`there is one for its last message (${author}); --force writes a new one.`);
	return DONE;
}

function print(found: Recap, words: Words, { json }: RecapOptions, { out }: World): void {
	if (json) printJson(found, out);
	else out.write(`${recapText(found, words)}\n`);
}

/** Never rejects: git may be missing, or the folder gone. */
const exec: Exec = (file, args, { cwd, timeout }) =>
	new Promise((resolve) => {
		execFile(file, args, { cwd, timeout }, (error, stdout) => {
			resolve({ stdout, code: error ? 1 : 0, killed: error?.killed ?? false });
		});
	});
