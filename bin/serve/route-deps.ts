import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { LiveTarget } from "../../session-core/live-terminal/where.ts";
import type { AddRecordDeps } from "../../session-core/records/add-record.ts";
import type { SessionBoard } from "./board.ts";
import type { Item } from "./item.ts";
import { type LiveSession, type LiveSessions, liveFinder } from "./live.ts";
import { type Answer, type Problem, refused } from "./problem.ts";
import type { WindowOutcome } from "./tmux.ts";

/** What routes work with. */
export interface RoutesDeps extends AddRecordDeps {
	board: SessionBoard;
	live: LiveSessions;
	version: string;
	clients(): number;
	canOpen: boolean;
	/** Brings the terminal of a live session to the front. */
	goThere(target: LiveTarget): Promise<GoOutcome>;
	openWindow(command: readonly string[], cwd: string): Promise<WindowOutcome>;
}

const UNKNOWN_SESSION = refused(
	404,
	"unknown_session",
	"There is no session with this id.",
	"GET /v1/sessions lists them; ids are given whole.",
);

export type FoundItem = { ok: true; item: Item } | { ok: false; problem: Problem };

/** The one session of this id: nothing is shown of, written to or begun in one that was perhaps not meant. */
export function theOne({ board }: Pick<RoutesDeps, "board">, id: string): FoundItem {
	const found = board.named(id);
	const [item] = found;
	if (!item) return UNKNOWN_SESSION;
	if (found.length === 1) return { ok: true, item };
	return refused(
		409,
		"ambiguous_id",
		`${found.length} session files have this id.`,
		"pi-sessions show <id> lists the files; pi-sessions takes a file's path, too.",
	);
}

export async function withSession(
	deps: Pick<RoutesDeps, "board">,
	id: string | undefined,
	answer: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer> {
	await deps.board.settled();
	const found = theOne(deps, id ?? "");
	return found.ok ? answer(found.item) : found;
}

/** What another process does in a session. */
export function liveOf(
	{ live }: Pick<RoutesDeps, "live">,
	item: Item,
	sessions = live.recent(),
): LiveSession | undefined {
	return liveFinder(sessions)(item);
}
