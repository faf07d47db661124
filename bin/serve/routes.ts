/** Everything that can be asked for. `/openapi.json` is made of this table. */
import type { Static } from "typebox";
import type { SessionBoard } from "./board.ts";
import { type Item, jsonOf } from "./item.ts";
import { listSessions } from "./list.ts";
import { type LiveSession, type LiveSessions, liveFinder } from "./live.ts";
import { type Answer, answered, refused } from "./problem.ts";
import { cardOf, kindOf, openItem, recordsIn } from "./recap-read.ts";
import type { RecapWords } from "./recap-words.ts";
import { type WriteDeps, writeRecap } from "./recap-write.ts";
import { resumePlan, shellLine } from "./resume.ts";
import { type Route, route } from "./route.ts";
import {
	CardAnswer,
	HealthAnswer,
	RecapAnswer,
	RecapQuery,
	RecapRequest,
	RecapsAnswer,
	ResumeAnswer,
	ResumeRequest,
	SessionsAnswer,
	SessionsQuery,
	WatchAnswer,
} from "./schemas.ts";
import type { WindowOutcome } from "./tmux.ts";

export interface RoutesDeps {
	board: SessionBoard;
	live: LiveSessions;
	version: string;
	clients(): number;
	checkout: WriteDeps["checkout"];
	words: RecapWords;
	canOpen: boolean;
	openWindow(command: readonly string[], cwd: string): Promise<WindowOutcome>;
	now(): number;
}

const UNKNOWN = refused(
	404,
	"unknown_session",
	"There is no session with this id.",
	"GET /v1/sessions lists them; ids are given whole.",
);

const WHY = {
	llm: "Not asked from here: pi has the credentials. Type /recap-card --llm in pi; its recaps are shown here.",
	user_edited: 'POST /v1/recap with "generator": "user_edited" and "headline", or /recap-card edit in pi.',
};

export function routesOf(deps: RoutesDeps): Route[] {
	return [health(deps), sessions(deps), card(deps), recaps(deps), recap(deps), resume(deps), watch(deps)];
}

function health({ version, clients, canOpen }: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/health",
		summary: "What this server can do",
		access: "read",
		answers: { 200: HealthAnswer },
		handle: ({ access }) => {
			const body: Static<typeof HealthAnswer> = {
				status: "ok",
				version,
				access,
				features: {
					recap: {
						available: true,
						transport: "daemon-http",
						routes_prefix: "/v1/recap",
						generators_ga: ["heuristic", "user_edited"],
						generators_experimental: [],
						kinds: ["session", "job"],
						notes: WHY,
					},
					resume: { available: true, open: canOpen, routes_prefix: "/v1/resume" },
					live: { available: true, clients: clients(), route: "/v1/live" },
				},
			};
			return answered(body);
		},
	});
}

function sessions({ board, live }: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/v1/sessions",
		summary: "The board: sessions that need you first, then by their last message",
		access: "read",
		query: SessionsQuery,
		answers: { 200: SessionsAnswer },
		handle: async ({ query }) => {
			await board.ready();
			return answered(listSessions(board, live.recent(), query));
		},
	});
}

function card(deps: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/v1/sessions/:id",
		summary: "One session with its recap; where none is stored, one is made by rules for this answer",
		access: "read",
		answers: { 200: CardAnswer },
		refusals: [404],
		handle: ({ params }) =>
			withSession(deps, params["id"], async (item) => {
				const found = await cardOf(item, deps);
				if (!found.ok) return found;
				const { recap, fresh, stored } = found.card;
				const { firstPrompt } = item.summary;
				const body: Static<typeof CardAnswer> = {
					session: jsonOf(item, liveOf(deps, item)),
					recap: recap ?? null,
					fresh,
					stored,
					...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
					resume_command: resumePlan({ item, recap, branch: undefined }).shell,
				};
				return answered(body);
			}),
	});
}

function recaps(deps: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/v1/recap",
		summary: "The stored recaps of a session or job, newest first",
		access: "read",
		query: RecapQuery,
		answers: { 200: RecapsAnswer },
		refusals: [404],
		handle: ({ query }) =>
			withSession(deps, query.subject_id, async (item) => {
				const opened = await openItem(item);
				if (!opened.ok) return opened;
				const found = recordsIn(opened.file, item.id);
				return answered({ recaps: found.filter(({ kind }) => (query.kind ?? kind) === kind) });
			}),
	});
}

