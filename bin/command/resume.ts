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
	type WholeSession,
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
	type ResumePlan,
	type SessionSummary,
	STATE_LOOKS,
	whyNotSent,
	withholdsStep,
} from "../../session-core/sessions/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { cleanLine, cleanText, clipColumns, safeText } from "../../session-core/text/index.ts";
import { hostIn } from "../place.mjs";
import { currentSession, findSession, openSessions, sessionsHere } from "../sessions/find.ts";
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
	const { say, fail } = world;
	const chosen = await chooseSession(wanted, options.continue ?? false, world);
	if (typeof chosen === "number") return chosen;
	if (!chosen.format.canOpen) return resumeElsewhere(chosen, options, world);
	if (options.inPi) return fail("this is already a pi session. Leave out --in-pi.");
	const isCopied = options.branch || options.at !== undefined || options.repair;
	const problem =
		(isCopied || options.anyway ? undefined : liveObstacle(chosen, world)) ??
		(await damage(chosen, options, world));
	if (problem !== undefined) return fail(problem);
	const card = await cardOf(chosen, options, world);
	const hasFolder = isFolder(chosen.cwd);
	const early = planFor(chosen, options, { ...card, world });
	if (options.at === undefined && obstacleToPlan(early, options) === "no_step") return fail(NO_STEP);
	// No copy is made if the next step is only shown.
	const isDry = options.dryRun || withholdsStep(chosen, { ...options, place: world });
	const copy = await copyFor(chosen, { ...options, dryRun: isDry }, world);
	if (copy && !copy.ok) return fail(copy.problem, copy.isUnknown ? NOT_FOUND : FAILED);
	const plan = copy ? planFor(chosen, options, { ...card, world }, copy) : early;
	if (plan.not_sent !== undefined) return showUnsent(plan, options, world);
	world.log("resume.planned", { session: plan.session_id, kind: plan.kind, branch: plan.branch });
	const obstacle = obstacleToPlan(plan, { hasFolder });
	if (plan.needs_answer !== undefined && (obstacle || options.send)) {
		const question = clipColumns(cleanLine(plan.needs_answer), 200);
		say(
			`${whyNotSent(plan.needs_answer_kind ?? "question")}: "${question}" Only you can answer, so nothing was sent. Answer with --message "…".`,
		);
	}
	if (obstacle === "needs_answer") return FAILED;
	if (obstacle === "no_folder")
		return fail(`${cleanLine(plan.cwd)} does not exist, and a job runs only in its own folder.`);
	if (options.send && plan.prompt === undefined && plan.needs_answer === undefined)
		say("this prompt is too long for a command line, so it waits in the editor.");
	if (options.dryRun) {
		world.out.write(`${plan.command_line}\n`);
		return DONE;
	}
	const isOwn =
		plan.kind === "job" &&
		(await isOwnJob(world.agentDir, card.record, { ...plan, sessionFile: chosen.path }));
	if (plan.kind === "job" && !options.yes && !isOwn) {
		say(`another machine recorded this job, or it was changed. It would run:\n${jobLines(plan)}`);
		return fail("check these lines, then use --yes to start the job.");
	}
	return run(plan, world);
}

/** Maximum length of a step that is shown instead of being sent, in UTF-16 code units. */
const SHOWN = 2_000;

/** For a session whose file may have come from a repository: prints the next step, and the command that puts this step into the editor. */
function showUnsent(plan: ResumePlan, { dryRun }: ResumeOptions, { say, out }: World): number {
	const step = plan.not_sent ?? "";
	const shown = cleanText(safeText(step).slice(0, SHOWN)).replaceAll("\n", "\n  ");
	const what = shown === "" ? "nothing is sent" : `its next step is not sent:\n  ${shown}`;
	say(`a repository could have written this session, so ${what}\nThis command continues without sending:`);
	out.write(`${plan.command_line}\n`);
	return dryRun ? DONE : FAILED;
}

function jobLines({ prompt = "", cwd, model, tools }: ResumePlan): string {
	return [
		`  instruction  ${prompt.replaceAll("\n", "\n               ")}`,
		`  folder       ${cleanLine(cwd) || "unknown"}`,
		`  model        ${model ? `${model.provider}/${model.model}` : "pi's default"}`,
		`  tools        ${tools ? cleanLine(tools.join(", ")) || "none" : "all"}`,
	]
		.map((line) => safeText(line))
		.join("\n");
}

function liveObstacle(row: SessionSummary, world: World): string | undefined {
	const lease = openSessions(world)(row);
	if (!lease) return undefined;
	return [
		`this session is open in another pi (pid ${lease.pid}, ${STATE_LOOKS[lease.state].words}). Opening it twice would corrupt its history.`,
		`Run pi-sessions attach ${row.id} to switch to that process. Use --branch to continue in a fork, or --anyway to open the session regardless.`,
	].join("\n");
}

