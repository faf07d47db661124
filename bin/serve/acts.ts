import { editedRecord, isOwnJob, type SessionRecord, tidyHeadline } from "../../session-core/recap/index.ts";
import {
	type AddRecordDeps,
	type AnswerRefusal,
	addRecord,
	describeSession,
	explainAnswer,
	fileObstacle,
	type GoOutcome,
	type LiveTarget,
	MAX_ANSWER,
	obstacleToPlan,
	planResume,
	quotesTool,
	type ResumePlan,
	recordKind,
	sendAnswer,
	whyNotAnswered,
} from "../../session-core/sessions/index.ts";
import { isFolder, readCheckout } from "../../session-core/text/files/index.ts";
import { cleanText, commandLine, outgoing, shownWord } from "../../session-core/text/index.ts";
import { type OpenOutcome, whyTooLarge } from "../shell/programs.ts";
import { type Item, type SessionBoard, viewWith } from "./board.ts";
import { type Answer, answered, invalid, type Refused, refused, refusedAs, sessionGone } from "./http.ts";
import type { AnswerRequest, RecapBody, ResumeRequest } from "./requests.ts";

export interface ActsDeps extends Omit<AddRecordDeps, "checkout"> {
	board: SessionBoard;
	cwd: string | undefined;
	env: Readonly<Record<string, string | undefined>>;
	program: string;
	goThere(target: LiveTarget): Promise<GoOutcome>;
	startJob(plan: ResumePlan): Promise<OpenOutcome>;
	openWindow(command: readonly string[], cwd: string): Promise<OpenOutcome>;
}

/** This limit stops a program that has the token. A person cannot send so many answers in a minute. */
const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
/** A new pi process needs time to acquire its session's lease, so the session must not be opened again for this number of milliseconds. */
const STARTING_MS = 10_000;

interface Source {
	ok: true;
	item: Item;
	recap: SessionRecord | undefined;
	/** `wholeRequest` is the complete text of an interrupted request, because a session's record contains only the request's first line. */
	wholeRequest?: string | undefined;
}

/** Remembers which sessions were just answered or opened, because a second click may arrive before the first click has had an effect. */
export class SessionActs {
	readonly #deps: ActsDeps;
	readonly #answering = new Set<string>();
	#answeredAt: number[] = [];
	readonly #startedJobs = new Set<string>();
	readonly #openedAt = new Map<string, number>();

	constructor(deps: ActsDeps) {
		this.#deps = deps;
	}

