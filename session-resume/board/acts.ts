import { accessSync, lstatSync, constants as modes, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { agentMark } from "../../session-core/agents/agents.ts";
import { summarize } from "../../session-core/catalog/index.ts";
import { type ExtensionContext, getAgentDir, isInTerminal, VERSION } from "../../session-core/host/index.ts";
import { canGo, type GoOutcome, type Lease, placeHere, wayTo } from "../../session-core/live/index.ts";
import { isFolder } from "../../session-core/regular-file.ts";
import {
	checkSession,
	fileErrorText,
	type HostNaming,
	hostNamePorts,
	nameByPerson,
	nameText,
	obstacleToCopy,
	type RenameOutcome,
	renameInFile,
	type SessionFileFailure,
	tooLargeText,
} from "../../session-core/session-file/index.ts";
import { describeWriter, otherWriter } from "../live/others.ts";
import { dropMarks } from "./marks.ts";
import type { Row } from "./row.ts";
import { hasTrash, moveToTrash } from "./trash.ts";

/** Actions on sessions, and the checks before them. */

/** Conditions that prevent an action on a session or that require asking the user first. They are determined right before the action. */
export interface Facts {
	row: Row;
	/** Why the action is impossible: the host would exit with an error, or would empty the file. */
	blocked: string | undefined;
	/** Whether the file is damaged, so that only a copy of the readable entries can be opened. */
	damaged: boolean;
	cwdExists: boolean;
	/** A description of the other process that has the session open. */
	writer: string | undefined;
	/** Whether the terminal of the other process that has the session open can be brought to the front. */
	canGo: boolean;
	/** Whether the agent is working in the session that is open in this process. */
	busy: boolean;
	trash: boolean;
	/** Whether the host itself asks for another folder if the session's folder no longer exists. The host does so only in a terminal. */
	hostAsksForCwd: boolean;
}

const REASONS: Readonly<Record<SessionFileFailure, string>> = {
	missing: "The file of this session is gone.",
	symlink: "The file of this session is a symlink; pi's session files are not.",
	not_regular: "The path of this session is not a regular file.",
	unreadable: "The file of this session cannot be read.",
	empty: "The file of this session is empty.",
	not_session: "The file of this session is damaged, and nothing in it can be read.",
};

/**
 * Returns the facts about a session. They are determined right before the action, because the list may be seconds old and the host exits
 * if it opens an invalid file.
 */
export async function factsOf(
	act: "open" | "fork" | "delete",
	row: Row,
	ctx: Pick<ExtensionContext, "ui" | "isIdle">,
	version = VERSION,
): Promise<Facts> {
	const lease = leaseOf(row);
	const writer = lease && describeWriter(lease);
	return {
		row,
		...(await obstacleTo(act, row, { writer, version })),
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer,
		canGo: lease !== undefined && canGo(lease, placeHere()),
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

/**
 * The result of deleting a session. `no_trash`: the session could not be moved to the trash. `kept`: nothing was deleted, because the
 * session must not be deleted.
 */
export type DeleteOutcome =
	| { ok: true; how: "trash" | "for_good" | "gone" }
	| { ok: false; reason: "no_trash" | "kept"; detail: string };

/**
 * Deletes a session's file, the folder of its subagents, its pin and its archive mark. First checks again whether the session may be
 * deleted, because another pi may have continued it since the user was asked. Throws if a file cannot be deleted permanently.
 */
export async function remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome> {
	const others = otherAgents(row);
	if (others) return { ok: false, reason: "kept", detail: others };
	const lease = leaseOf(row);
	if (lease) return { ok: false, reason: "kept", detail: `it is open in ${describeWriter(lease)}.` };
	const stat = lstatSync(row.path, { throwIfNoEntry: false });
	if (stat && (!stat.isFile() || stat.size !== row.size))
		return { ok: false, reason: "kept", detail: "it has changed just now." };
	// If the sessions of the subagents cannot be moved, the session itself remains, so that the user can try again.
	for (const path of [subagentFolder(row.path), ...(stat ? [row.path] : [])]) {
		if (path === undefined) continue;
		const detail = how === "trash" ? await moveToTrash(path) : undefined;
		if (detail !== undefined) return { ok: false, reason: "no_trash", detail };
		// Another process may delete it at the same time, which is not an error.
		if (how === "for_good") rmSync(path, { recursive: true, force: true });
	}
	dropMarks(getAgentDir(), row.mark);
	return { ok: true, how: stat ? how : "gone" };
}

/**
 * Returns the folder in which an extension for subagents keeps the sessions that a session started: beside its file, with the same name.
 * Undefined if there is none.
 */
function subagentFolder(path: string): string | undefined {
	const name = basename(path, ".jsonl");
	const folder = join(dirname(path), name);
	const isOwn = name !== "." && name !== ".." && folder !== path;
	return isOwn && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
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
	const others = otherAgents(row);
	if (others) return { ok: false, detail: others };
	const name = nameText(text);
	if (name === "") return { ok: false, detail: "the name has no visible characters." };
	if (!isCurrent) return renameInFile(row.path, name, new Date());
	const named = nameByPerson(hostNamePorts({ pi, manager }), name);
	return named.ok ? { ok: true, name } : { ok: false, detail: fileErrorText(named.detail) };
}

/** Returns why nothing may be done to a session of another agent: its file must not change, and pi cannot open it. */
function otherAgents({ agent, id }: Row): string | undefined {
	if (agent === "pi") return undefined;
	const mark = agentMark(agent);
	return `This session belongs to ${mark}, which keeps it. /resume-from ${id} continues it in pi; pi-sessions resume ${id} --agents, in ${mark}.`;
}

function leaseOf(row: Row): Lease | undefined {
	return otherWriter(getAgentDir(), { sessionFile: row.path, sessionId: row.id });
}

/** Returns why a session must not be deleted; undefined if it may be deleted. A damaged file may be deleted. */
function keptWhy({ path }: Row, writer: string | undefined): string | undefined {
	if (writer !== undefined) return `Not deleted: this session is open in ${writer}.`;
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return REASONS.missing;
	return stat.isFile() ? undefined : REASONS.not_regular;
}

async function obstacleTo(
	act: "open" | "fork" | "delete",
	row: Row,
	{ writer, version }: { writer: string | undefined; version: string },
): Promise<Pick<Facts, "blocked" | "damaged">> {
	const others = otherAgents(row);
	if (others) return blocked(others);
	return act === "delete" ? blocked(keptWhy(row, writer)) : obstacleOf(act, row, version);
}

/** Returns why the host must not open this file, because it would exit with an error or empty the file. */
async function obstacleOf(
	act: "open" | "fork",
	{ path }: Row,
	version: string,
): Promise<Pick<Facts, "blocked" | "damaged">> {
	const looked = summarize(path);
	if (!looked.ok && looked.reason !== "not_session") return blocked(REASONS[looked.reason]);
	const size = looked.ok ? looked.record.summary.size : (looked.stamp?.size ?? 0);
	const tooLarge = tooLargeText(size, version);
	if (tooLarge !== undefined) return blocked(tooLarge);
	const check = await checkSession(path);
	if (!check.ok) return blocked(REASONS[check.reason]);
	if (!check.sound) {
		const obstacle = await obstacleToCopy({ path });
		return obstacle ? blocked(REASONS.not_session) : { blocked: undefined, damaged: true };
	}
	if (act === "open" && !isWritable(path))
		return blocked("The file of this session is read-only, so pi cannot continue it. Fork it instead.");
	return blocked(undefined);
}

function blocked(why: string | undefined): Pick<Facts, "blocked" | "damaged"> {
	return { blocked: why, damaged: false };
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, modes.W_OK);
		return true;
	} catch {
		// Whatever the reason for the failed access check, the host would not be able to append to the file either.
		return false;
	}
}
