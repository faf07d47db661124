import { fileErrorText } from "../../session-core/session-file/append.ts";
import { nameText } from "../../session-core/session-file/name-records.ts";
import {
	type HostNaming,
	hostNamePorts,
	nameByPerson,
	type RenameOutcome,
	renameInFile,
} from "../../session-core/session-file/name-session.ts";
import { type DeleteOutcome, deleteSession, TRASH_SYSTEM } from "./delete.ts";
import { type FactsDeps, writerOf } from "./facts.ts";
import { dropMarks } from "./marks.ts";
import type { Row } from "./row.ts";

/** Acts on sessions, and what else the board needs only after its first rows are on screen. */

export { factsOf, goThere } from "./facts.ts";
export { cardOf, readSessionFacts } from "./preview-data.ts";
export { TranscriptPane } from "./transcript.ts";

export function remove(row: Row, how: "trash" | "for_good", deps: FactsDeps): Promise<DeleteOutcome> {
	return deleteSession(row, how, {
		writer: (one) => writerOf(one, deps),
		trash: TRASH_SYSTEM,
		dropMarks: ({ mark }) => dropMarks(deps.agentDir, mark),
	});
}

/** Through the host if it has the session open, because it keeps the name in memory; else in the file. */
export async function rename(
	row: Row,
	text: string,
	{ pi, manager, isCurrent }: Pick<HostNaming, "pi" | "manager"> & { isCurrent: boolean },
): Promise<RenameOutcome> {
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "nothing of that name can be shown." };
	if (!isCurrent) return renameInFile(row.path, name, new Date());
	const named = nameByPerson(hostNamePorts({ pi, manager, loaded: 0 }), name);
	return named.ok ? { ok: true, name } : { ok: false, detail: fileErrorText(named.detail) };
}
