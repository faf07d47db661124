import { homedir } from "node:os";
import { listToday } from "../../session-core/today/list-today.ts";
import { dayMarkdown } from "../../session-core/today/markdown.ts";
import type { ResumeContext } from "../context.ts";

type TodayContext = Pick<ResumeContext, "agentDir" | "host" | "screen" | "session">;

/** `/recap-card today`: in the editor, because it is for somebody else to read, and the user may say more. */
export async function runToday(
	{ agentDir, host, screen, session }: TodayContext,
	{ all }: { all: boolean },
): Promise<void> {
	const words = session.words();
	const now = Date.now();
	const folders = all ? undefined : [host.folder];
	const { sessions, more } = await listToday({ agentDir, folders, now, words });
	if (!session.isLive()) return;
	if (sessions.length === 0) {
		screen.say(`recap-card: no session ${all ? "" : "of this project "}said anything since midnight.`);
		return;
	}
	screen.fillEditor(dayMarkdown({ sessions, more, now, byProject: all, home: homedir(), words }));
}
