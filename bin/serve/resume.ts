import { isOwnJob, type SessionRecord } from "../../session-core/recap/index.ts";
import {
	describeSession,
	fileObstacle,
	obstacleToPlan,
	planResume,
	type ResumePlan,
} from "../../session-core/sessions/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { cleanText, commandLine, outgoing, shownWord } from "../../session-core/text/index.ts";
import { type Item, leaseOf, type RoutesDeps } from "./board.ts";
import {
	type Answer,
	answered,
	INVALID_REMEDY,
	type Refused,
	type ResumeRequest,
	refused,
	sessionGone,
} from "./requests.ts";

interface Source {
	ok: true;
	item: Item;
	recap: SessionRecord | undefined;
	/** See `Description`. */
	wholeRequest?: string | undefined;
}

const NO_STEP = "This session has no next step to send.";
/** Time in milliseconds within which a new pi process must acquire the lease on its session. */
const STARTING_MS = 10_000;

/**
 * Handles `POST /v1/resume`. Remembers which sessions it has just opened, because a second click can arrive before the new pi holds the
 * lease.
 */
export class Resuming {
	readonly #deps: RoutesDeps;
	readonly #startedJobs = new Set<string>();
	readonly #openedAt = new Map<string, number>();

	constructor(deps: RoutesDeps) {
		this.#deps = deps;
	}

	async resume(request: ResumeRequest): Promise<Answer> {
		await this.#deps.board.ready();
		const source = await this.#source(request);
		if (!source.ok) return source;
		const { item, recap, wholeRequest } = source;
		const damage = item.summary.format.canOpen ? await this.#damage(item) : undefined;
		if (damage) return damage;
		const { kind, branch_on_resume: branch, send, message } = request;
		const hasFolder = isFolder(item.summary.cwd);
		const plan = planResume(item.summary, {
			program: this.#deps.program,
			recap,
			wholeRequest,
			branch,
			send,
			place: this.#deps,
			message,
			hasFolder,
		});
		const obstacle = obstacleToPlan(plan, { send });
		if (obstacle === "no_step")
			return refused(422, "no_next_step", NO_STEP, 'Send "message" with your own text, or leave out "send".');
		if (kind !== undefined && kind !== plan.kind) {
			const remedy = `Send "kind": "${plan.kind}".`;
			return refused(422, "wrong_kind", `This is a ${plan.kind}, not a ${kind}.`, remedy);
		}
		if (plan.not_sent !== undefined && request.open) {
			const why = `A repository could have written this session, so its next step is not sent: "${plan.not_sent}"`;
			return refused(409, "planted", why, `Send the request without "send", or run: ${plan.command_line}`);
		}
		const { session_id: id, ...rest } = plan;
		this.#deps.log("resume.planned", { session: id, kind: plan.kind, branch: plan.branch });
		const own = spellings(message);
		const opened = request.open
			? await this.#open(source, plan, request, { own, obstacle })
			: { opened: false };
		if ("ok" in opened) return opened;
		const from = recap && recap.id !== "" ? { resumed_from_recap_id: recap.id } : {};
		return answered({ ...rest, ...from, subject_id: id, title: item.view.title, ...opened }, own);
	}

