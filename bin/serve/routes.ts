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
	type Lease,
	leaseFinder,
	openSession,
	planResume,
	searchListed,
	sessionJson,
	sinceTime,
	viewOf,
	whyNotAnswered,
} from "../../session-core/sessions/index.ts";
import { commandLine, isFolder } from "../../session-core/text/index.ts";
import { packageVersion } from "../place.mjs";
import { isDamaged } from "../sessions/damage.ts";
import { type ActsDeps, SessionActs } from "./acts.ts";
import { type Item, isIn, type SessionName, storedRecords, viewWith } from "./board.ts";
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
			board.answerFor({ id, path }, (item) => card(deps, item)),
		),
		"GET /v1/search": forQuery(SearchQuery, (wanted, { signal }) => search(wanted, deps, signal)),
		"GET /v1/recap": forQuery(RecapQuery, ({ subject_id: id, path, kind: wanted }) =>
			withRecaps(deps, { id, path }, ({ recaps }) =>
				answered({ recaps: recaps.filter(({ kind }) => kind === (wanted ?? kind)) }),
			),
		),
		"GET /watch/sessions/:id/recap": forQuery(SessionQuery, ({ path }, { id }) =>
			withRecaps(deps, { id, path }, ({ item, recaps: [newest], stamp }) => {
				if (!newest) return refused("no_recap");
				const { view } = item;
				const state = board.leaseOf(item)?.state ?? "closed";
				const fresh = newest.last_message_id === stamp;
				return answered({ subject_id: id, title: view.title, state, fresh, recap: newest });
			}),
		),
		"POST /v1/sessions/:id/answer": forBody(AnswerRequest, ({ path, ...wanted }, { id }) =>
			board.answerFor({ id, path }, (item) => acts.answer(item, wanted)),
		),
		"POST /v1/recap": forBody(RecapBody, (wanted) =>
			board.answerFor({ id: wanted.subject_id, path: wanted.path }, (item) => acts.writeRecap(item, wanted)),
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

async function card(deps: ActsDeps, item: Item): Promise<Answer> {
	const lease = deps.board.leaseOf(item);
	const found = await describeSession(item.summary, deps, lease?.state);
	return found.ok ? answered(await cardJson(deps, item, found, lease)) : sessionGone(found.reason);
}

async function cardJson(
	deps: ActsDeps,
	item: Item,
	{ record: recap, stored, words }: Description,
	lease: Lease | undefined,
) {
	const { board, program } = deps;
	const { id, summary } = item;
	const view = viewWith(item, lease);
	const overlaps = lease && (await board.overlaps()).get(lease.instance);
	const damaged = await isDamaged(summary, lease);
	// If several files have the same session id, the resume command must contain the file's path.
	const resume = ["pi-sessions", "resume", board.named(id).length === 1 ? id : summary.path];
	const sending = { ok: false, reason: "nothing" } as const;
	const plan = planResume(summary, { program, recap, sending, hasFolder: isFolder(summary.cwd) });
	// A job is resumed through `pi-sessions resume`, which first checks where the job's prompt came from.
	const command = plan.kind === "job" ? commandLine(resume) : plan.command_line;
	return {
		session: sessionJson(view, overlaps),
		recap: recap ?? null,
		bullets: recap ? ownBullets(recap, words) : [],
		next: recap ? nextLines(recap, words) : [],
		fresh: recap !== undefined,
		stored,
		sentences: (recap && sentencesOfNote(recap)) ?? null,
		...(summary.firstPrompt !== undefined && { first_prompt: summary.firstPrompt }),
		damaged,
		answerable: whyNotAnswered(view) === undefined,
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
	const sessions = board.items.map(({ summary }) => summary).filter((summary) => isIn(summary, project));
	const result = await searchListed(sessions, { query, since, limit, signal });
	const { found = [], searched, total } = result ?? {};
	log("search.done", { sessions: searched, hits: found.length, total, complete: result !== undefined });
	const leaseOf = leaseFinder(board.leases());
	const hits = found.map(({ hit, session }) => hitJson(hit, sessionJson(viewOf(session, leaseOf(session)))));
	return answered({ hits: await Promise.all(hits) });
}

/** `recaps` contains the 50 newest recaps, newest first. `stamp` is the id of the session's last message. */
function withRecaps(
	{ board }: ActsDeps,
	name: SessionName,
	answer: (found: { item: Item; recaps: SessionRecord[]; stamp: string | undefined }) => Answer,
): Promise<Answer> {
	return board.answerFor(name, async (item) => {
		const opened = await openSession(item.summary);
		if (!opened.ok) return sessionGone(opened.reason);
		const own = await storedRecords(item, RECAP_ENTRY);
		return answer({ item, recaps: own.toReversed().slice(0, 50), stamp: opened.reading.stamp });
	});
}
