import { editedRecord, idInFile, type SessionRecord, tidyHeadline } from "../../session-core/recap/index.ts";
import {
	type AddRecordDeps,
	type AnswerRefusal,
	addRecord,
	explainAnswer,
	type GoOutcome,
	goTo,
	type LiveTarget,
	MAX_ANSWER,
	type ResumePlan,
	recordKind,
	type SessionView,
	sendAnswer,
	whyNotAnswered,
	withLease,
} from "../../session-core/sessions/index.ts";
import { cleanText, commandLine, outgoing } from "../../session-core/text/index.ts";
import { hostIn } from "../place.mjs";
import { prepareResume, type ResumeRefused, resumeFacts } from "../sessions/prepare-resume.ts";
import { type OpenOutcome, openWindow, startJob } from "../shell/programs.ts";
import { wordsFor } from "../shell/world.ts";
import type { SessionBoard } from "./board.ts";
import { type Answer, answered, invalid, type Refused, refused, refusedAs } from "./http.ts";
import type { AnswerRequest, RecapBody, ResumeRequest } from "./requests.ts";

export interface ActsDeps extends AddRecordDeps {
	board: SessionBoard;
	cwd: string | undefined;
	env: Readonly<Record<string, string | undefined>>;
	program: string;
	goThere(target: LiveTarget): Promise<GoOutcome>;
	startJob(plan: ResumePlan): Promise<OpenOutcome>;
	openWindow(command: readonly string[], cwd: string): Promise<OpenOutcome>;
}

export async function actsDeps(
	given: Partial<ActsDeps> & Pick<ActsDeps, "agentDir" | "board" | "cwd">,
): Promise<ActsDeps> {
	const { agentDir, env = process.env } = given;
	return {
		env,
		goThere: (target) => goTo(target, env),
		log: () => undefined,
		now: Date.now,
		openWindow: (command, folder) => openWindow(command, folder, { env, agentDir }),
		program: hostIn(env).program,
		startJob: (plan) => startJob(plan, agentDir, env),
		words: await wordsFor({ agentDir, env }),
		...given,
	};
}

/**
 * `message` tells the user that the session's terminal has been brought to the front. `log` is the path
 * of the file that contains a job's output.
 */
type Opened = { opened: boolean; message?: string; log?: string };

export type ResumeJson = Omit<ResumePlan, "session_id"> & Opened & { subject_id: string; title: string };

/** The maximum number of answers per minute. A person cannot type that many answers. */
const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
/**
 * The time in milliseconds during which a session must not be opened again, because a new pi process
 * needs time to acquire the session's lease.
 */
const STARTING_MS = 10_000;

/**
 * Remembers sessions that were just opened or sent an answer, because a second click may arrive before
 * the first click has taken effect.
 */
export class SessionActs {
	readonly #deps: ActsDeps;
	readonly #answering = new Set<string>();
	#answeredAt: number[] = [];
	readonly #startedJobs = new Set<string>();
	readonly #openedAt = new Map<string, number>();

	constructor(deps: ActsDeps) {
		this.#deps = deps;
	}