function recap(deps: RoutesDeps): Route {
	return route({
		method: "post",
		path: "/v1/recap",
		summary: "Write a recap of a session that no process has open",
		access: "act",
		body: RecapRequest,
		answers: { 201: RecapAnswer },
		refusals: [404, 409, 423, 501],
		handle: ({ body }) =>
			withSession(deps, body.subject_id, async (item) => {
				const written = await writeRecap(item, body, {
					liveState: (subject) => liveOf(deps, subject, deps.live.read())?.state,
					checkout: deps.checkout,
					now: deps.now,
					words: deps.words,
				});
				if (!written.ok) return written;
				deps.board.touch();
				return answered({ recap: written.recap }, 201);
			}),
	});
}

function resume(deps: RoutesDeps): Route {
	return route({
		method: "post",
		path: "/v1/resume",
		summary: 'How to go on with a session or job; with "open": true it is begun in a tmux window',
		access: "act",
		body: ResumeRequest,
		answers: { 200: ResumeAnswer },
		refusals: [404, 409, 423, 501],
		handle: async ({ body }) => {
			const { from_recap_id: recapId, from_subject_id: subjectId } = body;
			if ((recapId === undefined) === (subjectId === undefined)) {
				return refused(
					422,
					"invalid",
					"One of from_recap_id and from_subject_id is needed.",
					"See /openapi.json for what is expected.",
				);
			}
			await deps.board.settled();
			const item =
				recapId === undefined ? deps.board.find(subjectId ?? "") : itemOfRecap(deps.board, recapId);
			if (!item) return recapId === undefined ? UNKNOWN : UNKNOWN_RECAP;
			const kind = kindOf(item);
			if (body.kind !== undefined && body.kind !== kind) {
				return refused(422, "wrong_kind", `This is a ${kind}, not a ${body.kind}.`, `Say "kind": "${kind}".`);
			}
			return planned(item, body, deps);
		},
	});
}

const UNKNOWN_RECAP = refused(
	404,
	"unknown_recap",
	"No session has this recap as its newest.",
	"GET /v1/recap lists a session's recaps; from_subject_id goes on from its newest state.",
);

async function planned(
	item: Item,
	{ branch_on_resume: branch, open }: Static<typeof ResumeRequest>,
	deps: RoutesDeps,
): Promise<Answer> {
	const found = await cardOf(item, deps);
	if (!found.ok) return found;
	const plan = resumePlan({ item, recap: found.card.recap, branch });
	if (open !== true) return answered(plan);
	if (!item.summary.hostReads) {
		return refused(422, "damaged", "pi would not read this session's file.", "Open it with /sessions in pi.");
	}
	const state = plan.branch ? undefined : liveOf(deps, item, deps.live.read())?.state;
	if (state !== undefined) {
		return refused(
			423,
			"live",
			`This session is open in another process (${state}); two would write into each other's history.`,
			'Go on there, or say "branch_on_resume": true.',
		);
	}
	const opened = await deps.openWindow(plan.command, plan.cwd);
	if (opened.ok) return answered({ ...plan, opened: true });
	if (opened.reason === "no_tmux") {
		return refused(
			501,
			"no_tmux",
			opened.detail,
			"Start pi-sessions serve inside tmux, or run the command yourself.",
		);
	}
	return refused(409, opened.reason, opened.detail, `Run it yourself: ${shellLine(plan.command, plan.cwd)}`);
}

function watch(deps: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/watch/sessions/:id/recap",
		summary: "The newest stored recap of a session, to glance at; nothing is ever made for it",
		access: "read",
		answers: { 200: WatchAnswer },
		refusals: [404],
		handle: ({ params }) =>
			withSession(deps, params["id"], async (item) => {
				const opened = await openItem(item);
				if (!opened.ok) return opened;
				const [newest] = recordsIn(opened.file, item.id);
				if (!newest) {
					return refused(
						404,
						"no_recap",
						"No recap was written for this session yet.",
						"POST /v1/recap writes one.",
					);
				}
				const body: Static<typeof WatchAnswer> = {
					subject_id: item.id,
					title: item.json.title,
					state: liveOf(deps, item)?.state ?? "closed",
					fresh: newest.last_message_id === opened.reading.stamp,
					recap: newest,
				};
				return answered(body);
			}),
	});
}

async function withSession(
	{ board }: RoutesDeps,
	id: string | undefined,
	answer: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer> {
	await board.settled();
	const item = board.find(id ?? "");
	return item ? answer(item) : UNKNOWN;
}

function liveOf({ live }: RoutesDeps, item: Item, sessions = live.recent()): LiveSession | undefined {
	return liveFinder(sessions)(item);
}

/** Records are known by the newest of each session. */
function itemOfRecap(board: SessionBoard, recapId: string): Item | undefined {
	return board.items.find(
		({ summary, id }) => summary.recap?.id === recapId && summary.recap.subject_id === id,
	);
}
