import type { Static } from "typebox";
import type { Recap } from "../../session-core/recap/record.ts";
import { planResume, type ResumePlan } from "../../session-core/resume-plan/plan.ts";
import { commandLine } from "../../session-core/shell/command-line.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { findRecap } from "./find-recap.ts";
import type { Item } from "./item.ts";
import type { LiveSession } from "./live.ts";
import { Openings } from "./openings.ts";
import { type Answer, answered, refused } from "./problem.ts";
import { cardOf } from "./recap-read.ts";
import { type Route, route } from "./route.ts";
import { liveOf, type RoutesDeps, theOne } from "./route-deps.ts";
import { ResumeAnswer, ResumeRequest } from "./schemas.ts";

interface Deps extends RoutesDeps {
	openings: Openings;
}

type ResumeJson = Static<typeof ResumeAnswer>;

const UNKNOWN_RECAP = refused(
	404,
	"unknown_recap",
	"There is no recap with this id.",
	"GET /v1/recap lists a session's recaps.",
);

const ONE_OF = refused(
	422,
	"invalid",
	"One of from_recap_id and from_subject_id is needed.",
	"See /openapi.json for what is expected.",
);

const OPENING = refused(
	409,
	"opening",
	"This session was opened a moment ago.",
	"Look for its window, or try again in ten seconds.",
);

export function resumeRoute(routesDeps: RoutesDeps): Route {
	const deps: Deps = { ...routesDeps, openings: new Openings() };
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
			if ((recapId === undefined) === (subjectId === undefined)) return ONE_OF;
			await deps.board.settled();
			if (recapId !== undefined) {
				const found = await findRecap(deps.board.items, recapId);
				if (!found) return UNKNOWN_RECAP;
				const one = theOne(deps, found.item.id);
				return one.ok ? planned(one.item, body, { recap: found.recap, deps }) : one;
			}
			const one = theOne(deps, subjectId ?? "");
			if (!one.ok) return one;
			const { item } = one;
			const found = await cardOf(item, deps);
			if (!found.ok) return found;
			const { recap: shown, stored } = found.card;
			return planned(item, body, { recap: stored ? shown : (ownJob(item) ?? shown), deps });
		},
	});
}

/** A job goes on from its own record, also where something was said since. */
function ownJob({ summary, id }: Item): Recap | undefined {
	const { recap } = summary;
	return recap?.kind === "job" && recap.subject_id === id ? recap : undefined;
}

async function planned(
	item: Item,
	{ kind, branch_on_resume: branch, send, message, open }: ResumeRequest,
	{ recap, deps }: { recap: Recap | undefined; deps: Deps },
): Promise<Answer> {
	const plan = planResume(item.summary, { recap, branch, send, message });
	if (kind !== undefined && kind !== plan.kind) {
		return refused(
			422,
			"wrong_kind",
			`This is a ${plan.kind}, not a ${kind}.`,
			`Say "kind": "${plan.kind}".`,
		);
	}
	if (open !== true) return answered(jsonOfPlan(item, plan, recap), 200, spellings(message));
	const { openings } = deps;
	const live = plan.branch ? undefined : liveOf(deps, item, deps.live.read());
	if (live) {
		openings.forget(item.id);
		return gone(live, { json: jsonOfPlan(item, plan, recap), own: spellings(message) }, deps);
	}
	const obstacle = obstacleToOpening(item, plan);
	if (obstacle) return obstacle;
	// Another fork is what was asked for.
	if (branch !== true && !openings.begin(item.id, deps.now())) return OPENING;
	const set = Object.entries(plan.env).map(([name, value]) => `${name}=${value}`);
	const opened = await deps.openWindow(["env", ...set, ...plan.command], plan.cwd);
	if (opened.ok) {
		return answered({ ...jsonOfPlan(item, plan, recap), opened: true }, 200, spellings(message));
	}
	openings.forget(item.id);
	if (opened.reason === "no_tmux") {
		const remedy = "Start pi-sessions serve inside tmux, or run the command yourself.";
		return refused(501, "no_tmux", opened.detail, remedy);
	}
	return refused(409, opened.reason, opened.detail, `Run it yourself: ${plan.command_line}`);
}

/** Two processes would write into each other's history: one goes to where it is open. */
async function gone(
	live: LiveSession,
	{ json, own }: { json: ResumeJson; own: string[] },
	{ goThere }: RoutesDeps,
): Promise<Answer> {
	const there = await goThere(live.target);
	if (there.ok) return answered({ ...json, opened: true, told: there.told }, 200, own);
	const message = `This session is open in another process (${live.state}). ${there.told}`;
	return refused(423, "live", message, 'Go on there, or say "branch_on_resume": true.');
}

function obstacleToOpening(item: Item, plan: ResumePlan): Answer | undefined {
	if (!item.summary.hostReads) {
		return refused(422, "damaged", "pi would not read this session's file.", "Open it with /sessions in pi.");
	}
	if (plan.kind === "job" && plan.needs_answer !== undefined) {
		return refused(
			422,
			"needs_answer",
			"This job ended with a question, and a headless run cannot ask again.",
			'Say "message": your answer.',
		);
	}
	return undefined;
}

/** The user's words as they stand in a prompt, and in a command line: a command has to say what was said. */
function spellings(message: string | undefined): string[] {
	if (message === undefined) return [];
	const words = cleanText(message).trim();
	return [...new Set([commandLine([words]).replace(/^'|'$/g, ""), words])];
}

function jsonOfPlan(item: Item, plan: ResumePlan, recap: Recap | undefined): ResumeJson {
	const { session_id: id, ...rest } = plan;
	const from = recap && recap.id !== "" ? { resumed_from_recap_id: recap.id } : {};
	return { ...rest, ...from, subject_id: id, title: item.json.title, opened: false };
}
