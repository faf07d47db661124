import { midnightOf } from "../../session-core/recap/index.ts";
import { dayMarkdown, dayText, listToday, type ScanReport } from "../../session-core/sessions/index.ts";
import { liveLeases } from "../../session-core/sessions/live/index.ts";
import { sinceTime } from "../../session-core/sessions/search/index.ts";
import { foldersOf, isSamePlace, unreadLines } from "../sessions/find.ts";
import { columnsOf, DONE, FAILED, paintFor, type World, wordsFor, wrapped } from "../shell/world.ts";

interface TodayOptions {
	since?: string;
	all?: boolean;
	markdown?: boolean;
}

export async function today(options: TodayOptions, world: World): Promise<number> {
	const now = world.now();
	const { all = false, markdown } = options;
	const since = sinceTime(options.since ?? "", now) ?? midnightOf(now);
	const words = await wordsFor(world);
	const reports: ScanReport[] = [];
	const found = await listToday({
		...world,
		folders: foldersOf(world, all),
		now,
		since,
		words,
		leases: liveLeases(world.agentDir, now),
		onReport: (report) => void reports.push(report),
	});
	const unread = unreadLines(reports);
	for (const line of unread) world.say(line);
	const isHere = all || world.sessionDir === undefined;
	const sessions = isHere
		? found.sessions
		: found.sessions.filter(({ view }) => isSamePlace(view.cwd, world.cwd));
	if (sessions.length === 0 && unread.length > 0) return FAILED;
	if (sessions.length === 0) {
		const where = all ? "" : " in this project. Use --all to include all projects";
		world.err.write(`No session was active${where}.\n`);
		return DONE;
	}
	const view = { sessions, more: found.more, now, since, byProject: all };
	const paint = paintFor(world.out, world.env);
	const fold = (text: string, indent = "") => wrapped(text, columnsOf(world.out), indent);
	const look = {
		title: (text: string) => fold(text).map(paint.bold).join("\n"),
		facts: (text: string) => fold(text).map(paint.dim).join("\n"),
		item: (text: string) => fold(text, "  ").join("\n"),
	};
	world.out.write(`${markdown ? dayMarkdown(view) : dayText(view, look)}\n`);
	return DONE;
}
