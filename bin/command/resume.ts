import { once } from "node:events";
import { constants, homedir } from "node:os";
import { dirname } from "node:path";
import {
	beginsWithTitle,
	copySession,
	entriesLike,
	promptOf,
	promptsOn,
	readWholeSession,
} from "../../session-core/log/index.ts";
import { isOwnJob } from "../../session-core/recap/index.ts";
import {
	type AgainPrompt,
	type Description,
	describeSession,
	fileObstacle,
	isBackground,
	obstacleToPlan,
	planResume,
	quotesTool,
	type ResumePlan,
	type SessionSummary,
	STATE_LOOKS,
	whyNotSent,
	withholdsStep,
} from "../../session-core/sessions/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { cleanLine, cleanText, clipColumns, safeText } from "../../session-core/text/index.ts";
import { currentSession, findSession, listed, openSessions } from "../sessions/find.ts";
import { unreadableText } from "../sessions/shared.ts";
import { startProgram, whyTooLarge } from "../shell/programs.ts";
import { DONE, FAILED, NOT_FOUND, type World, wordsFor } from "../shell/world.ts";

interface ResumeOptions {
	continue?: boolean;
	at?: string;
	branch?: boolean;
	send?: boolean;
	message?: string;
	repair?: boolean;
	anyway?: boolean;
	inPi?: boolean;
	yes?: boolean;
	dryRun?: boolean;
}

export async function resume(options: ResumeOptions, world: World, wanted: string): Promise<number> {
	const row = await chooseSession(wanted, options.continue ?? false, world);
	if (typeof row === "number") return row;
	const isOurs = row.format.canOpen;
	const plan = isOurs ? await planHere(row, options, world) : planElsewhere(row, options, world);
	if (typeof plan === "number") return plan;
	if (options.dryRun) {
		world.print(plan.command_line);
		return DONE;
	}
	const remedy = ` Install ${row.format.mark}, or use --in-pi to continue in a new pi session.`;
	return run(plan, world, isOurs || options.inPi ? "" : remedy);
}

async function chooseSession(
	wanted: string,
	isNewest: boolean,
	world: World,
): Promise<SessionSummary | number> {
	if (isNewest && wanted !== "")
		return world.fail("specify either --continue or a session, but not both.", NOT_FOUND);
	if (!isNewest && (wanted || currentSession(world)))
		return (await findSession(wanted, world))?.row ?? NOT_FOUND;
	const { rows, unread } = await listed(world);
	const newest = rows.find((row) => !isBackground(row));
	if (!newest && unread.length > 0) return world.fail(unread.join("\n"), NOT_FOUND);
	// A project without sessions is not an error, because a script may run this command in any folder.
	if (!newest)
		return world.fail(
			"this project has no session to resume. Run pi-sessions list --all to see the sessions of all projects.",
			DONE,
		);
	if (isNewest) return newest;
	return world.fail(
		"specify a session by its title or id, or use --continue to resume the newest session.",
		NOT_FOUND,
	);
}

const NO_STEP =
	'this session has no next step to send. Use --message "…" to send your own text, or leave out --send to open the session.';

