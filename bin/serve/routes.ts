import type { Hono } from "hono";
import type { TObject } from "typebox";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { readRecap } from "../../session-core/recap/record-entry.ts";
import { nextLines } from "../../session-core/recap/text.ts";
import { isFolder } from "../../session-core/regular-file.ts";
import { planResume } from "../../session-core/resume-plan/plan.ts";
import type { SessionFile } from "../../session-core/session-file/session-file.ts";
import { describeSession, openSession } from "../../session-core/session-view/describe.ts";
import {
	type Access,
	type Answer,
	answered,
	PROBLEMS,
	refused,
	type ServeContext,
	type ServeEnv,
	send,
} from "./answer.ts";
import { type Item, jsonOf } from "./board.ts";
import { leaseOf, type RoutesDeps, sessionGone, withSession } from "./find.ts";
import { pageOf } from "./list.ts";
import { writeRecap } from "./recap-write.ts";
import { checked, RecapQuery, RecapRequest, ResumeRequest, SearchQuery, SessionsQuery } from "./requests.ts";
import { Resuming } from "./resume.ts";
import { search } from "./search.ts";

export function addRoutes(app: Hono<ServeEnv>, deps: RoutesDeps): void {
	const { board, live } = deps;
	const resuming = new Resuming(deps);
	app.get("/health", (context) => send(context, health(deps, context.get("access"))));
	app.get("/v1/sessions", async (context) => {
		const query = checked(SessionsQuery, context.req.query(), "query");
		if (!query.ok) return send(context, query);
		await board.ready();
		return send(context, answered(pageOf(board, live.recent(), query.value)));
	});
	app.get("/v1/sessions/:id", async (context) => send(context, await card(deps, context.req.param("id"))));
	app.get("/v1/search", async (context) => {
		const query = checked(SearchQuery, context.req.query(), "query");
		return send(context, query.ok ? await search(query.value, deps, context.req.raw.signal) : query);
	});
	app.get("/v1/recap", async (context) => {
		const query = checked(RecapQuery, context.req.query(), "query");
		return send(context, query.ok ? await recaps(deps, query.value) : query);
	});
	app.post("/v1/recap", async (context) => {
		const body = await bodyOf(context, RecapRequest);
		return send(context, body.ok ? await addRecap(deps, body.value) : body);
	});
	app.post("/v1/resume", async (context) => {
		const body = await bodyOf(context, ResumeRequest);
		return send(context, body.ok ? await resuming.resume(body.value) : body);
	});
	app.get("/watch/sessions/:id/recap", async (context) =>
		send(context, await watch(deps, context.req.param("id"))),
	);
}

/** Requires JSON as the content type, which a form on another site cannot send. */
async function bodyOf<S extends TObject>(
	context: ServeContext,
	schema: S,
): Promise<ReturnType<typeof checked<S>>> {
	const notJson = { ok: false, problem: PROBLEMS.notJson } as const;
	if (!/^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? "")) return notJson;
	try {
		return checked(schema, await context.req.json(), "body");
	} catch {
		return notJson;
	}
}

const NOTES = {
	llm: "This server cannot call a model. Type /recap-card --llm in pi: the recap is then shown here.",
	user_edited: 'POST /v1/recap with "generator": "user_edited" and "headline", or /recap-card edit in pi.',
};

function health({ version, clients, canOpen }: RoutesDeps, access: Access): Answer {
	return answered({
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
				notes: NOTES,
			},
			resume: { available: true, open: canOpen, routes_prefix: "/v1/resume" },
			search: { available: true, route: "/v1/search" },
			live: { available: true, clients: clients(), route: "/v1/live" },
		},
	});
}

function card(deps: RoutesDeps, id: string): Promise<Answer> {
	return withSession(deps, id, async (item) => {
		const lease = leaseOf(deps, item);
		const found = await describeSession(item.summary, deps, { isWorking: lease?.state === "working" });
		if (!found.ok) return sessionGone(found.reason);
		const { record: recap, stored, sentences, words } = found;
		const { firstPrompt } = item.summary;
		return answered({
			session: jsonOf(item, lease),
			recap: recap ?? null,
			next: recap ? nextLines(recap, words) : [],
			fresh: recap !== undefined,
			stored,
			sentences: sentences ?? null,
			...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
			resume_command: planResume(item.summary, { recap, hasFolder: isFolder(item.summary.cwd) }).command_line,
		});
	});
}

function recaps(
	deps: RoutesDeps,
	{ subject_id: id, kind: wanted }: { subject_id: string; kind?: SessionRecord["kind"] },
): Promise<Answer> {
	return withRecaps(deps, id, ({ recaps }) =>
		answered({ recaps: recaps.filter(({ kind }) => kind === (wanted ?? kind)) }),
	);
}

function addRecap(deps: RoutesDeps, request: RecapRequest): Promise<Answer> {
	return withSession(deps, request.subject_id, async (item) => {
		const written = await writeRecap(item, request, deps);
		if (!written.ok) return written;
		deps.board.touch();
		return answered({ recap: written.recap }, 201);
	});
}

const NO_RECAP = refused(
	404,
	"no_recap",
	"No recap has been written for this session yet.",
	"POST /v1/recap writes one.",
);

function watch(deps: RoutesDeps, id: string): Promise<Answer> {
	return withRecaps(deps, id, ({ item, recaps: [newest], stamp }) => {
		if (!newest) return NO_RECAP;
		return answered({
			subject_id: item.id,
			title: item.view.title,
			state: leaseOf(deps, item)?.state ?? "closed",
			fresh: newest.last_message_id === stamp,
			recap: newest,
		});
	});
}

/** Responds with the stored recaps of a session, newest first, and the id of its last message. */
function withRecaps(
	deps: RoutesDeps,
	id: string,
	answer: (found: { item: Item; recaps: SessionRecord[]; stamp: string | undefined }) => Answer,
): Promise<Answer> {
	return withSession(deps, id, async (item) => {
		const opened = await openSession(item.summary);
		if (!opened.ok) return sessionGone(opened.reason);
		return answer({ item, recaps: recordsIn(opened.file, item.id), stamp: opened.reading.stamp });
	});
}

/** Returns the newest 50 records of a session, without those that a fork copied from its parent. */
function recordsIn(file: Pick<SessionFile, "getEntries">, id: string): SessionRecord[] {
	const records = file.getEntries().flatMap((entry) => readRecap(entry) ?? []);
	return records
		.filter(({ subject_id: subject }) => subject === id)
		.toReversed()
		.slice(0, 50);
}