	async #source({
		from_recap_id: recapId,
		from_subject_id: id = "",
		path,
	}: ResumeRequest): Promise<Source | Refused> {
		const deps = this.#deps;
		if ((recapId === undefined) === (id === "")) {
			const message = "Either from_recap_id or from_subject_id is required.";
			return refused(422, "invalid", message, INVALID_REMEDY);
		}
		if (recapId !== undefined) {
			const found = await deps.board.findRecap(recapId);
			const message = "There is no recap with this id.";
			if (!found) return refused(404, "unknown_recap", message, "GET /v1/recap lists a session's recaps.");
			const one = deps.board.find({ id: found.item.id, path });
			if (!one.ok) return one;
			const card = await describeSession(one.item.summary, deps);
			const isShown = card.ok && card.record?.id === recapId;
			return { ...one, recap: found.recap, ...(isShown && { wholeRequest: card.wholeRequest }) };
		}
		const one = deps.board.find({ id, path });
		if (!one.ok) return one;
		const card = await describeSession(one.item.summary, deps);
		if (!card.ok) {
			deps.log("resume.context_failed", { session: id, reason: card.reason });
			return sessionGone(card.reason);
		}
		// A job continues from its own record, even if there are newer messages.
		const { recap } = one.item.summary;
		const isJobs = !card.stored && recap?.kind === "job" && recap.subject_id === id;
		if (isJobs) return { ...one, recap };
		return { ...one, recap: card.record, wholeRequest: card.wholeRequest };
	}

	/** Returns a refusal if pi cannot open the session's file, or could lose data from it. */
	async #damage({ id, summary: { path } }: Item): Promise<Refused | undefined> {
		const obstacle = await fileObstacle(path, this.#deps.whyTooLarge);
		if (!obstacle) return undefined;
		const { reason, detail } = obstacle;
		if (reason === "too_large") return refused(422, "too_large", detail, "Update pi, and try again.");
		if (reason !== "damaged") return sessionGone(reason);
		const message = "This session's file is damaged, and pi could lose data from it.";
		const remedy = `Run pi-sessions resume ${shownWord(id)} --repair, or open it with /sessions in pi.`;
		return refused(422, "damaged", message, remedy);
	}

	/**
	 * Opens a session or starts a job. The terminal of an already open session is brought to the front instead, because a second process
	 * would corrupt the session's history. `log`: the file that receives the output of a job.
	 */
	async #open(
		{ item, recap }: Source,
		plan: ResumePlan,
		{ confirmed, branch_on_resume: isFork }: ResumeRequest,
		{ own, obstacle }: { own: string[]; obstacle: ReturnType<typeof obstacleToPlan> },
	): Promise<{ opened: true; message?: string; log?: string } | Refused> {
		const { goThere, agentDir, log, startJob, openWindow, now } = this.#deps;
		const lease = plan.branch ? undefined : leaseOf(this.#deps, item);
		if (lease) {
			const there = await goThere(lease);
			if (there.ok) return { opened: true, message: there.message };
			const message = `This session is open in another process (${lease.state}). ${there.message}`;
			return refused(423, "live", message, 'Continue there, or send "branch_on_resume": true.');
		}
		const isJob = plan.kind === "job";
		const { command_line: line } = plan;
		if (obstacle === "needs_answer") {
			const message = "This job ended with a question, which a headless run cannot answer.";
			return refused(422, "needs_answer", message, 'Send "message" with your answer.');
		}
		const isSeen = () =>
			confirmed === outgoing(line, own) ||
			isOwnJob(agentDir, recap, { ...plan, sessionFile: item.summary.path });
		if (isJob && !(await isSeen())) {
			const message = "This job was recorded on another machine, or its record has been changed.";
			const remedy =
				'Send the request without "open", check the instruction, folder, model and tools, and send its "command_line" as "confirmed".';
			return refused(409, "unconfirmed", message, remedy);
		}
		if (isJob && this.#startedJobs.has(line)) {
			const remedy = "Resume the newer run, or run the command yourself.";
			return refused(409, "started", "This job was already resumed from here.", remedy);
		}
		// Each fork is a new session, so several forks of one session can be opened at once.
		const since = now() - (this.#openedAt.get(item.summary.path) ?? Number.NEGATIVE_INFINITY);
		if (!isFork && Math.abs(since) < STARTING_MS) {
			const remedy = "Look for its window, or try again in ten seconds.";
			return refused(409, "opening", "This session was opened a moment ago.", remedy);
		}
		if (isJob) this.#startedJobs.add(line);
		if (!isFork) this.#openedAt.set(item.summary.path, now());
		const set = Object.entries(plan.env).map(([name, value]) => `${name}=${value}`);
		const words = ["env", ...set, ...plan.command];
		const started = await (isJob ? startJob(plan) : openWindow(words, plan.cwd));
		log("resume.started", { session: item.id, kind: plan.kind, ok: started.ok });
		if (started.ok) return { opened: true, ...(started.log && { log: started.log }) };
		this.#startedJobs.delete(line);
		this.#openedAt.delete(item.summary.path);
		const noTmux = "Start pi-sessions serve inside tmux, or run the command yourself.";
		return started.reason === "no_tmux"
			? refused(501, "no_tmux", started.detail, noTmux)
			: refused(409, started.reason, started.detail, `Run it yourself: ${line}`);
	}
}

/** Returns the forms in which the user's own words appear in the prompt and in the command line. These forms must not be redacted. */
function spellings(message: string | undefined): string[] {
	if (message === undefined) return [];
	const words = cleanText(message).trim();
	return [...new Set([commandLine([words]).replace(/^'|'$/g, ""), words])];
}