	async answer(session: SessionView, { text, last_message_id: shown }: AnswerRequest): Promise<Answer> {
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
		if (this.#answering.has(session.id) || this.#answeredAt.length >= MOST_PER_MINUTE)
			return refused("too_many");
		const lease = session.format.canOpen ? board.leaseOf(session) : undefined;
		if (!lease) return refused("not_live");
		const view = withLease(session, lease);
		const problem = whyNotAnswered(view);
		if (problem) return notAnswered(problem);
		const stamp = shown ?? view.last?.id ?? "";
		this.#answering.add(session.id);
		this.#answeredAt.push(now());
		try {
			const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "page" });
			const reason = outcome.ok ? undefined : outcome.reason;
			log("answer.sent", { session: session.id, ok: outcome.ok, reason });
			if (!outcome.ok) return notAnswered(outcome.reason);
			const question = (view.waits && view.next?.text) || null;
			return answered({ answered: true, question, state: "working" });
		} finally {
			this.#answering.delete(session.id);
		}
	}

	async writeRecap(session: SessionView, request: RecapBody): Promise<Answer> {
		const { kind, generator, headline = "", force } = request;
		const own = recordKind(session);
		if (kind !== own) return wrongKind(own, kind);
		if (generator === "llm") return refused("generator_not_available");
		const isEdited = generator === "user_edited";
		if (isEdited && tidyHeadline(headline) === "") return refused("no_headline");
		const edit = isEdited ? (made: SessionRecord) => editedRecord(made, request) : undefined;
		const added = await addRecord(session, { force, edit }, this.#deps);
		this.#deps.board.touch();
		return added.ok ? answered({ recap: added.recap }, [], 201) : refused(added.reason);
	}

	async resume(request: ResumeRequest): Promise<Answer> {
		const { board, log } = this.#deps;
		await board.ready();
		const source = await this.#source(request);
		if (!source.ok) return source;
		const { session, recap: named } = source;
		const { kind, branch_on_resume: branch, send, message, open } = request;
		const wish = { recap: named, branch, send, message, starts: open === true };
		const facts = await resumeFacts(session, wish, {
			...this.#deps,
			leaseOf: () => board.leaseOf(session),
		});
		const prepared = prepareResume(session, facts, wish);
		if (!prepared.ok) return refusedResume(prepared);
		const { plan, held } = prepared;
		if (kind !== undefined && kind !== plan.kind) return wrongKind(plan.kind, kind);
		const { session_id: id, ...rest } = plan;
		log("resume.planned", { session: id, kind: plan.kind, branch: plan.branch });
		const own = spellings(message);
		const isConfirmed =
			held?.reason === "unconfirmed" && request.confirmed === outgoing(plan.command_line, own);
		const opened = open
			? await this.#open(session, plan, isConfirmed ? undefined : held)
			: ({ ok: true, done: { opened: false } } as const);
		if (!opened.ok) return opened;
		const recapId = idInFile(facts.recap);
		const from = recapId === undefined ? {} : { resumed_from_recap_id: recapId };
		const body: ResumeJson = { ...rest, ...from, subject_id: id, title: session.title, ...opened.done };
		return answered(body, own);
	}

	async #source({
		from_recap_id: recapId,
		from_subject_id: subjectId = "",
		path,
	}: ResumeRequest): Promise<{ ok: true; session: SessionView; recap?: SessionRecord } | Refused> {
		const { board } = this.#deps;
		if ((recapId === undefined) === (subjectId === ""))
			return invalid("The request must contain either from_recap_id or from_subject_id, but not both.");
		const named = recapId === undefined ? undefined : await board.findRecap(recapId);
		if (recapId !== undefined && !named) return refused("unknown_recap");
		const found = board.find({ id: named?.session.id ?? subjectId, path });
		return found.ok && named ? { ...found, recap: named.recap } : found;
	}

	async #open(
		session: SessionView,
		plan: ResumePlan,
		held: ResumeRefused | undefined,
	): Promise<{ ok: true; done: Opened } | Refused> {
		const { board, goThere, log, now, openWindow, startJob } = this.#deps;
		const { command_line: command } = plan;
		const { path } = session;
		const lease = held?.reason === "live" ? board.leaseOf(session) : undefined;
		if (held && lease) {
			const there = await goThere(lease);
			const { message } = there;
			if (there.ok) return { ok: true, done: { opened: true, message } };
			return refusedResume({ ...held, message: `${held.message} ${message}` });
		}
		if (held) return refusedResume(held, plan);
		const isJob = plan.kind === "job";
		const isFork = !isJob && plan.branch;
		if (isJob && this.#startedJobs.has(command)) return refused("started");
		// Each fork is a new session, so several forks of one session may be started in quick succession.
		const since = now() - (this.#openedAt.get(path) ?? Number.NEGATIVE_INFINITY);
		if (!isFork && Math.abs(since) < STARTING_MS) return refused("opening");
		if (isJob) this.#startedJobs.add(command);
		if (!isFork) this.#openedAt.set(path, now());
		const set = Object.entries(plan.env).map(([name, value]) => `${name}=${value}`);
		const started = await (isJob ? startJob(plan) : openWindow(["env", ...set, ...plan.command], plan.cwd));
		log("resume.started", { session: session.id, kind: plan.kind, ok: started.ok });
		if (started.ok) return { ok: true, done: { opened: true, ...(started.log && { log: started.log }) } };
		this.#startedJobs.delete(command);
		if (!isFork) this.#openedAt.delete(path);
		const { reason, detail } = started;
		const noTmux = `Start pi-sessions serve inside tmux, or run this command yourself: ${command}`;
		if (reason === "no_tmux") return refusedAs(501, reason, detail, noTmux);
		return refusedAs(409, reason, detail, `Run the command yourself: ${command}`);
	}
}

const STATUSES: Partial<Record<ResumeRefused["reason"], number>> = {
	live: 423,
	no_folder: 409,
	planted: 409,
	session_gone: 404,
	unconfirmed: 409,
};

function refusedResume({ reason, message, remedy }: ResumeRefused, plan?: ResumePlan): Refused {
	const step = reason === "planted" && plan?.not_sent ? ` The step is: "${plan.not_sent}"` : "";
	return refusedAs(STATUSES[reason] ?? 422, reason, message + step, remedy.http);
}

function notAnswered(reason: AnswerRefusal): Refused {
	const remedy = "Reload the session, or answer in the session's terminal.";
	const explanation = explainAnswer(reason);
	return refusedAs(409, reason, `The answer was not accepted: ${explanation}`, remedy);
}

function wrongKind(own: string, wanted: string): Refused {
	return refusedAs(422, "wrong_kind", `This is a ${own}, not a ${wanted}.`, `Send "kind": "${own}".`);
}

function spellings(message: string | undefined): string[] {
	if (message === undefined) return [];
	const words = cleanText(message).trim();
	return [...new Set([commandLine([words]).replace(/^'|'$/g, ""), words])];
}
