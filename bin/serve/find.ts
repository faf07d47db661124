/** Looks up the session or the recap that a request refers to. */

import { parseLine, wholeLines } from "../../session-core/log/index.ts";
import { readRecap, type SessionRecord } from "../../session-core/recap/index.ts";
import type { AddRecordDeps, ResumePlan } from "../../session-core/sessions/index.ts";
import {
	type GoOutcome,
	type Lease,
	type LiveTarget,
	leaseFinder,
	openLeases,
} from "../../session-core/sessions/live/index.ts";
import { outgoing } from "../../session-core/text/index.ts";
import type { OpenOutcome } from "../shell/programs.ts";
import type { Item, SessionBoard } from "./board.ts";
import { type Answer, type Refused, refused } from "./requests.ts";

export interface RoutesDeps extends AddRecordDeps {
	board: SessionBoard;
	cwd?: string | undefined;
	version: string;
	canOpen: boolean;
	/** Brings the terminal of a live session to the front. */
	goThere(target: LiveTarget): Promise<GoOutcome>;
	/** Returns why pi cannot open a session file of `size` bytes. */
	whyTooLarge(size: number): Promise<string | undefined>;
	startJob(plan: ResumePlan): Promise<OpenOutcome>;
	/** The host's program. */
	program: string;
	openWindow(command: readonly string[], cwd: string): Promise<OpenOutcome>;
}

const UNKNOWN_SESSION = refused(
	404,
	"unknown_session",
	"There is no session with this id.",
	"Use a complete id; GET /v1/sessions lists them.",
);

/** How a request names a session. The path is needed only if several files have the same id. */
export interface SessionName {
	id: string;
	/** In the same form as `path` in a session's JSON. */
	path?: string | undefined;
}

/**
 * Returns the session with this id. If several files share it, the path says which one is meant; without it, none of them may be shown,
 * written or resumed. The client's path is only compared with known paths.
 */
export function single({ board }: RoutesDeps, { id, path }: SessionName): { ok: true; item: Item } | Refused {
	const found = board
		.named(id)
		.filter(({ summary }) => path === undefined || path === summary.path || path === outgoing(summary.path));
	const [item] = found;
	if (!item) return UNKNOWN_SESSION;
	if (found.length === 1) return { ok: true, item };
	return refused(
		409,
		"ambiguous_id",
		`${found.length} session files have this id.`,
		'Add "path" as GET /v1/sessions lists it.',
	);
}

export async function withSession(
	deps: RoutesDeps,
	name: SessionName,
	answer: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer> {
	await deps.board.ready();
	const found = single(deps, name);
	return found.ok ? answer(found.item) : found;
}

export function sessionGone(reason: string): Refused {
	const message = `This session's file can no longer be read (${reason}).`;
	return refused(404, "session_gone", message, "Load the list again with GET /v1/sessions.");
}

export function leaseOf({ agentDir, now }: RoutesDeps, { summary }: Item): Lease | undefined {
	return leaseFinder(openLeases(agentDir, now()))(summary);
}

/** Matches record ids, including those created by other programs. Files are searched only for ids that match. */
const RECAP_ID = /^[\w-]{8,100}$/;

/**
 * Finds the session that contains a record. Searches the newest record of each session first, because these records are in memory, and then
 * all files, newest first.
 */
export async function findRecap(
	items: readonly Item[],
	recapId: string,
): Promise<{ item: Item; recap: SessionRecord } | undefined> {
	for (const item of items) {
		const { recap } = item.summary;
		if (recap?.id === recapId && recap.subject_id === item.id) return { item, recap };
	}
	if (!RECAP_ID.test(recapId)) return undefined;
	const wanted = Buffer.from(`"${recapId}"`);
	for (const item of items) {
		const recap = await recapIn(item, recapId, wanted);
		if (recap) return { item, recap };
	}
	return undefined;
}

/** Finds a record in a session file. Reads the file asynchronously, and parses only the lines that contain the id. */
async function recapIn(
	{ summary: { path }, id: subject }: Item,
	id: string,
	wanted: Buffer,
): Promise<SessionRecord | undefined> {
	let found: SessionRecord | undefined;
	await wholeLines(path, (line) => {
		if (!line.bytes.includes(wanted)) return undefined;
		const records = parseLine(line.bytes.toString("utf8")).objects.map(readRecap);
		found = records.find((recap) => recap?.id === id && recap.subject_id === subject);
		return found && "enough";
	});
	return found;
}
