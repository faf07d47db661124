import {
	type DeleteHow,
	type DeleteOutcome,
	deleteSession,
	fileErrorText,
	type HostNaming,
	hasTrash,
	isCopyable,
	nameByPerson,
	nameText,
	obstacleToDelete,
	type RenameOutcome,
	renameInFile,
	type SessionFileFailure,
	tooLargeText,
} from "../../session-core/log/index.ts";
import { type ExtensionContext, getAgentDir, isInTerminal, VERSION } from "../../session-core/pi/index.ts";
import {
	canGo,
	dropMarks,
	explainAnswer,
	fileObstacle,
	type GoOutcome,
	type Lease,
	type Mark,
	openLeases,
	overlapsOf,
	readMarks,
	sendAnswer,
	setMark,
	wayTo,
	withForeignChanges,
} from "../../session-core/sessions/index.ts";
import { isFolder, isWritable } from "../../session-core/text/files/index.ts";
import { describeWriter, liveStates, otherWriter } from "../live/leases.ts";
import type { Row } from "./list.ts";

/** Actions on sessions, and the checks before them. */
export type Acts = ReturnType<typeof createActs>;

export function createActs(
	pi: HostNaming["pi"],
	ctx: Pick<ExtensionContext, "ui" | "cwd" | "isIdle"> & { sessionManager: HostNaming["manager"] },
) {
	const agentDir = getAgentDir();
	const manager = ctx.sessionManager;
	return {
		here: ctx.cwd,
		facts: (act: "open" | "fork" | "delete", row: Row) => factsOf(act, row, ctx),
		rename: (row: Row, name: string) =>
			rename(row, name, { pi, manager, isCurrent: row.path === manager.getSessionFile() }),
		remove,
		go: goThere,
		answer,
		overlaps: async () => {
			const now = Date.now();
			return overlapsOf(await withForeignChanges(openLeases(agentDir, now), { agentDir, now }));
		},
		marks: () => readMarks(agentDir),
		setMark: (row: Row, mark: Mark, on: boolean) => setMark(agentDir, row.mark, mark, on),
		live: () => liveStates(agentDir),
	};
}

/**
 * Conditions that prevent an action or require a question first. The list may be seconds old, so these conditions are determined right
 * before the action.
 */
export interface Facts {
	row: Row;
	/** Why the action is impossible: the host would exit with an error, or would empty the file. */
	blocked: string | undefined;
	/** Whether the file is damaged, so that only a copy of the readable entries can be opened. */
	damaged: boolean;
	cwdExists: boolean;
	writer: string | undefined;
	/** Whether the terminal of the other process that has the session open can be brought to the front. */
	canGo: boolean;
	busy: boolean;
	trash: boolean;
	/** Whether the host itself asks for another folder if the session's folder no longer exists, which it does only in a terminal. */
	hostAsksForCwd: boolean;
}

const REASONS: Readonly<Record<SessionFileFailure, string>> = {
	missing: "The file of this session is gone.",
	symlink: "The file of this session is a symlink; pi's session files are not.",
	not_regular: "The path of this session is not a regular file.",
	unreadable: "The file of this session cannot be read.",
	empty: "The file of this session is empty.",
	not_session: "This session's file is damaged, and nothing in it can be read.",
};

export async function factsOf(
	act: "open" | "fork" | "delete",
	row: Row,
	ctx: Pick<ExtensionContext, "ui" | "isIdle">,
): Promise<Facts> {
	const lease = leaseOf(row);
	const writer = lease && describeWriter(lease);
	return {
		row,
		blocked: undefined,
		damaged: false,
		...(await obstacleTo(act, row, writer)),
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer,
		canGo: lease !== undefined && canGo(lease),
		trash: act === "delete" && hasTrash(),
		busy: !ctx.isIdle(),
		hostAsksForCwd: isInTerminal(ctx),
	};
}

export async function goThere(row: Row): Promise<GoOutcome> {
	const lease = leaseOf(row);
	return lease
		? wayTo(lease).go()
		: { ok: false, reason: "no_way", message: "The session was closed in the other terminal a moment ago." };
}

/** Sends the user's answer to the pi that has the session open. `stamp`: the id of the last message that the user saw. */
async function answer(
	row: Row,
	stamp: string,
	text: string,
): Promise<{ ok: true } | { ok: false; detail: string }> {
	const lease = leaseOf(row);
	if (!lease) return { ok: false, detail: explainAnswer("closed") };
	const outcome = await sendAnswer(getAgentDir(), lease, { stamp, text, from: "board" });
	return outcome.ok ? outcome : { ok: false, detail: explainAnswer(outcome.reason) };
}

/** Deletes a session, unless another pi has continued it since the user was asked. Throws if a file cannot be deleted permanently. */
export async function remove(row: Row, how: DeleteHow): Promise<DeleteOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, reason: "kept", detail: others };
	const lease = leaseOf(row);
	if (lease) return { ok: false, reason: "kept", detail: `it is open in ${describeWriter(lease)}.` };
	const outcome = await deleteSession(row, how);
	if (outcome.ok) dropMarks(getAgentDir(), row.mark);
	return outcome;
}

/**
 * Renames a session. If the session is open here, it is renamed through the host, because the host keeps the name in memory. Otherwise, the
 * name is written to the file.
 */
export async function rename(
	row: Row,
	text: string,
	{ pi, manager, isCurrent }: HostNaming & { isCurrent: boolean },
): Promise<RenameOutcome> {
	const others = notOurs(row);
	if (others) return { ok: false, detail: others };
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "the name has no visible characters." };
	if (!isCurrent) return renameInFile(row.path, name);
	const named = nameByPerson({ pi, manager }, name);
	return named.ok ? { ok: true, name } : { ok: false, detail: fileErrorText(named.detail) };
}

/** Returns why a file must not be changed; undefined if it may be changed. */
function notOurs({ format, id }: Row): string | undefined {
	if (format.canChange) return undefined;
	const { mark } = format;
	return `This session belongs to ${mark}, so pi does not change its file. To continue it in pi, type /resume-from ${id}; to continue it in ${mark}, run pi-sessions resume ${id}.`;
}

function leaseOf(row: Row): Lease | undefined {
	return otherWriter(getAgentDir(), { sessionFile: row.path, sessionId: row.id });
}

/** Returns why a session must not be deleted; undefined if it may be deleted. A damaged file may be deleted. */
function keptWhy({ path }: Row, writer: string | undefined): string | undefined {
	if (writer !== undefined) return `Not deleted: this session is open in ${writer}.`;
	const obstacle = obstacleToDelete(path);
	return obstacle && REASONS[obstacle];
}

/**
 * Returns why a session's file prevents an action. A file that the host would replace with an empty session, or that would make the host
 * exit, counts as damaged or blocked.
 */
async function obstacleTo(
	act: "open" | "fork" | "delete",
	row: Row,
	writer: string | undefined,
): Promise<Partial<Pick<Facts, "blocked" | "damaged">>> {
	const others = notOurs(row);
	if (others) return { blocked: others };
	if (act === "delete") return { blocked: keptWhy(row, writer) };
	const { path } = row;
	const obstacle = await fileObstacle(path, (size) => tooLargeText(size, VERSION));
	if (obstacle?.reason === "too_large") return { blocked: obstacle.detail };
	if (obstacle?.reason === "damaged")
		return (await isCopyable(path)) ? { damaged: true } : { blocked: REASONS.not_session };
	if (obstacle) return { blocked: REASONS[obstacle.reason] };
	if (act === "open" && !isWritable(path))
		return { blocked: "The file of this session is read-only, so pi cannot continue it. Fork it instead." };
	return {};
}
