import {
	nextLines,
	ownBullets,
	RECAP_ENTRY,
	type SessionRecord,
	sentencesOfNote,
} from "../../session-core/recap/index.ts";
import {
	type Description,
	describeSession,
	hitJson,
	leaseFinder,
	openSession,
	planResume,
	type SessionView,
	searchListed,
	sessionJson,
	sinceTime,
	viewOf,
	whyNotAnswered,
	withLease,
} from "../../session-core/sessions/index.ts";
import { commandLine, isFolder } from "../../session-core/text/index.ts";
import { packageVersion } from "../place.mjs";
import { isDamaged } from "../sessions/problems.ts";
import { type ActsDeps, SessionActs } from "./acts.ts";
import { isIn, type SessionName, storedRecords } from "./board.ts";
import { type Access, type Answer, answered, invalid, refused, sessionGone } from "./http.ts";
import {
	AnswerRequest,
	forBody,
	forQuery,
	RecapBody,
	RecapQuery,
	ResumeRequest,
	type Route,
	SearchQuery,
	SessionQuery,
	SessionsQuery,
} from "./requests.ts";

export function routesOf(deps: ActsDeps): ReadonlyMap<string, Route> {
	const { board } = deps;
	const acts = new SessionActs(deps);
	const routes: Record<string, Route> = {
		"GET /health": ({ access }) => answered(healthJson(deps, access)),
		"GET /v1/sessions": forQuery(SessionsQuery, async (wanted) => answered(await board.page(wanted))),
		"GET /v1/sessions/:id": forQuery(SessionQuery, ({ path }, { id }) =>
			board.answerFor({ id, path }, (session) => card(deps, session)),
		),
		"GET /v1/search": forQuery(SearchQuery, (wanted, { signal }) => search(wanted, deps, signal)),
		"GET /v1/recap": forQuery(RecapQuery, ({ subject_id: id, path, kind: wanted }) =>
			withRecaps(deps, { id, path }, ({ recaps }) =>
				answered({ recaps: recaps.filter(({ kind }) => kind === (wanted ?? kind)) }),
			),
		),
		"GET /watch/sessions/:id/recap": forQuery(SessionQuery, ({ path }, { id }) =>
			withRecaps(deps, { id, path }, ({ session, recaps: [newest], stamp }) => {
				if (!newest) return refused("no_recap");
				const { title } = session;
				const state = board.leaseOf(session)?.state ?? "closed";
				const fresh = newest.last_message_id === stamp;
				return answered({ subject_id: id, title, state, fresh, recap: newest });
			}),
		),
		"POST /v1/sessions/:id/answer": forBody(AnswerRequest, ({ path, ...wanted }, { id }) =>
			board.answerFor({ id, path }, (session) => acts.answer(session, wanted)),
		),
		"POST /v1/recap": forBody(RecapBody, (wanted) =>
			board.answerFor({ id: wanted.subject_id, path: wanted.path }, (session) =>
				acts.writeRecap(session, wanted),
			),
		),
		"POST /v1/resume": forBody(ResumeRequest, (wanted) => acts.resume(wanted)),
	};
	return new Map(Object.entries(routes));
}

export type HealthJson = ReturnType<typeof healthJson>;

function healthJson({ env }: ActsDeps, access: Access) {
	const recap = {
		available: true,
		transport: "daemon-http",
		routes_prefix: "/v1/recap",
		generators_ga: ["heuristic", "user_edited"],
		generators_experimental: [],
		kinds: ["session", "job"],
	};
	const resume = { available: true, open: Boolean(env["TMUX"]), routes_prefix: "/v1/resume" };
	return { status: "ok", version: packageVersion(), access, features: { recap, resume } };
}

export type CardJson = Awaited<ReturnType<typeof cardJson>>;

async function card(deps: ActsDeps, session: SessionView): Promise<Answer> {
	const { board } = deps;
	const lease = board.leaseOf(session);
	const found = await describeSession(session, deps, lease?.state);
	if (!found.ok) return sessionGone(found.reason);
	const overlaps = lease && (await board.overlaps());
	return answered(await cardJson(deps, withLease(session, lease, overlaps), found));
}

async function cardJson(
	{ board, program }: ActsDeps,
	session: SessionView,
	{ record: recap, stored, words }: Description,
) {
	const { id, path, cwd, firstPrompt } = session;
	const damaged = await isDamaged(session);
	// If several files have the same session id, the resume command must contain the file's path.
	const resume = ["pi-sessions", "resume", board.named(id).length === 1 ? id : path];
	const sending = { ok: false, reason: "nothing" } as const;
	const plan = planResume(session, { program, recap, sending, hasFolder: isFolder(cwd) });
	// A job is resumed through `pi-sessions resume`, which first checks where the job's prompt came from.
	const command = plan.kind === "job" ? commandLine(resume) : plan.command_line;
	return {
		session: sessionJson(session),
		recap: recap ?? null,
		bullets: recap ? ownBullets(recap, words) : [],
		next: recap ? nextLines(recap, words) : [],
		fresh: recap !== undefined,
		stored,
		sentences: (recap && sentencesOfNote(recap)) ?? null,
		...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
		damaged,
		answerable: whyNotAnswered(session) === undefined,
		resume_command: damaged ? commandLine([...resume, "--repair"]) : command,
	};
}

async function search(
	{ q: query, project, since: given, limit = 10 }: SearchQuery,
	{ board, log, now }: ActsDeps,
	signal: AbortSignal,
): Promise<Answer> {
	const since = given === undefined ? undefined : sinceTime(given, now());
	if (given !== undefined && since === undefined)
		return invalid(
			'The value of "since" must be a time such as 90m, 8h or 2d, or a past date such as 2026-01-31.',
		);
	await board.ready();
	const sessions = board.sessions.filter((session) => isIn(session, project));
	const result = await searchListed(sessions, { query, since, limit, signal });
	const { found = [], searched, total } = result ?? {};
	log("search.done", { sessions: searched, hits: found.length, total, complete: result !== undefined });
	const leaseOf = leaseFinder(board.leases());
	const hits = found.map(({ hit, session }) => hitJson(hit, sessionJson(viewOf(session, leaseOf(session)))));
	return answered({ hits: await Promise.all(hits) });
}

function withRecaps(
	{ board }: ActsDeps,
	name: SessionName,
	answer: (found: { session: SessionView; recaps: SessionRecord[]; stamp: string | undefined }) => Answer,
): Promise<Answer> {
	return board.answerFor(name, async (session) => {
		const opened = await openSession(session);
		if (!opened.ok) return sessionGone(opened.reason);
		const own = await storedRecords(session, RECAP_ENTRY);
		return answer({ session, recaps: own.toReversed().slice(0, 50), stamp: opened.reading.stamp });
	});
}
