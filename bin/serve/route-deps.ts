import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { LiveTarget } from "../../session-core/live-terminal/where.ts";
import type { AddRecordDeps } from "../../session-core/records/add-record.ts";
import type { SessionBoard } from "./board.ts";
import type { Item } from "./item.ts";
import { type LiveSession, type LiveSessions, liveFinder } from "./live.ts";
import { type Answer, refused } from "./problem.ts";
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

export const UNKNOWN_SESSION = refused(
	404,
	"unknown_session",
	"There is no session with this id.",
	"GET /v1/sessions lists them; ids are given whole.",
);

export async function withSession(
	{ board }: Pick<RoutesDeps, "board">,
	id: string | undefined,
	answer: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer> {
	await board.settled();
	const item = board.find(id ?? "");
	return item ? answer(item) : UNKNOWN_SESSION;
}

/** What another process does in a session. */
export function liveOf(
	{ live }: Pick<RoutesDeps, "live">,
	item: Item,
	sessions = live.recent(),
): LiveSession | undefined {
	return liveFinder(sessions)(item);
}
