import { copyAnswer } from "../../session-core/pi/host/index.ts";
import { midnightOf } from "../../session-core/recap/index.ts";
import { liveLeases } from "../../session-core/sessions/live/index.ts";
import { dayMarkdown, dayText, listToday } from "../../session-core/sessions/today.ts";
import type { ResumeContext } from "../session.ts";
import type { TodayAction } from "./arguments.ts";

/** The list is shown like the result of `/recall`, so Enter cannot send it. */
export async function runToday(
	{ type, all }: TodayAction,
	{ commons: { agentDir }, host, screen, session }: ResumeContext,
): Promise<void> {
	const now = Date.now();
	const since = midnightOf(now);
	const { sessions, more } = await listToday({
		agentDir,
		folders: all ? undefined : [host.folder],
		now,
		since,
		words: session.words,
		leases: liveLeases(agentDir, now),
	});
	if (!session.isLive()) return;
	if (sessions.length === 0)
		return screen.say(`today: no session ${all ? "" : "of this project "}has been used since midnight.`);
	const view = { sessions, more, now, since, byProject: all };
	if (type === "show") return screen.say(dayText(view));
	const answer = await copyAnswer(dayMarkdown(view), screen.isTerminal());
	if (session.isLive()) screen.say(`today: ${answer.text}`, answer.kind);
}