/** Returns the reason why pi must not open this file, or undefined if pi may open it. */
async function damage(
	row: SessionSummary,
	{ repair, at }: ResumeOptions,
	{ env }: World,
): Promise<string | undefined> {
	const isWhole = at === undefined;
	const obstacle = await fileObstacle(row.path, (size) => (isWhole ? whyTooLarge(size, env) : undefined));
	if (obstacle?.reason === "too_large") return obstacle.detail;
	if (obstacle && obstacle.reason !== "damaged")
		return `the session cannot be read (${clipColumns(cleanLine(obstacle.detail), 160)}).`;
	if (!isWhole || (obstacle && repair)) return undefined;
	if (!obstacle) return repair ? "the file of this session is not damaged. Leave out --repair." : undefined;
	if (beginsWithTitle(row.path))
		return "this session was written by oh-my-pi, whose files pi cannot open. Use --repair to open a copy.";
	return "this session's file is damaged, and pi could lose data from it. Use --repair to open a repaired copy.";
}

async function copyFor(
	row: SessionSummary,
	{ at, repair, send = false, message, dryRun: isDry = false }: ResumeOptions,
	world: World,
): Promise<CopiedSession | undefined> {
	if (at !== undefined) return forkedAt(row, at, { isDry, world, isSent: send && message === undefined });
	return repair ? copied(row, { isDry, world }) : undefined;
}

/** The record from which the session continues, if there is one; see `Description`. */
type Card = Partial<Pick<Description, "record" | "wholeRequest">>;

async function cardOf(row: SessionSummary, { at }: ResumeOptions, world: World): Promise<Card> {
	const card = await describeSession(row, { ...world, words: await wordsFor(world) });
	if (!card.ok) world.log("resume.context_failed", { session: row.id, reason: card.reason });
	// A recap describes the end of the session, so it is not used when resuming from an earlier point.
	return card.ok && (at === undefined || card.record?.kind === "job") ? card : {};
}

function planFor(
	row: SessionSummary,
	{ branch, send, message }: ResumeOptions,
	{ record: recap, wholeRequest, world }: Card & { world: World },
	{ path, again }: { path?: string; again?: AgainPrompt } = {},
): ResumePlan {
	const hasFolder = isFolder(row.cwd);
	const { program } = hostIn(world.env);
	const more = { copy: path, again, hasFolder, wholeRequest, place: world };
	return planResume(row, { program, recap, branch, send, message, ...more });
}

const NO_STEP =
	'this session has no next step to send. Use --message "…" to send your own text, or leave out --send to open the session.';

/** Returns the session with this title or id, or this project's newest session. If there is none, returns an exit code. */
async function chooseSession(
	wanted: string,
	isNewest: boolean,
	world: World,
): Promise<SessionSummary | number> {
	if (isNewest && wanted !== "") return world.fail("use either --continue or a title or id.", NOT_FOUND);
	if (!isNewest && (wanted || currentSession(world))) {
		const found = await findSession(wanted, world);
		return found.ok ? found.row : world.fail(found.problem, NOT_FOUND);
	}
	const { rows, unread } = await sessionsHere(world);
	const newest = rows.find((row) => !isBackground(row));
	if (!newest && unread.length > 0) return world.fail(unread.join("\n"), NOT_FOUND);
	// A project without sessions is not an error, because a script may run the command in any folder.
	if (!newest) return world.fail("no session to resume in this project.", DONE);
	if (isNewest) return newest;
	return world.fail(
		"specify a session by its title or id, or use --continue to resume the newest one.",
		NOT_FOUND,
	);
}

const OWN = ["at", "branch", "send", "message", "repair"] as const;

/** Resumes another agent's session: runs the agent's own program, or hands the session over to a new pi session. */
async function resumeElsewhere(
	row: SessionSummary,
	{ inPi = false, dryRun: isDry, ...options }: ResumeOptions,
	world: World,
): Promise<number> {
	const name = row.format.mark;
	const instead = "Use --in-pi to continue in a new pi session.";
	const own = OWN.find((option) => options[option] !== undefined);
	if (own)
		return world.fail(`--${own} works only with pi sessions, and this is a ${name} session. ${instead}`);
	if (!inPi && row.kind === "child")
		return world.fail(`this session belongs to a subagent, which ${name} cannot resume. ${instead}`);
	// If the newer file belongs to a session with a different id, this session can still be resumed from its own end.
	if (!inPi && row.newerFile?.includes(row.id))
		return world.fail(
			`this file is an older part of the session, and ${name} resumes only the newest one (${cleanLine(row.newerFile)}). Use --in-pi to continue from this file in a new pi session.`,
		);
	const lease = inPi || options.anyway ? undefined : openSessions(world)(row);
	if (lease)
		return world.fail(
			`this session is open in another ${name} (pid ${lease.pid}, ${STATE_LOOKS[lease.state].words}). Continue there, use --anyway to open it regardless, or --in-pi to continue in a new pi session.`,
		);
	const hasFolder = isFolder(row.cwd);
	if (!inPi && !hasFolder)
		return world.fail(
			`the folder of this session no longer exists (${cleanLine(row.cwd) || "unknown"}), and ${name} resumes a session only there. ${instead}`,
		);
	const plan = planResume(row, { program: hostIn(world.env).program, inPi, hasFolder, env: world.env });
	if (isDry) {
		world.out.write(`${plan.command_line}\n`);
		return DONE;
	}
	return run(plan, world, inPi ? "" : ` Install ${name}, or use --in-pi to continue in a new pi session.`);
}

