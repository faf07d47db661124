import { commandForm, getAgentDir, helpText, readChoice } from "../../session-core/pi/index.ts";
import { dayMarkdown, dayText, listToday } from "../../session-core/sessions/index.ts";
import type { TypedCommand } from "../session.ts";

export const TODAY = commandForm({
	name: "today",
	options: [
		["", "Show today's work in this project's sessions"],
		["--all", "Include sessions from all projects"],
		["copy", "Copy today's work to the clipboard as Markdown, for example for a stand-up meeting"],
		["copy --all", "Copy today's work in all projects to the clipboard as Markdown"],
	],
});

/**
 * The list is shown as a message, not in the editor, so that Enter cannot send the list to the agent.
 */
export async function runToday(args: string, { session }: TypedCommand): Promise<void> {
	const given = readChoice(TODAY, args);
	if (given.type !== "given") return session.say(...helpText(TODAY, given));
	const { value } = given;
	const { host, words } = session;
	const all = value.endsWith("--all");
	const place = all ? { folders: undefined } : { folders: [host.folder], project: host.cwd };
	const today = await listToday({ agentDir: getAgentDir(), ...place, now: Date.now(), words });
	if (session.over.aborted) return;
	if (today.sessions.length === 0)
		return session.say(
			all
				? "today: no session has been active since midnight."
				: "today: no session has been active in this project since midnight.",
		);
	const view = { ...today, byProject: all };
	if (!value.startsWith("copy")) return session.say(dayText(view));
	await session.copy("today", dayMarkdown(view));
}