async function planHere(
	row: SessionSummary,
	options: ResumeOptions,
	world: World,
): Promise<ResumePlan | number> {
	const { say, fail } = world;
	const { at, branch, dryRun, message, send } = options;
	if (options.inPi) return fail("this is already a pi session. Leave out --in-pi.");
	const isCopied = branch || at !== undefined || options.repair;
	const lease = isCopied || options.anyway ? undefined : openSessions(world)(row);
	if (lease)
		return fail(
			`this session is open in another pi (pid ${lease.pid}, ${STATE_LOOKS[lease.state].words}). Opening it twice would corrupt its history.\nRun pi-sessions attach ${row.id} to switch to that process. Use --branch to continue in a fork, or --anyway to open the session regardless.`,
		);
	const problem = await fileProblem(row, options, world);
	if (problem !== undefined) return fail(problem);
	const card = await describeSession(row, { ...world, words: await wordsFor(world) });
	if (!card.ok) world.log("resume.context_failed", { session: row.id, reason: card.reason });
	// A recap describes the end of the session, so the recap is not used when the user resumes from an earlier point.
	const isUsed = card.ok && (at === undefined || card.record?.kind === "job");
	const { record: recap, wholeRequest }: Partial<Description> = isUsed ? card : {};
	const hasFolder = isFolder(row.cwd);
	const ways = {
		program: world.program,
		recap,
		wholeRequest,
		branch,
		send,
		message,
		quotesTool: await quotesTool(row, { recap, send, message }),
		hasFolder,
		place: world,
	};
	const early = planResume(row, ways);
	if (at === undefined && obstacleToPlan(early, options) === "no_step") return fail(NO_STEP);
	// If the next step is shown instead of sent, pi is not started, so the session does not need to be copied.
	const isDry = dryRun || withholdsStep(row, ways);
	const copy = await copyFor(row, { ...options, dryRun: isDry }, world);
	if (typeof copy === "number") return copy;
	const plan = copy ? planResume(row, { ...ways, copy: copy.path, again: copy.again }) : early;
	if (plan.not_sent !== undefined) return showUnsent(plan.not_sent, plan, options, world);
	world.log("resume.planned", { session: plan.session_id, kind: plan.kind, branch: plan.branch });
	const obstacle = obstacleToPlan(plan, { hasFolder });
	if (plan.needs_answer !== undefined && (obstacle || send)) {
		const reason = whyNotSent(plan.needs_answer_kind ?? "question");
		const question = clipColumns(cleanLine(plan.needs_answer), 200);
		say(
			ways.quotesTool
				? `nothing was sent, because the agent quoted this step from a tool's output: "${question}" Use --message "…" to send your answer.`
				: `nothing was sent, because ${reason}: "${question}" Use --message "…" to send your answer.`,
		);
	}
	if (obstacle === "needs_answer") return FAILED;
	if (obstacle === "no_folder")
		return fail(`this job can run only in its own folder, ${cleanLine(plan.cwd)}, which does not exist.`);
	if (send && plan.prompt === undefined && plan.needs_answer === undefined)
		say("this prompt is too long for a command line, so pi puts it into the editor instead of sending it.");
	if (plan.kind === "session" || options.yes || dryRun) return plan;
	if (await isOwnJob(world.agentDir, recap, { ...plan, sessionFile: row.path })) return plan;
	say("this job was recorded on another machine, or its record was changed. The job has these settings:");
	world.note(`${jobLines(plan)}\n`);
	return fail("the job was not started. Check its settings above, and use --yes to start it.");
}

async function fileProblem(
	{ path }: SessionSummary,
	{ repair, at }: ResumeOptions,
	{ env }: World,
): Promise<string | undefined> {
	const isWhole = at === undefined;
	const obstacle = await fileObstacle(path, (size) => (isWhole ? whyTooLarge(size, env) : undefined));
	if (obstacle?.reason === "too_large") return obstacle.detail;
	if (obstacle && obstacle.reason !== "damaged") return unreadableText(obstacle.detail);
	if (!isWhole || (obstacle && repair)) return undefined;
	if (!obstacle) return repair ? "the file of this session is not damaged. Leave out --repair." : undefined;
	if (beginsWithTitle(path))
		return "this session was written by oh-my-pi, whose files pi cannot open. Use --repair to open a copy that pi can read.";
	return "this session's file is damaged, and pi could lose data from it. Use --repair to open a repaired copy.";
}

const MAX_STEP_LENGTH = 2_000;

function showUnsent(step: string, plan: ResumePlan, { dryRun }: ResumeOptions, world: World): number {
	const shown = cleanText(safeText(step).slice(0, MAX_STEP_LENGTH)).replaceAll("\n", "\n  ");
	const isJob = plan.kind === "job";
	// A job's command sends a prompt and names the tools that the file chose, so the command is not printed.
	world.say(
		isJob
			? 'this job\'s file may come from a repository, so the next step below was not sent and no job was started. Use --message "…" to send your own instruction.'
			: "this session's file may come from a repository, so the next step below was not sent. To open the session without sending anything, run the command that follows.",
	);
	if (shown !== "") world.note(`  ${shown}\n`);
	if (!isJob) world.print(plan.command_line);
	return dryRun && !isJob ? DONE : FAILED;
}

function jobLines({ prompt = "", cwd, model, tools }: ResumePlan): string {
	const lines = [
		`  instruction  ${prompt.replaceAll("\n", "\n               ")}`,
		`  folder       ${cleanLine(cwd) || "unknown"}`,
		`  model        ${model ? `${model.provider}/${model.model}` : "pi's default"}`,
		`  tools        ${tools ? cleanLine(tools.join(", ")) || "none" : "all"}`,
	];
	return lines.map((line) => safeText(line)).join("\n");
}

type Copy = { path: string; again?: AgainPrompt };

const LISTED = 12;

