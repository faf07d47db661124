import {
	dayMarkdown,
	dayText,
	listToday,
	type ScanReport,
	sinceTime,
} from "../../session-core/sessions/index.ts";
import { foldersOf, unreadLines } from "../sessions/index.ts";
import { DONE, FAILED, type World, wordsFor } from "../shell/world.ts";

type TodayOptions = { since?: string; all?: boolean; markdown?: boolean };

export async function today(options: TodayOptions, world: World): Promise<number> {
	const { fold, paint } = world;
	const { all = false, markdown } = options;
	const now = world.now();
	const since = sinceTime(options.since ?? "", now);
	const reports: ScanReport[] = [];
	const day = await listToday({
		...world,
		folders: foldersOf(world, all),
		project: all ? undefined : world.cwd,
		now,
		since,
		words: await wordsFor(world),
		onReport: (report) => void reports.push(report),
	});
	const unread = unreadLines(reports);
	for (const line of unread) world.say(line);
	if (day.sessions.length === 0 && unread.length > 0) return FAILED;
	if (day.sessions.length === 0) {
		world.note(
			all
				? "No sessions were active in this period.\n"
				: "No sessions in this project were active in this period. Use --all to include all projects.\n",
		);
		return DONE;
	}
	const view = { ...day, byProject: all };
	const look = {
		title: (text: string) => fold(text).map(paint.bold).join("\n"),
		facts: (text: string) => fold(text).map(paint.dim).join("\n"),
		item: (text: string) => fold(text, "  ").join("\n"),
	};
	world.print(markdown ? dayMarkdown(view) : dayText(view, look));
	return DONE;
}
