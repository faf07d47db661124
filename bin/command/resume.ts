import { dirname } from "node:path";
import {
	copySession,
	forkPoint,
	type Point,
	promptsOn,
	readWholeSession,
} from "../../session-core/log/index.ts";
import {
	forgetLost,
	isBackground,
	type ResumePlan,
	type SessionSummary,
} from "../../session-core/sessions/index.ts";
import { cleanLine, cleanText, clipColumns, safeText } from "../../session-core/text/index.ts";
import { currentSession, findSession, listed, openSessions, unreadableText } from "../sessions/index.ts";
import { prepareResume, type ResumeRefused, resumeFacts } from "../sessions/prepare-resume.ts";
import { runInTerminal } from "../shell/programs.ts";
import { DONE, NOT_FOUND, type World, wordsFor } from "../shell/world.ts";

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
	const chosen = await chooseSession(wanted, options.continue ?? false, world);
	if (!chosen.ok) return chosen.code;
	const { row } = chosen;
	const { at, dryRun = false, repair, yes = false } = options;
	const point = await pointAt(row, at, world);
	if (!point.ok) return point.code;
	const isCopied = row.format.canOpen && (at !== undefined || repair === true);
	const starts = !yes && !dryRun;
	const wish = { ...options, again: point.prompt, copy: isCopied ? PLACEHOLDER : undefined, starts };
	const words = await wordsFor(world);
	const facts = await resumeFacts(row, wish, { ...world, words, leaseOf: openSessions(world) });
	const prepared = prepareResume(row, facts, wish);
	if (!prepared.ok) return refuse(prepared, world);
	const { plan, held, unsent } = prepared;
	world.log("resume.planned", { session: plan.session_id, kind: plan.kind, branch: plan.branch });
	if (isCopied && (dryRun || held?.reason === "planted")) world.say(placeholderText(row, point.last));
	if (held) return refuseToStart(held, plan, dryRun, world);
	if (unsent) world.say(textOf(unsent));
	if (dryRun) {
		world.print(plan.command_line);
		return DONE;
	}
	const copy = isCopied ? await writeCopy(row, point.last, world) : undefined;
	if (copy?.ok === false) return copy.code;
	const copied = copy ? prepareResume(row, facts, { ...wish, copy: copy.path }) : prepared;
	const final = copied.ok ? copied.plan : plan;
	const run = await runInTerminal(final.command, {
		// If the session's folder no longer exists, pi starts in another folder and asks where to continue.
		folders: [final.cwd, world.cwd],
		env: { ...world.env, ...final.env },
		// A job receives its prompt as an argument, so the job must not wait for the end of piped input.
		input: final.kind === "job" ? "ignore" : "inherit",
	});
	if (run.ok) return run.code;
	const isElsewhere = run.reason === "missing" && !row.format.canOpen && !options.inPi;
	const remedy = ` Install ${row.format.mark}, or use --in-pi to continue in a new pi session.`;
	return world.fail(run.detail + (isElsewhere ? remedy : ""));
}

type Ended = { ok: false; code: number };

function ended(world: World, message: string, code?: number): Ended {
	return { ok: false, code: world.fail(message, code) };
}

async function chooseSession(
	wanted: string,
	isNewest: boolean,
	world: World,
): Promise<{ ok: true; row: SessionSummary } | Ended> {
	if (isNewest && wanted !== "")
		return ended(world, "Specify either --continue or a session, but not both.", NOT_FOUND);
	if (!isNewest && (wanted || currentSession(world))) {
		const found = await findSession(wanted, world);
		return found ? { ok: true, row: found } : { ok: false, code: NOT_FOUND };
	}
	const { rows, unread } = await listed(world);
	const newest = rows.find((row) => !isBackground(row));
	if (!newest && unread.length > 0) return ended(world, unread.join("\n"), NOT_FOUND);
	// A project without sessions is not an error, because a script may run this command in any folder.
	if (!newest)
		return ended(
			world,
			"This project has no session to resume. Run pi-sessions list --all to see the sessions of all projects.",
			DONE,
		);
	if (isNewest) return { ok: true, row: newest };
	return ended(
		world,
		"Specify a session by its title or id, or use --continue to resume this project's most recent session.",
		NOT_FOUND,
	);
}