/** If the user resumes from a prompt, the fork ends before that prompt, because the user wants to change it. */
async function copyFor(
	row: SessionSummary,
	{ at, repair, send, message, dryRun }: ResumeOptions,
	world: World,
): Promise<Copy | number | undefined> {
	if (at === undefined) return repair ? writeCopy(row, undefined, dryRun, world) : undefined;
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return world.fail(unreadableText(opened.detail));
	const found = at === "" ? [] : entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || found.length > 1) {
		const shown = clipColumns(cleanLine(at), 40);
		const prompts = promptsOn(opened.session).slice(0, LISTED);
		const list = prompts.map(({ id, text }) => `  ${id}  ${text}`);
		const lines = [
			found.length === 0
				? `no entry has an id that begins with "${shown}".`
				: `several entries have an id that begins with "${shown}".`,
			...(list.length === 0 ? [] : ["This session has these prompts, newest first:", ...list]),
		];
		return world.fail(lines.join("\n"), NOT_FOUND);
	}
	const text = promptOf(entry);
	if (text === undefined && send && message === undefined) return world.fail(NO_STEP);
	const entryId = text === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return world.fail("this is the first prompt of the session; start a new session with pi instead.");
	const copy = await writeCopy(row, entryId, dryRun, world);
	const isAgain = typeof copy !== "number" && text !== undefined;
	return isAgain ? { ...copy, again: { text, entryId: entry.id } } : copy;
}

const PLACEHOLDER = "<new session>";

/** Without `entryId`, the copy contains every entry that can still be read. */
async function writeCopy(
	{ path, cwd }: SessionSummary,
	entryId: string | undefined,
	isDry: boolean | undefined,
	world: World,
): Promise<Copy | number> {
	const folder = dirname(path);
	if (isDry) {
		const shownId = cleanLine(entryId ?? "");
		world.say(
			entryId === undefined
				? `dry run: nothing was written. ${PLACEHOLDER} stands for a repaired copy in ${folder}.`
				: `dry run: nothing was written. ${PLACEHOLDER} stands for a fork in ${folder} that ends at entry ${shownId}.`,
		);
		return { path: PLACEHOLDER };
	}
	const end = entryId === undefined ? {} : { entryId };
	const copy = await copySession({ path, cwd, folder, now: new Date(world.now()), ...end });
	world.log("session.copied", { of: path.slice(folder.length + 1), ok: copy.ok });
	return copy.ok ? { path: copy.path } : world.fail(cleanLine(copy.detail));
}

const OWN = ["at", "branch", "send", "message", "repair"] as const;

function planElsewhere(row: SessionSummary, options: ResumeOptions, world: World): ResumePlan | number {
	const { inPi = false, anyway } = options;
	const agent = row.format.mark;
	const own = OWN.find((option) => options[option] !== undefined);
	const lease = inPi || anyway ? undefined : openSessions(world)(row);
	const hasFolder = isFolder(row.cwd);
	// Agents resume a session by its id. If the newer file has a different id, the session in this file can still be resumed.
	const isOlder = row.newerFile?.includes(row.id);
	const instead = "Use --in-pi to continue in a new pi session.";
	const newest = cleanLine(row.newerFile ?? "");
	const problems: readonly (readonly [applies: unknown, problem: string])[] = [
		[own, `--${own} works only with pi sessions, and this is a ${agent} session. ${instead}`],
		[
			!inPi && row.kind === "child",
			`this is a subagent's session, which ${agent} cannot resume. Use --in-pi to continue in a new pi session.`,
		],
		[
			!inPi && isOlder,
			`this file is an older part of the session. ${agent} resumes only the newest part, ${newest}. Use --in-pi to continue from this file in a new pi session.`,
		],
		[
			lease,
			`this session is open in another ${agent} (pid ${lease?.pid}, ${lease && STATE_LOOKS[lease.state].words}). Continue in that process, use --anyway to open the session regardless, or use --in-pi to continue in a new pi session.`,
		],
		[
			!inPi && !hasFolder,
			`the folder of this session no longer exists (${cleanLine(row.cwd) || "unknown"}), and ${agent} resumes a session only in that folder. ${instead}`,
		],
	];
	const [, problem] = problems.find(([applies]) => applies) ?? [];
	if (problem !== undefined) return world.fail(problem);
	return planResume(row, { program: world.program, inPi, hasFolder, env: world.env });
}

async function run(plan: ResumePlan, world: World, remedy: string): Promise<number> {
	// pi is using the terminal, so Ctrl+C must not end the `pi-sessions` process.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		const started = await startProgram(plan.command, {
			// If the session's folder no longer exists, pi starts in another folder and asks where to continue.
			cwd: [plan.cwd, world.cwd].find(isFolder) ?? homedir(),
			env: { ...world.env, ...plan.env },
			// A job receives its prompt as an argument, so it must not wait for the end of piped input.
			stdio: [plan.kind === "job" ? "ignore" : "inherit", "inherit", "inherit"],
		});
		if (!started.ok) return world.fail(started.detail + (started.isMissing ? remedy : ""));
		// TypeScript's type of `once` does not include the event's arguments.
		const exit = await once(started.child, "exit");
		const [code, signal] = exit as [number | null, NodeJS.Signals | null];
		return code ?? 128 + (signal ? constants.signals[signal] : 0);
	} finally {
		process.off("SIGINT", ignore);
	}
}
