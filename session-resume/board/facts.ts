import { constants } from "node:buffer";
import { accessSync, lstatSync, constants as modes, statSync } from "node:fs";
import { canGo } from "../../session-core/live-terminal/can-go.ts";
import { hostReading } from "../../session-core/store/host-reading.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import { placeOf } from "../../session-core/store/machine.ts";
import { canRepair } from "../../session-core/store/repaired-copy.ts";
import type { SessionFileFailure } from "../../session-core/store/session-file.ts";
import { summarize } from "../../session-core/store/summarize.ts";
import type { Words } from "../../session-core/words/words.ts";
import { describeWriter } from "../live/question.ts";
import { otherWriter } from "../live/writers.ts";
import { TRASH_SYSTEM, trashCommands } from "./trash.ts";
import type { Act, Facts, Row } from "./types.ts";

export interface FactsDeps {
	agentDir: string;
	now(): number;
	/** The agent works in the session that is open here. */
	isBusy(): boolean;
	hostAsksForCwd: boolean;
	/** Default: English. */
	words?: Words;
	/** Bytes of the largest file that the host can read. Default: what a string can hold, because it reads files whole. */
	largest?: number;
}

const REASONS: Readonly<Record<SessionFileFailure, string>> = {
	missing: "The file of this session is gone.",
	symlink: "The file of this session is a link; pi sessions are not.",
	not_regular: "What stands in this session's place is no file.",
	unreadable: "The file of this session cannot be read.",
	empty: "The file of this session is empty.",
	not_session: "The file of this session is damaged: pi would put an empty session in its place.",
};

/** What stands in the way of an act, looked up now: the list may be seconds old, and a wrong step ends the host. */
export async function factsOf(act: Act, row: Row, deps: FactsDeps): Promise<Facts> {
	const lease = leaseOf(row, deps);
	const writer = lease && describeWriter(lease, deps.now());
	const obstacle =
		act === "delete"
			? blocked(keptWhy(row, writer))
			: await obstacleOf(act, row, deps.largest ?? constants.MAX_STRING_LENGTH);
	return {
		row,
		...obstacle,
		cwdExists: row.cwd === "" || isFolder(row.cwd),
		writer,
		canGo: lease !== undefined && canGo(lease, placeOf(deps.agentDir)),
		trash: act === "delete" && trashCommands(TRASH_SYSTEM).length > 0,
		busy: deps.isBusy(),
		hostAsksForCwd: deps.hostAsksForCwd,
	};
}

/** Who else has the session open, in words. */
export function writerOf(row: Row, deps: Pick<FactsDeps, "agentDir" | "now" | "words">): string | undefined {
	const lease = leaseOf(row, deps);
	return lease && describeWriter(lease, deps.now(), deps.words);
}

/** The claim of whoever else has the session open. */
export function leaseOf(row: Row, { agentDir, now }: Pick<FactsDeps, "agentDir" | "now">): Lease | undefined {
	return otherWriter(agentDir, { sessionFile: row.path, sessionId: row.id }, now());
}

/** Why a session is not deleted. A damaged file may be. */
function keptWhy({ path }: Row, writer: string | undefined): string | undefined {
	if (writer !== undefined) return `Not deleted: this session is open in ${writer}.`;
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return REASONS.missing;
	return stat.isFile() ? undefined : REASONS.not_regular;
}

/** Why the host must not be sent to this file: it would end itself with an error, or empty the file. */
async function obstacleOf(
	act: "open" | "fork",
	{ path }: Row,
	largest: number,
): Promise<Pick<Facts, "blocked" | "damage">> {
	const looked = summarize(path);
	if (!looked.ok && looked.reason !== "not_session") return blocked(REASONS[looked.reason]);
	const size = looked.ok ? looked.record.summary.size : (looked.stamp?.size ?? 0);
	if (size > largest) {
		return blocked(
			`This session is too large for pi: ${mebibytes(size)} MB, of at most ${mebibytes(largest)} MB.`,
		);
	}
	const reading = await hostReading(path);
	if (!reading.ok) return blocked(REASONS[reading.reason]);
	if (!reading.reads && (await canRepair(path))) return { blocked: undefined, damage: reading.why };
	if (!reading.reads || !looked.ok) return blocked(REASONS.not_session);
	if (act === "open" && !isWritable(path))
		return blocked("The file of this session is read-only, so pi could not go on with it. Fork it.");
	return blocked(undefined);
}

function blocked(why: string | undefined): Pick<Facts, "blocked" | "damage"> {
	return { blocked: why, damage: undefined };
}

function mebibytes(bytes: number): number {
	return Math.round(bytes / 1024 / 1024);
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, modes.W_OK);
		return true;
	} catch {
		// Whatever the reason, the host could not append either.
		return false;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
