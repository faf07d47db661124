/** Everything that can be asked for. `/openapi.json` is made of this table. */
import type { Static } from "typebox";
import type { Recap } from "../../session-core/recap/record.ts";
import { planResume } from "../../session-core/resume-plan/plan.ts";
import { type Item, jsonOf } from "./item.ts";
import { SessionPages } from "./list.ts";
import { type Answer, answered, refused } from "./problem.ts";
import { cardOf, openItem, recordsIn } from "./recap-read.ts";
import { writeRecap } from "./recap-write.ts";
import { resumeRoute } from "./resume-route.ts";
import { type Route, route } from "./route.ts";
import { liveOf, type RoutesDeps, withSession } from "./route-deps.ts";
import {
	CardAnswer,
	HealthAnswer,
	RecapAnswer,
	RecapQuery,
	RecapRequest,
	RecapsAnswer,
	SessionsAnswer,
	SessionsQuery,
	WatchAnswer,
} from "./schemas.ts";

const WHY = {
	llm: "Not asked from here: pi has the credentials. Type /recap-card --llm in pi; its recaps are shown here.",
	user_edited: 'POST /v1/recap with "generator": "user_edited" and "headline", or /recap-card edit in pi.',
};

export function routesOf(deps: RoutesDeps): Route[] {
	return [
		health(deps),
		sessions(deps),
		card(deps),
		recaps(deps),
		recap(deps),
		resumeRoute(deps),
		watch(deps),
	];
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
	const pages = new SessionPages(board);
	return route({
		method: "get",
		path: "/v1/sessions",
		summary: "The board: sessions that need you first, then by their last message",
		access: "read",
		query: SessionsQuery,
		answers: { 200: SessionsAnswer },
		handle: async ({ query }) => {
			await board.ready();
			return answered(pages.page(live.recent(), query));
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
		refusals: [404, 409],
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
					resume_command: planResume(item.summary, { recap }).command_line,
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
		refusals: [404, 409],
		handle: ({ query }) =>
			withRecaps(deps, query.subject_id, ({ recaps }) =>
				answered({ recaps: recaps.filter(({ kind }) => (query.kind ?? kind) === kind) }),
			),
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
				const written = await writeRecap(item, body, deps);
				if (!written.ok) return written;
				deps.board.touch();
				return answered({ recap: written.recap }, 201);
			}),
	});
}

function watch(deps: RoutesDeps): Route {
	return route({
		method: "get",
		path: "/watch/sessions/:id/recap",
		summary: "The newest stored recap of a session, to glance at; nothing is ever made for it",
		access: "read",
		answers: { 200: WatchAnswer },
		refusals: [404, 409],
		handle: ({ params }) =>
			withRecaps(deps, params["id"], ({ item, recaps, stamp }) => {
				const [newest] = recaps;
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
					fresh: newest.last_message_id === stamp,
					recap: newest,
				};
				return answered(body);
			}),
	});
}

/** With the stored recaps of a session, newest first, and the stamp of its last message. */
function withRecaps(
	deps: RoutesDeps,
	id: string | undefined,
	answer: (found: { item: Item; recaps: Recap[]; stamp: string | undefined }) => Answer,
): Promise<Answer> {
	return withSession(deps, id, async (item) => {
		const opened = await openItem(item);
		if (!opened.ok) return opened;
		return answer({ item, recaps: recordsIn(opened.file, item.id), stamp: opened.reading.stamp });
	});
}