/**
 * Runs a plan's program in this terminal and in the session's folder. Resolves to the program's exit code. `remedy`: what the user can do
 * if the program is not installed.
 */
async function run(plan: ResumePlan, world: World, remedy = ""): Promise<number> {
	// pi is using the terminal, so Ctrl+C is meant for pi, not for this program.
	const ignore = () => undefined;
	process.on("SIGINT", ignore);
	try {
		const started = await startProgram(plan.command, {
			// If the session's folder no longer exists, pi is started in another folder and asks where to continue.
			cwd: [plan.cwd, world.cwd].find(isFolder) ?? homedir(),
			env: { ...world.env, ...plan.env },
			// A job already has its prompt, so it must not wait for piped input to end.
			stdio: [plan.kind === "job" ? "ignore" : "inherit", "inherit", "inherit"],
		});
		if (!started.ok) return world.fail(started.detail + (started.isMissing ? remedy : ""));
		// The type of `once` does not include the event's arguments.
		const exit = await once(started.child, "exit");
		const [code, signal] = exit as [number | null, NodeJS.Signals | null];
		return code ?? 128 + (signal ? constants.signals[signal] : 0);
	} finally {
		process.off("SIGINT", ignore);
	}
}

/**
 * The copy that pi opens instead of the original session, or the reason why there is none. `isUnknown`: the text that the user typed
 * matches no entry, or more than one.
 */
type CopiedSession =
	| { ok: true; path: string; again?: AgainPrompt }
	| { ok: false; problem: string; isUnknown?: boolean };

const LISTED = 12;

/** Placeholder for a copy's path in a dry run, which does not write the copy. */
const NOT_WRITTEN = "<new session>";

/**
 * Returns a fork that ends at an entry. If the entry is a prompt, the fork ends before it, because users go back to a prompt in order to
 * change it. `isSent`: whether that prompt is sent again.
 */
async function forkedAt(
	row: SessionSummary,
	at: string,
	{ isDry, world, isSent }: { isDry: boolean; world: World; isSent: boolean },
): Promise<CopiedSession> {
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return { ok: false, problem: `the session cannot be read (${opened.detail}).` };
	const found = entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || at === "" || found.length > 1) return unclear(opened.session, at, found.length);
	const text = promptOf(entry);
	if (text === undefined && isSent) return { ok: false, problem: NO_STEP };
	const entryId = text === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return {
			ok: false,
			problem: "this is the first prompt of the session; start a new session with pi instead.",
		};
	const copy = await copied(row, { entryId, isDry, world });
	return copy.ok && text !== undefined ? { ...copy, again: { text, entryId: entry.id } } : copy;
}

/** Returns a copy that ends at an entry. Without an entry, returns a repaired copy that contains everything that can still be read. */
async function copied(
	{ path, cwd }: SessionSummary,
	{ entryId, isDry, world }: { entryId?: string; isDry: boolean; world: World },
): Promise<CopiedSession> {
	const folder = dirname(path);
	if (isDry) {
		const what = entryId === undefined ? "a repaired copy" : `a fork that ends at ${cleanLine(entryId)}`;
		world.say(`dry run: nothing was written. In the command below, ${NOT_WRITTEN} is ${what}, in ${folder}.`);
		return { ok: true, path: NOT_WRITTEN };
	}
	const source = { path, ...(entryId !== undefined && { entryId }) };
	const copy = await copySession({ ...source, cwd, folder, now: new Date(world.now()) });
	world.log("session.copied", { of: path.slice(folder.length + 1), ok: copy.ok });
	return copy.ok ? { ok: true, path: copy.path } : { ok: false, problem: cleanLine(copy.detail) };
}

function unclear(session: WholeSession, at: string, matches: number): CopiedSession {
	const count = matches === 0 ? "no entry has" : `${matches} entries have`;
	const lines = promptsOn(session)
		.slice(0, LISTED)
		.map(({ id, text }) => `  ${id}  ${text}`);
	const list = lines.length === 0 ? [] : ["Its prompts, newest first:", ...lines];
	const problem = [`${count} an id that begins with "${clipColumns(cleanLine(at), 40)}".`, ...list];
	return { ok: false, problem: problem.join("\n"), isUnknown: true };
}
