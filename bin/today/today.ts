import { homedir } from "node:os";
import type { ScanReport } from "../../session-core/store/scan.ts";
import { listToday } from "../../session-core/today/list-today.ts";
import { dayMarkdown } from "../../session-core/today/markdown.ts";
import { midnightOf } from "../../session-core/today/session.ts";
import { isSamePlace, projectFolders } from "../sessions/place.ts";
import { unreadLines } from "../sessions/unread.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND } from "../shell/exit.ts";
import type { World } from "../shell/world.ts";
import { sinceTime } from "./since.ts";
import { dayLines } from "./text.ts";

export interface TodayWish {
	since?: string | undefined;
	all?: boolean | undefined;
	markdown?: boolean | undefined;
}

/** `pi-sessions today` */
export async function today(wish: TodayWish, world: World): Promise<number> {
	const { all = false, markdown } = wish;
	const now = world.now();
	const since = wish.since === undefined ? midnightOf(now) : sinceTime(wish.since, now);
	if (since === undefined) {
		world.err.write("pi-sessions today: --since is a time like 90m, 8h or 2d, or a date that has been.\n");
		return NOT_FOUND;
	}
	const words = await wordsFor(world);
	const reports: ScanReport[] = [];
	const told = (report: ScanReport) => void reports.push(report);
	const found = await listToday({ ...world, folders: projectFolders(world, all), now, since, words, told });
	const unread = unreadLines(reports);
	for (const line of unread) world.err.write(`pi-sessions today: ${line}\n`);
	const isHere = all || world.sessionDir === undefined;
	const sessions = isHere ? found.sessions : found.sessions.filter(({ cwd }) => isSamePlace(cwd, world.cwd));
	if (sessions.length === 0 && unread.length > 0) return FAILED;
	if (sessions.length === 0) {
		world.err.write(`Nothing was said${all ? "" : " in this project; --all looks at all"}.\n`);
		return DONE;
	}
	const view = { sessions, more: found.more, now, since, byProject: all, home: homedir(), words };
	world.out.write(`${markdown ? dayMarkdown(view) : dayLines(view, world).join("\n")}\n`);
	return DONE;
}
