import { getAgentDir } from "@mariozechner/pi-coding-agent";
import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import { nameText } from "../../session-core/naming/name-text.ts";
import { type HostNaming, hostNamePorts } from "../../session-core/naming/ports.ts";
import { type RenameOutcome, renameInFile } from "../../session-core/naming/rename-in-file.ts";
import { nameByPerson } from "../../session-core/naming/write.ts";
import { causeOf } from "../../session-core/text/cause.ts";
import type { Words } from "../../session-core/words/words.ts";
import { wayTo } from "../live/go-there.ts";
import { tellOthers } from "../live/tell-name.ts";
import { type FactsDeps, leaseOf, writerOf } from "./facts.ts";
import { dropMarks } from "./marks.ts";
import { removeSession } from "./remove.ts";
import { TRASH_SYSTEM } from "./trash.ts";
import type { DeleteOutcome, Row } from "./types.ts";

/** What the board does to a session. Loaded with the first act: to list sessions, none of it is needed. */

export { factsOf } from "./facts.ts";

export function remove(row: Row, how: "trash" | "for_good", facts: FactsDeps): Promise<DeleteOutcome> {
	return removeSession(row, how, {
		writer: (one) => writerOf(one, facts),
		trash: TRASH_SYSTEM,
		dropMarks: ({ mark }) => dropMarks(facts.agentDir, mark),
	});
}

export async function goThere(row: Row, facts: FactsDeps, words: Words): Promise<GoOutcome> {
	const lease = leaseOf(row, facts);
	return lease
		? wayTo(facts.agentDir, lease, words).go()
		: { ok: false, reason: "no_way", told: words.terminal.closed };
}

/** Through the host where it has the session open: it holds the name in memory. */
export function rename(
	row: Row,
	text: string,
	{ pi, manager, isCurrent }: Pick<HostNaming, "pi" | "manager"> & { isCurrent: boolean },
): RenameOutcome | Promise<RenameOutcome> {
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "nothing of that name can be shown." };
	if (!isCurrent) return renameElsewhere(row, name);
	const named = nameByPerson(hostNamePorts({ pi, manager, loaded: 0 }), name);
	if (!named.ok) return { ok: false, detail: causeOf(named.detail) };
	// It is in the file already: another pi that has the session open and does not answer sees it when it opens it next.
	void tellOthers(getAgentDir(), row, name);
	return { ok: true, name };
}

/** Through the process that has it open, if one has; else in its file. */
async function renameElsewhere(row: Row, name: string): Promise<RenameOutcome> {
	const told = await tellOthers(getAgentDir(), row, name);
	switch (told) {
		case "taken":
			return { ok: true, name };
		case "not_written":
			return { ok: false, detail: "the pi that has it open could not write it." };
		case "at_work":
			// What that one appends in the same moment would end up on a branch of its own.
			return { ok: false, detail: "it is at work in another pi; try again when it is done." };
		case "not_taken":
			return renameInFile(row.path, name, new Date());
	}
}
