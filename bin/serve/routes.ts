import {
	editedRecord,
	nextLines,
	RECAP_ENTRY,
	type SessionRecord,
	sentencesOfNote,
	tidyHeadline,
} from "../../session-core/recap/index.ts";
import {
	addRecord,
	describeSession,
	openSession,
	planResume,
	recordKind,
	searchListed,
	withForeignChanges,
	withLease,
} from "../../session-core/sessions/index.ts";
import {
	leaseFinder,
	type Overlap,
	openLeases,
	overlapsOf,
	whyNotAnswered,
} from "../../session-core/sessions/live/index.ts";
import { sinceTime } from "../../session-core/sessions/search/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { commandLine } from "../../session-core/text/index.ts";
import { hitJson, isDamaged } from "../sessions/files.ts";
import { RECAP_PROBLEMS } from "../sessions/recap-problems.ts";
import { versionOf } from "../shell/world.ts";
import { Answering } from "./answering.ts";
import {
	type Item,
	isIn,
	jsonOf,
	leaseOf,
	pageOf,
	type RoutesDeps,
	type SessionName,
	storedRecords,
	withSession,
} from "./board.ts";
import {
	type Access,
	type Answer,
	AnswerRequest,
	answered,
	forBody,
	forQuery,
	INVALID_REMEDY,
	RecapBody,
	RecapQuery,
	type Refused,
	ResumeRequest,
	type Route,
	refused,
	SearchQuery,
	SessionQuery,
	SessionsQuery,
	sessionGone,
} from "./requests.ts";
import { Resuming } from "./resume.ts";

/** Returns the routes, keyed by method and address, with `:id` in place of an id. */
export function routesOf(deps: RoutesDeps): ReadonlyMap<string, Route> {
	const resuming = new Resuming(deps);
	const answering = new Answering(deps);
	const routes: Record<string, Route> = {
		"GET /health": ({ access }) => health(deps, access),
		"GET /v1/sessions": forQuery(SessionsQuery, async (wanted) => {
			await deps.board.ready();
			const overlaps = await overlapsIn(deps);
			const live = openLeases(deps.agentDir, deps.now());
			return answered(pageOf(deps.board, { live, overlaps }, wanted));
		}),
		"GET /v1/sessions/:id": forQuery(SessionQuery, ({ path }, { id }) => card(deps, { id, path })),
		"GET /v1/search": forQuery(SearchQuery, (wanted, { signal }) => search(wanted, deps, signal)),
		"GET /v1/recap": forQuery(RecapQuery, ({ subject_id: id, path, kind: wanted }) =>
			withRecaps(deps, { id, path }, ({ recaps }) =>
				answered({ recaps: recaps.filter(({ kind }) => kind === (wanted ?? kind)) }),
			),
		),
		"GET /watch/sessions/:id/recap": forQuery(SessionQuery, ({ path }, { id }) =>
			newestRecap(deps, { id, path }),
		),
		"POST /v1/sessions/:id/answer": forBody(AnswerRequest, ({ path, ...wanted }, { id }) =>
			withSession(deps, { id, path }, (item) => answering.answer(item, wanted)),
		),
		"POST /v1/recap": forBody(RecapBody, (wanted) =>
			withSession(deps, { id: wanted.subject_id, path: wanted.path }, (item) =>
				writeRecap(item, wanted, deps),
			),
		),
		"POST /v1/resume": forBody(ResumeRequest, (wanted) => resuming.resume(wanted)),
	};
	return new Map(Object.entries(routes));
}

function health({ canOpen }: RoutesDeps, access: Access): Answer {
	const recap = {
		available: true,
		transport: "daemon-http",
		routes_prefix: "/v1/recap",
		generators_ga: ["heuristic", "user_edited"],
		generators_experimental: [],
		kinds: ["session", "job"],
	};
	const resume = { available: true, open: canOpen, routes_prefix: "/v1/resume" };
	return answered({ status: "ok", version: versionOf(), access, features: { recap, resume } });
}

async function overlapsIn({ agentDir, now: clock }: RoutesDeps): Promise<Map<string, Overlap[]>> {
	const now = clock();
	return overlapsOf(await withForeignChanges(openLeases(agentDir, now), { agentDir, now }));
}