function textOf({ message, remedy }: ResumeRefused): string {
	return [message, remedy.shell].filter(Boolean).join(" ");
}

function refuse(refused: ResumeRefused, world: World): number {
	return world.fail(textOf(refused));
}

const MAX_STEP_LENGTH = 2_000;

function refuseToStart(held: ResumeRefused, plan: ResumePlan, isDry: boolean, world: World): number {
	if (held.reason === "unconfirmed") {
		world.say(held.message);
		world.note(`The job has these settings:\n${jobLines(plan)}\n`);
		return world.fail(`The job was not started. ${held.remedy.shell}`);
	}
	const code = refuse(held, world);
	if (held.reason !== "planted") return code;
	const { not_sent: step = "" } = plan;
	const shown = cleanText(safeText(step).slice(0, MAX_STEP_LENGTH)).replaceAll("\n", "\n  ");
	if (shown !== "") world.note(`  ${shown}\n`);
	// The command of a job from an untrusted file is not printed, because the user might copy and run it.
	if (plan.kind === "job") return code;
	world.print(plan.command_line);
	return isDry ? DONE : code;
}

function jobLines({ prompt, cwd, model, tools }: ResumePlan): string {
	const lines = [
		`  instruction  ${(prompt ?? "").replaceAll("\n", "\n               ")}`,
		`  folder       ${cleanLine(cwd) || "unknown"}`,
		`  model        ${model ? `${model.provider}/${model.model}` : "pi's default"}`,
		`  tools        ${tools ? cleanLine(tools.join(", ")) || "none" : "all"}`,
	];
	return lines.map((line) => safeText(line)).join("\n");
}

type Forked = { ok: true; prompt?: Point; last?: string };

const LISTED = 12;

async function pointAt(row: SessionSummary, at: string | undefined, world: World): Promise<Forked | Ended> {
	if (at === undefined || !row.format.canOpen) return { ok: true };
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return ended(world, unreadableText(opened.detail));
	const point = forkPoint(opened.session, at);
	if (point.ok) return point;
	if (point.reason === "first")
		return ended(world, "This is the session's first prompt. Start a new session with pi instead.");
	const shown = clipColumns(cleanLine(at), 40);
	const problem =
		point.reason === "none"
			? `No entry id begins with "${shown}".`
			: `Several entry ids begin with "${shown}".`;
	const prompts = promptsOn(opened.session).slice(0, LISTED);
	const list = prompts.map(({ id, text }) => `  ${id}  ${text}`);
	const lines = [
		problem,
		...(list.length === 0 ? [] : ["These are the session's prompts, newest first:", ...list]),
	];
	return ended(world, lines.join("\n"), NOT_FOUND);
}

const PLACEHOLDER = "<new session>";

function placeholderText({ path }: SessionSummary, end: string | undefined): string {
	const folder = dirname(path);
	return end === undefined
		? `In the resume command, ${PLACEHOLDER} stands for the path of a repaired copy, which does not exist yet. The copy would be saved in ${folder}.`
		: `In the resume command, ${PLACEHOLDER} stands for the path of a fork, which does not exist yet. The fork would be saved in ${folder} and would end at entry ${cleanLine(end)}.`;
}

/**
 * With `entryId`, creates a fork that ends at that entry. Without `entryId`, creates a repaired copy
 * that contains every readable entry.
 */
async function writeCopy(
	{ id, path, cwd }: SessionSummary,
	entryId: string | undefined,
	world: World,
): Promise<{ ok: true; path: string } | Ended> {
	const folder = dirname(path);
	const end = entryId === undefined ? {} : { entryId };
	const copy = await copySession({ path, cwd, folder, now: new Date(world.now()), ...end });
	if (copy.ok && entryId === undefined) forgetLost(world.agentDir, id);
	world.log("session.copied", { of: path.slice(folder.length + 1), ok: copy.ok });
	return copy.ok ? copy : ended(world, cleanLine(copy.detail));
}
