import { homedir } from "node:os";
import { checkSession } from "../../session-core/log/index.ts";
import { liveLeases, lostSessions } from "../../session-core/sessions/live/index.ts";
import { titleOf } from "../../session-core/sessions/match.ts";
import { shellLine } from "../../session-core/sessions/resume-plan.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, safeText } from "../../session-core/text/index.ts";
import { hostIn } from "../place.mjs";
import { allSessions } from "../sessions/find.ts";
import { openWindow } from "../shell/programs.ts";
import { DONE, FAILED, type World } from "../shell/world.ts";

interface RestoreOptions {
	dryRun?: boolean;
}

/**
 * Runs `pi-sessions restore`, which reopens the sessions whose pi ended without closing them, each in a new tmux window. Outside tmux, and
 * with `--dry-run`, only prints the commands.
 */
export async function restore({ dryRun: isDry = false }: RestoreOptions, world: World): Promise<number> {
	const { agentDir, env, now } = world;
	const lost = lostSessions(agentDir, now(), liveLeases(agentDir, now()));
	if (lost.length === 0) return world.fail("no session was open when pi last ended unexpectedly.", DONE);
	const { rows } = await allSessions(world);
	let failed = 0;
	for (const { sessionFile, cwd = "" } of lost) {
		const row = rows.find(({ path }) => path === sessionFile);
		const folder = isFolder(cwd) ? cwd : "";
		const title = clipColumns(cleanLine(safeText((row && titleOf(row)) || "(no messages)")), 80);
		const gone = folder === "" ? ` (its folder ${clipColumns(cleanLine(cwd), 80)} no longer exists)` : "";
		const check = await checkSession(sessionFile);
		// A crash may have left the last line incomplete. pi would append to that line and lose the conversation.
		const isSound = check.ok && check.sound;
		const command = isSound
			? [hostIn(env).program, "--session", sessionFile]
			: ["pi-sessions", "resume", sessionFile, "--repair"];
		const isInTmux = isSound && !isDry && Boolean(env["TMUX"]);
		if (isInTmux) {
			const opened = await openWindow(command, folder || homedir(), { env, agentDir, isBehind: true });
			if (!opened.ok) failed++;
		} else world.out.write(`${shellLine(command, folder, {})}\n`);
		const damaged = isSound ? "" : "; its file is damaged, so this command opens a repaired copy";
		world.say(`${isInTmux ? "opened" : "was open"}: ${title}${gone}${damaged}`);
	}
	if (failed > 0) return world.fail(`tmux did not open ${failed} of ${lost.length} windows.`);
	if (!isDry && !env["TMUX"])
		world.say("run each command in its own terminal, or run pi-sessions restore inside tmux.");
	return failed > 0 ? FAILED : DONE;
}
