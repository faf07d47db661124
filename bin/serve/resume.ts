import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { isOwnJob } from "../../session-core/recap/own-jobs.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { errorCode, isFolder } from "../../session-core/regular-file.ts";
import { planResume, type ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { checkSession } from "../../session-core/session-file/check-session.ts";
import { describeSession } from "../../session-core/session-view/describe.ts";
import { outgoing } from "../../session-core/text/outgoing.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { shownWord } from "../../session-core/text/shown-line.ts";
import { commandLine } from "../../session-core/timeline/command-line.ts";
import { startProgram } from "../shell/programs.ts";
import { type Answer, answered, INVALID_REMEDY, refused } from "./answer.ts";
import type { Item } from "./board.ts";
import { findRecap, type JobOutcome, leaseOf, type RoutesDeps, sessionGone, single } from "./find.ts";
import type { ResumeRequest } from "./requests.ts";

/** A resume plan as it is sent. */
export interface ResumeJson extends Omit<ResumePlan, "session_id"> {
	subject_id: string;
	title: string;
	resumed_from_recap_id?: string;
	/** Whether the session is now open: in a new tmux window, in the terminal that already had it open, or as a job in the background. */
	opened: boolean;
	/** A message for the user, if the session's terminal was brought to the front. */
	message?: string;
	/** The path of the file that receives the output of a job. */
	log?: string;
}

const UNKNOWN_RECAP = refused(
	404,
	"unknown_recap",
	"There is no recap with this id.",
	"GET /v1/recap lists a session's recaps.",
);

const ONE_OF = refused(
	422,
	"invalid",
	"Either from_recap_id or from_subject_id is required.",
	INVALID_REMEDY,
);

const OPENING = refused(
	409,
	"opening",
	"This session was opened a moment ago.",
	"Look for its window, or try again in ten seconds.",
);

const UNCONFIRMED = refused(
	409,
	"unconfirmed",
	"Another machine recorded this job, or it was changed.",
	'Send the request without "open", check the instruction, folder, model and tools, and send its "command_line" as "confirmed".',
);

const STARTED = refused(
	409,
	"started",
	"This job was already resumed from here.",
	"Resume the newer run, or run the command yourself.",
);

/** Maximum number of milliseconds that a new pi process may take to acquire the lease on its session. */
const STARTING_MS = 10_000;

/**
 * Handles `POST /v1/resume`. Remembers which sessions it has just opened, because a second click can arrive before the new pi holds the
 * lease.
 */
export class Resuming {
	readonly #deps: RoutesDeps;
	/** The command lines of the jobs that were started. */
	readonly #startedJobs = new Set<string>();
	/** The time at which each session was opened, by session id. */
	readonly #openedAt = new Map<string, number>();

	constructor(deps: RoutesDeps) {
		this.#deps = deps;
	}

	async resume(request: ResumeRequest): Promise<Answer> {
		const { from_recap_id: recapId, from_subject_id: subjectId } = request;
		if ((recapId === undefined) === (subjectId === undefined)) return ONE_OF;
		const { board } = this.#deps;
		await board.ready();
		if (recapId !== undefined) {
			const found = await findRecap(board.items, recapId);
			if (!found) return UNKNOWN_RECAP;
			const one = single(this.#deps, found.item.id);
			return one.ok ? this.#planned(one.item, found.recap, request) : one;
		}
		const one = single(this.#deps, subjectId ?? "");
		if (!one.ok) return one;
		const card = await describeSession(one.item.summary, this.#deps);
		if (!card.ok) {
			this.#deps.log("resume.context_failed", { session: one.item.id, reason: card.reason });
			return sessionGone(card.reason);
		}
		const { record: recap, stored } = card;
		return this.#planned(one.item, stored ? recap : (ownJob(one.item) ?? recap), request);
	}

	async #planned(item: Item, recap: SessionRecord | undefined, request: ResumeRequest): Promise<Answer> {
		// Only pi's own sessions are opened by pi.
		const damage = item.summary.agent ? undefined : ((await this.#tooLarge(item)) ?? (await damageOf(item)));
		if (damage) return damage;
		const { kind, branch_on_resume: branch, send, message, open, confirmed } = request;
		const plan = planResume(item.summary, {
			recap,
			branch,
			send,
			message,
			hasFolder: isFolder(item.summary.cwd),
		});
		if (kind !== undefined && kind !== plan.kind) {
			const remedy = `Send "kind": "${plan.kind}".`;
			return refused(422, "wrong_kind", `This is a ${plan.kind}, not a ${kind}.`, remedy);
		}
		const { log } = this.#deps;
		log("resume.planned", { session: plan.session_id, kind: plan.kind, branch: plan.branch });
		const json = jsonOfPlan(item, plan, recap);
		const own = spellings(message);
		if (open !== true) return answered(json, own);
		const live = plan.branch ? undefined : leaseOf(this.#deps, item, this.#deps.live.read());
		if (live) {
			this.#openedAt.delete(item.id);
			return this.#goTo(live, json, own);
		}
		const obstacle = obstacleToOpening(plan);
		if (obstacle) return obstacle;
		if (plan.kind === "job") {
			const isSeen =
				confirmed === outgoing(plan.command_line, own) ||
				(await isOwnJob(this.#deps.agentDir, recap, { ...plan, sessionFile: item.summary.path }));
			if (!isSeen) return UNCONFIRMED;
			if (this.#startedJobs.has(plan.command_line)) return STARTED;
			this.#startedJobs.add(plan.command_line);
		}
		// Each fork is a new session, so several forks of one session can be opened at once.
		if (branch !== true && !this.#begins(item.id)) return OPENING;
		const started = await this.#start(plan);
		log("resume.started", { session: item.id, kind: plan.kind, ok: started.ok });
		if (!started.ok) this.#startedJobs.delete(plan.command_line);
		if (started.ok)
			return answered({ ...json, opened: true, ...("log" in started && { log: started.log }) }, own);
		this.#openedAt.delete(item.id);
		if (started.reason === "no_tmux") {
			const remedy = "Start pi-sessions serve inside tmux, or run the command yourself.";
			return refused(501, "no_tmux", started.detail, remedy);
		}
		return refused(409, started.reason, started.detail, `Run it yourself: ${plan.command_line}`);
	}

	async #tooLarge({ summary: { size } }: Item): Promise<Answer | undefined> {
		const why = await this.#deps.whyTooLarge(size);
		return why === undefined ? undefined : refused(422, "too_large", why, "Update pi, and try again.");
	}

	/** Starts a job without a terminal, or opens any other session in a new tmux window. */
	#start(plan: ResumePlan) {
		if (plan.kind === "job") return this.#deps.startJob(plan);
		const set = Object.entries(plan.env).map(([name, value]) => `${name}=${value}`);
		return this.#deps.openWindow(["env", ...set, ...plan.command], plan.cwd);
	}

	/**
	 * Brings the terminal of an already open session to the front instead of starting a second process, which would corrupt the session's
	 * history.
	 */
	async #goTo(live: Lease, json: ResumeJson, own: string[]): Promise<Answer> {
		const there = await this.#deps.goThere(live);
		if (there.ok) return answered({ ...json, opened: true, message: there.message }, own);
		const message = `This session is open in another process (${live.state}). ${there.message}`;
		return refused(423, "live", message, 'Continue there, or send "branch_on_resume": true.');
	}

	/** Whether the session may be opened now. If so, it cannot be opened again for {@link STARTING_MS} milliseconds. */
	#begins(id: string): boolean {
		const now = this.#deps.now();
		for (const [other, at] of this.#openedAt)
			if (Math.abs(now - at) >= STARTING_MS) this.#openedAt.delete(other);
		if (this.#openedAt.has(id)) return false;
		this.#openedAt.set(id, now);
		return true;
	}
}

/** Returns the record from which a job continues: the job's own record, even if there are newer messages. */
function ownJob({ summary, id }: Item): SessionRecord | undefined {
	const { recap } = summary;
	return recap?.kind === "job" && recap.subject_id === id ? recap : undefined;
}

/** Returns a refusal if pi could lose data from the file of the session. */
async function damageOf({ id, summary }: Item): Promise<Answer | undefined> {
	const check = await checkSession(summary.path);
	if (!check.ok) return sessionGone(check.reason);
	if (check.sound) return undefined;
	const message = "The file of this session is damaged, and pi could lose data from it.";
	const remedy = `Run pi-sessions resume ${shownWord(id)} --repair, or open it with /sessions in pi.`;
	return refused(422, "damaged", message, remedy);
}

function obstacleToOpening(plan: ResumePlan): Answer | undefined {
	if (plan.kind === "job" && plan.needs_answer !== undefined) {
		return refused(
			422,
			"needs_answer",
			"This job ended with a question, which a headless run cannot answer.",
			'Send "message" with your answer.',
		);
	}
	return undefined;
}

/** Returns the user's own words as they appear in the prompt and in the command line, where they must not be redacted. */
function spellings(message: string | undefined): string[] {
	if (message === undefined) return [];
	const words = cleanText(message).trim();
	return [...new Set([commandLine([words]).replace(/^'|'$/g, ""), words])];
}

function jsonOfPlan(item: Item, plan: ResumePlan, recap: SessionRecord | undefined): ResumeJson {
	const { session_id: id, ...rest } = plan;
	const from = recap && recap.id !== "" ? { resumed_from_recap_id: recap.id } : {};
	return { ...rest, ...from, subject_id: id, title: item.view.title, opened: false };
}

/** Starts a headless run that continues after the server ends. The run has no terminal, so its output goes to a log file. */
export async function startJob(
	{ command, cwd, env: more }: ResumePlan,
	agentDir: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<JobOutcome> {
	if (!isFolder(cwd)) return { ok: false, reason: "no_folder", detail: "The job's folder does not exist." };
	const folder = join(agentDir, "session-suite", "jobs");
	const name = `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.log`;
	const log = join(folder, name);
	let output: number;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		output = openSync(log, "wx", 0o600);
	} catch (error) {
		return { ok: false, reason: "failed", detail: `${folder} cannot be written (${errorCode(error)}).` };
	}
	const stdio = ["ignore" as const, output, output];
	const started = await startProgram(command, { cwd, env: { ...env, ...more }, detached: true, stdio });
	closeSync(output);
	if (started.ok) {
		started.child.unref();
		return { ok: true, log };
	}
	rmSync(log, { force: true });
	return { ok: false, reason: "failed", detail: `pi could not be started: ${started.detail}` };
}
