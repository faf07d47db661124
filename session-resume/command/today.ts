import { homedir } from "node:os";
import { helpText, unknownText } from "../../session-core/command/options.ts";
import { copyAnswer } from "../../session-core/host/clipboard.ts";
import { liveLeases } from "../../session-core/live/lease-files.ts";
import { listToday } from "../../session-core/session-view/list-today.ts";
import { dayMarkdown, dayText, midnightOf } from "../../session-core/session-view/today.ts";
import type { ResumeContext } from "../context.ts";
import { parseToday, TODAY_OPTIONS } from "./arguments.ts";

/** `/today …`: what the sessions have done since midnight. It is shown like the answer of `/recall`, so Enter cannot send it. */
export async function runToday(
	args: string,
	{ agentDir, host, screen, session }: Pick<ResumeContext, "agentDir" | "host" | "screen" | "session">,
): Promise<void> {
	const action = parseToday(args);
	if (action.type === "help") return screen.say(helpText("today", TODAY_OPTIONS));
	if (action.type === "unknown") return screen.say(unknownText("today", action.word), "warning");
	const { type, all } = action;
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
	const view = { sessions, more, now, since, byProject: all, home: homedir() };
	if (type === "show") return screen.say(dayText(view));
	const answer = await copyAnswer(dayMarkdown(view), screen.isTerminal());
	if (session.isLive()) screen.say(`today: ${answer.text}`, answer.kind);
}