	async answer(item: Item, { text, last_message_id: shown }: AnswerRequest): Promise<Answer> {
		const { agentDir, board, log, now } = this.#deps;
		if (text.length > MAX_ANSWER)
			return refusedAs(
				413,
				"too_large",
				"The answer is too long.",
				`Send an answer of at most ${MAX_ANSWER} characters.`,
			);
		if (text.trim() === "")
			return refusedAs(422, "invalid", "The answer is empty.", 'Send the text of your answer as "text".');
		this.#answeredAt = this.#answeredAt.filter((at) => now() - at < MINUTE_MS);
		if (this.#answering.has(item.id) || this.#answeredAt.length >= MOST_PER_MINUTE)
			return refused("too_many");
		// The server can answer only pi sessions, not other agents' sessions.
		const lease = item.summary.format.canOpen ? board.leaseOf(item) : undefined;
		if (!lease) return refused("not_live");
		const view = viewWith(item, lease);
		const problem = whyNotAnswered(view);
		if (problem) return notAnswered(problem);
		const stamp = shown ?? view.last?.id ?? "";
		this.#answering.add(item.id);
		this.#answeredAt.push(now());
		try {
			const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "page" });
			const reason = outcome.ok ? undefined : outcome.reason;
			log("answer.sent", { session: item.id, ok: outcome.ok, reason });
			if (!outcome.ok) return notAnswered(outcome.reason);
			const question = (view.waits && view.next?.text) || null;
			return answered({ answered: true, question, state: "working" });
		} finally {
			this.#answering.delete(item.id);
		}
	}

	async writeRecap({ summary }: Item, request: RecapBody): Promise<Answer> {
		const { kind, generator, headline = "", force } = request;
		const own = recordKind(summary);
		if (kind !== own) return wrongKind(own, kind);
		if (generator === "llm") return refused("generator_not_available");
		const isEdited = generator === "user_edited";
		if (isEdited && tidyHeadline(headline) === "") return refused("no_headline");
		const edit = isEdited ? (made: SessionRecord) => editedRecord(made, request) : undefined;
		const added = await addRecord(summary, { force, edit }, { ...this.#deps, checkout: readCheckout });
		this.#deps.board.touch();
		return added.ok ? answered({ recap: added.recap }, [], 201) : refused(added.reason);
	}

	async resume(request: ResumeRequest): Promise<Answer> {
		const { board, log, program } = this.#deps;
		await board.ready();
		const source = await this.#source(request);
		if (!source.ok) return source;
		const { item, recap, wholeRequest } = source;
		const { summary } = item;
		const damage = summary.format.canOpen ? await this.#damage(item) : undefined;
		if (damage) return damage;
		const { kind, branch_on_resume: branch, send, message, open } = request;
		const hasFolder = isFolder(summary.cwd);
		const ways = {
			program,
			recap,
			wholeRequest,
			branch,
			send,
			message,
			quotesTool: await quotesTool(summary, { recap, send, message }),
			hasFolder,
			place: this.#deps,
		};
		const plan = planResume(summary, ways);
		const obstacle = obstacleToPlan(plan, { send });
		if (obstacle === "no_step") return refused("no_next_step");
		if (kind !== undefined && kind !== plan.kind) return wrongKind(plan.kind, kind);
		if (plan.not_sent !== undefined && open) {
			const { not_sent: step, command_line: command } = plan;
			const why = `This session's file may come from a repository, so its next step was not sent: "${step}"`;
			const remedy =
				plan.kind === "job"
					? 'Send your own instruction as "message".'
					: `Send the request without "send", or run ${command}`;
			return refusedAs(409, "planted", why, remedy);
		}
		const { session_id: id, ...rest } = plan;
		log("resume.planned", { session: id, kind: plan.kind, branch: plan.branch });
		const own = spellings(message);
		const opened = open ? await this.#open(source, plan, request, own) : { opened: false };
		if ("ok" in opened) return opened;
		const from = recap && recap.id !== "" ? { resumed_from_recap_id: recap.id } : {};
		return answered({ ...rest, ...from, subject_id: id, title: item.view.title, ...opened }, own);
	}

	async #source(request: ResumeRequest): Promise<Source | Refused> {
		const { board, log } = this.#deps;
		const { from_recap_id: recapId, from_subject_id: subjectId = "", path } = request;
		if ((recapId === undefined) === (subjectId === ""))
			return invalid("The request must contain either from_recap_id or from_subject_id, but not both.");
		const named = recapId === undefined ? undefined : await board.findRecap(recapId);
		if (recapId !== undefined && !named) return refused("unknown_recap");
		const id = named?.item.id ?? subjectId;
		const one = board.find({ id, path });
		if (!one.ok) return one;
		const { recap } = one.item.summary;
		const card = await describeSession(one.item.summary, this.#deps);
		if (named) {
			const isShown = card.ok && card.record?.id === recapId;
			return { ...one, recap: named.recap, wholeRequest: isShown ? card.wholeRequest : undefined };
		}
		if (!card.ok) {
			log("resume.context_failed", { session: id, reason: card.reason });
			return sessionGone(card.reason);
		}
		// A job continues from its own record, even if the session contains newer messages.
		const isJobs = !card.stored && recap?.kind === "job" && recap.subject_id === id;
		return isJobs ? { ...one, recap } : { ...one, recap: card.record, wholeRequest: card.wholeRequest };
	}

	async #damage({ id, summary: { path } }: Item): Promise<Refused | undefined> {
		const obstacle = await fileObstacle(path, (size) => whyTooLarge(size, this.#deps.env));
		if (!obstacle) return undefined;
		const { reason, detail } = obstacle;
		if (reason === "too_large")
			return refusedAs(422, reason, detail, "Update pi, and send the request again.");
		if (reason !== "damaged") return sessionGone(reason);
		const sessionId = shownWord(id);
		const message = "This session's file is damaged, and pi could lose data from it.";
		const remedy = `Run pi-sessions resume ${sessionId} --repair, or open the session with /sessions in pi.`;
		return refusedAs(422, reason, message, remedy);
	}

	/**
	 * If the session is already open, its terminal is brought to the front, because a second process would corrupt the session's history.
	 */
	async #open(
		{ item, recap }: Source,
		plan: ResumePlan,
		{ confirmed, branch_on_resume: isFork }: ResumeRequest,
		own: string[],
	): Promise<{ opened: true; message?: string; log?: string } | Refused> {
		const { agentDir, board, goThere, log, now, openWindow, startJob } = this.#deps;
		const { command_line: command } = plan;
		const { path } = item.summary;
		const lease = plan.branch ? undefined : board.leaseOf(item);
		if (lease) {
			const there = await goThere(lease);
			const { message: reason } = there;
			if (there.ok) return { opened: true, message: reason };
			const message = `This session is open in another process. ${reason}`;
			return refusedAs(
				423,
				"live",
				message,
				'Continue in that process, or send "branch_on_resume": true to continue in a fork.',
			);
		}
		const isJob = plan.kind === "job";
		if (obstacleToPlan(plan, {}) === "needs_answer") return refused("needs_answer");
		const isSeen = !isJob || confirmed === outgoing(command, own);
		if (!isSeen && !(await isOwnJob(agentDir, recap, { ...plan, sessionFile: path })))
			return refused("unconfirmed");
		if (isJob && this.#startedJobs.has(command)) return refused("started");
		// Each fork is a new session, so one session can be forked several times at once.
		const since = now() - (this.#openedAt.get(path) ?? Number.NEGATIVE_INFINITY);
		if (!isFork && Math.abs(since) < STARTING_MS) return refused("opening");
		if (isJob) this.#startedJobs.add(command);
		if (!isFork) this.#openedAt.set(path, now());
		const set = Object.entries(plan.env).map(([name, value]) => `${name}=${value}`);
		const started = await (isJob ? startJob(plan) : openWindow(["env", ...set, ...plan.command], plan.cwd));
		log("resume.started", { session: item.id, kind: plan.kind, ok: started.ok });
		if (started.ok) return { opened: true, ...(started.log && { log: started.log }) };
		this.#startedJobs.delete(command);
		this.#openedAt.delete(path);
		const { reason, detail } = started;
		const noTmux = `Start pi-sessions serve inside tmux, or run the command yourself: ${command}`;
		if (reason === "no_tmux") return refusedAs(501, reason, detail, noTmux);
		return refusedAs(409, reason, detail, `Run the command yourself: ${command}`);
	}
}

function notAnswered(reason: AnswerRefusal): Refused {
	const remedy = "Reload the session, or answer in the session's terminal.";
	const explanation = explainAnswer(reason);
	return refusedAs(409, reason, `Not answered: ${explanation}`, remedy);
}

function wrongKind(own: string, wanted: string): Refused {
	return refusedAs(422, "wrong_kind", `This is a ${own}, not a ${wanted}.`, `Send "kind": "${own}".`);
}

/** The user's own words must not be redacted in the response, which contains them as plain text and as part of a command line. */
function spellings(message: string | undefined): string[] {
	if (message === undefined) return [];
	const words = cleanText(message).trim();
	return [...new Set([commandLine([words]).replace(/^'|'$/g, ""), words])];
}