function card(deps: RoutesDeps, name: SessionName): Promise<Answer> {
	return withSession(deps, name, async (item) => {
		const lease = leaseOf(deps, item);
		const found = await describeSession(item.summary, deps, lease?.state);
		if (!found.ok) return sessionGone(found.reason);
		const { record: recap, stored, words } = found;
		const { firstPrompt } = item.summary;
		const overlaps = lease && (await overlapsIn(deps)).get(lease.instance);
		const damaged = await isDamaged(item.summary, lease);
		const plan = planResume(item.summary, {
			program: deps.program,
			recap,
			hasFolder: isFolder(item.summary.cwd),
		});
		return answered({
			session: jsonOf(item, lease, overlaps),
			recap: recap ?? null,
			next: recap ? nextLines(recap, words) : [],
			fresh: recap !== undefined,
			stored,
			sentences: (recap && sentencesOfNote(recap)) ?? null,
			...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
			damaged,
			answerable: whyNotAnswered(lease ? withLease(item.view, lease) : item.view) === undefined,
			resume_command: damaged ? `pi-sessions resume ${handleOf(deps, item)} --repair` : plan.command_line,
		});
	});
}

/** Returns what identifies a session in a command: its id or, if several files have the id, its path. */
function handleOf({ board }: RoutesDeps, { id, summary }: Item): string {
	return board.named(id).length === 1 ? id : commandLine([summary.path]);
}

/** Handles a search, which runs in short time slices and stops when the client disconnects. */
async function search(
	{ q: query, project, since: given, limit = 10 }: SearchQuery,
	{ board, agentDir, log, now }: RoutesDeps,
	signal: AbortSignal,
): Promise<Answer> {
	const since = given === undefined ? undefined : sinceTime(given, now());
	if (given !== undefined && since === undefined) {
		const message = "since: expected a time such as 90m, 8h or 2d, or a past date such as 2026-01-31.";
		return refused(422, "invalid", message, INVALID_REMEDY);
	}
	await board.ready();
	const items = board.items.filter(
		({ summary }) => isIn(summary, project) && (since === undefined || summary.modified >= since),
	);
	const sessions = items.map(({ summary }) => summary);
	const result = await searchListed(sessions, { query, since, limit, signal });
	const { hits = [], total = 0 } = result ?? {};
	log("search.done", { sessions: sessions.length, hits: hits.length, total, complete: result !== undefined });
	const leases = leaseFinder(openLeases(agentDir, now()));
	const found = hits.flatMap((hit) => {
		const item = items.find(({ summary }) => summary.path === hit.path);
		return item ? [hitJson(hit, jsonOf(item, leases(item.summary)))] : [];
	});
	return answered({ hits: await Promise.all(found) });
}

function newestRecap(deps: RoutesDeps, name: SessionName): Promise<Answer> {
	return withRecaps(deps, name, ({ item, recaps: [newest], stamp }) => {
		if (!newest) {
			const message = "No recap has been written for this session yet.";
			return refused(404, "no_recap", message, "POST /v1/recap writes one.");
		}
		return answered({
			subject_id: item.id,
			title: item.view.title,
			state: leaseOf(deps, item)?.state ?? "closed",
			fresh: newest.last_message_id === stamp,
			recap: newest,
		});
	});
}

/** Responds with a session's 50 newest stored recaps, newest first, and the id of its last message. */
function withRecaps(
	deps: RoutesDeps,
	name: SessionName,
	answer: (found: { item: Item; recaps: SessionRecord[]; stamp: string | undefined }) => Answer,
): Promise<Answer> {
	return withSession(deps, name, async (item) => {
		const opened = await openSession(item.summary);
		if (!opened.ok) return sessionGone(opened.reason);
		const own = await storedRecords(item, RECAP_ENTRY);
		return answer({ item, recaps: own.toReversed().slice(0, 50), stamp: opened.reading.stamp });
	});
}

/** Writes a recap into a session that is not open in any process. */
async function writeRecap(item: Item, request: RecapBody, deps: RoutesDeps): Promise<Answer> {
	const early = obstacle(item, request);
	if (early) return early;
	const { force, generator } = request;
	const edit = generator === "user_edited" ? (made: SessionRecord) => editedRecord(made, request) : undefined;
	const added = await addRecord(item.summary, { force, edit }, deps);
	deps.board.touch();
	if (added.ok) return answered({ recap: added.recap }, [], 201);
	const [status, message, remedy] = RECAP_PROBLEMS[added.reason];
	return refused(status, added.reason, message, remedy);
}

function obstacle(item: Item, { kind, generator, headline = "" }: RecapBody): Refused | undefined {
	const own = recordKind(item.summary);
	if (kind !== own)
		return refused(422, "wrong_kind", `This is a ${own}, not a ${kind}.`, `Send "kind": "${own}".`);
	if (generator === "llm") {
		return refused(
			501,
			"generator_not_available",
			"This server cannot call a model: only pi has the credentials.",
			'Send "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
		);
	}
	if (generator === "user_edited" && tidyHeadline(headline) === "")
		return refused(422, "no_headline", "A user-edited recap needs a headline.", 'Add "headline".');
	return undefined;
}
