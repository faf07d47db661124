import {
	agentAbove,
	explainAnswer,
	explainObstacle,
	goTo,
	isRepairable,
	liveLeases,
	lostSessions,
	MAX_ANSWER,
	obstacleToOpening,
	sendAnswer,
	shellLine,
	titleOf,
	whyNotAnswered,
} from "../../session-core/sessions/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { ask, findSession, listed } from "../sessions/index.ts";
import { programVersion } from "../sessions/prepare-resume.ts";
import { openWindow, runInTerminal } from "../shell/programs.ts";
import { DONE, FAILED, NOT_FOUND, type World } from "../shell/world.ts";

export async function attach(_: object, world: World, wanted: string): Promise<number> {
	const found = await findSession(wanted, world);
	if (!found) return NOT_FOUND;
	const { id } = found;
	if (!found.lease)
		return world.fail(`This session is not open. Run pi-sessions resume ${id} to open the session.`);
	const gone = await goTo(found.lease, world.env);
	const isDetached = !gone.ok && gone.reason === "detached" && !world.env["TMUX"];
	if (!isDetached || !world.out.isTTY) return world.fail(gone.message, gone.ok ? DONE : FAILED);
	const ended = await runInTerminal(gone.command, { folders: [world.cwd], env: world.env });
	return ended.ok ? ended.code : world.fail(ended.detail);
}

const EMPTY_ANSWER = 'The answer is empty. Run pi-sessions answer <title|id> "text" to send an answer.';

export async function answer(
	{ seen }: { seen?: string },
	world: World,
	_words: string,
	[wanted = "", ...rest]: readonly string[],
): Promise<number> {
	const { agentDir, fail } = world;
	const typed = rest.join(" ").trim();
	const agent = agentAbove(liveLeases(agentDir, world.now()), world.env);
	if (agent !== undefined) return fail(agent);
	const isAsked = rest.length === 0 && world.keyboard !== undefined;
	if (typed === "" && !isAsked) return fail(EMPTY_ANSWER, NOT_FOUND);
	const view = await findSession(wanted, world);
	if (!view) return NOT_FOUND;
	const { id, lease } = view;
	if (!view.format.canOpen)
		return fail("This session belongs to another agent, and pi-sessions can answer only pi sessions.");
	const reason = whyNotAnswered(view);
	if (!lease || reason === "closed")
		return fail(
			`This session is not open. Run pi-sessions resume ${id} --message "…" to open it with your answer.`,
		);
	const remedy = `Run pi-sessions attach ${id} to go to the session's terminal.`;
	if (reason) return fail(`The answer was not sent: ${explainAnswer(reason)} ${remedy}`);
	const text =
		typed || (await ask(`${view.title}\n${view.next?.text ?? view.record?.headline ?? ""}`, world));
	if (text === "") return fail(EMPTY_ANSWER, NOT_FOUND);
	if (text.length > MAX_ANSWER)
		return fail(
			`The answer is longer than ${MAX_ANSWER} characters. Shorten the answer and try again.`,
			NOT_FOUND,
		);
	const stamp = seen ?? view.last?.id ?? "";
	const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "shell" });
	const why = outcome.ok ? undefined : outcome.reason;
	world.log("answer.sent", { session: id, ok: outcome.ok, reason: why });
	if (!outcome.ok) {
		const detail = outcome.detail === undefined ? "" : ` (${outcome.detail})`;
		return fail(`The answer was not accepted: ${explainAnswer(outcome.reason)}${detail} ${remedy}`);
	}
	const question = typed !== "" && view.waits && view.next ? ` “${view.next.text}”` : "";
	world.print(`Answered${question}; the session "${world.line(view.title, 60)}" is now working.`);
	return DONE;
}

export async function restore({ dryRun = false }: { dryRun?: boolean }, world: World): Promise<number> {
	const { agentDir, env, now } = world;
	const lost = lostSessions(agentDir, now(), liveLeases(agentDir, now()));
	if (lost.length === 0) return world.fail("There are no interrupted sessions to restore.", DONE);
	const { rows } = await listed(world, { all: true });
	const isInTmux = Boolean(env["TMUX"]);
	let code = DONE;
	let failed = 0;
	for (const { sessionFile, cwd = "" } of lost) {
		const row = rows.find(({ path }) => path === sessionFile);
		const title = world.line((row && titleOf(row)) || "(no messages)", 80);
		const folder = isFolder(cwd) ? cwd : "";
		const gone = folder === "" ? ` Its folder ${world.line(cwd, 80)} no longer exists.` : "";
		// If pi appends to a line that a crash left incomplete, the conversation in the file is lost.
		const version = () => programVersion(world.program, env);
		const obstacle = await obstacleToOpening(sessionFile, { version, writes: "file" });
		if (obstacle && !isRepairable(obstacle)) {
			code = world.fail(`"${title}" was not reopened. ${explainObstacle(obstacle)}`);
			continue;
		}
		const isSound = !obstacle;
		const command = isSound
			? [world.program, "--session", sessionFile]
			: ["pi-sessions", "resume", sessionFile, "--repair"];
		const isOpened = isSound && isInTmux && !dryRun;
		if (isOpened) {
			const opened = await openWindow(command, folder || undefined, { env, agentDir, isBehind: true });
			if (!opened.ok) failed++;
		} else world.print(shellLine(command, folder, {}));
		const damaged = isSound ? "" : " Its file is damaged, so the command opens a repaired copy.";
		const opening = isOpened ? `Reopened "${title}".` : `Run the command above to reopen "${title}".`;
		world.say(opening + gone + damaged);
	}
	if (failed > 0)
		return world.fail(
			`tmux could not open ${failed} of the windows. Run pi-sessions restore --dry-run to print the commands that reopen the sessions.`,
		);
	if (!dryRun && !isInTmux)
		world.say("Run each command in a separate terminal, or run pi-sessions restore inside tmux.");
	return code;
}
