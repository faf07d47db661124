/** Creates the server's responses, which contain either data as JSON or a problem with a remedy. */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Env } from "hono";
import { outgoing } from "../../session-core/text/outgoing.ts";

/** What a token permits: with `read`, reading only; with `act`, also writing recaps and resuming sessions. */
export type Access = "act" | "read";

export interface ServeEnv extends Env {
	Bindings: HttpBindings;
	Variables: { access: Access };
}

export type ServeContext = Context<ServeEnv>;

/** Why a request fails: a reason for programs, a sentence for people, and a remedy. */
export interface Problem {
	status: 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 423 | 500 | 501 | 503;
	reason: string;
	message: string;
	remedy: string;
	/** The number of seconds after which a retry may succeed. */
	retryAfter?: number;
}

/** A response. `own` contains texts that came with the request, so they are returned unredacted. */
export type Answer =
	| { ok: true; status: 200 | 201; body: unknown; own: readonly string[] }
	| { ok: false; problem: Problem };

export function answered(body: unknown, status: 200 | 201 = 200, own: readonly string[] = []): Answer {
	return { ok: true, status, body, own };
}

export function refused(
	status: Problem["status"],
	reason: string,
	message: string,
	remedy: string,
): { ok: false; problem: Problem } {
	return { ok: false, problem: { status, reason, message, remedy } };
}

/** Sends an answer after sanitizing and redacting its strings once more. */
export function send(context: ServeContext, answer: Answer): Response {
	return answer.ok
		? sendJson(context, answer.status, outgoing(answer.body, answer.own))
		: refuse(context, answer.problem);
}

export function refuse(context: ServeContext, problem: Problem): Response {
	const { status, reason, message, remedy, retryAfter } = problem;
	if (retryAfter !== undefined) context.header("Retry-After", String(retryAfter));
	return sendJson(context, status, outgoing({ error: { reason, message, remedy } }));
}

function sendJson(context: ServeContext, status: 200 | 201 | Problem["status"], body: unknown): Response {
	context.header("Cache-Control", "no-store");
	context.header("Content-Type", "application/json; charset=utf-8");
	return context.body(JSON.stringify(body), status);
}

/** Problems that can occur on any route. The messages never quote an error, because an error may quote a session. */
export const PROBLEMS = {
	notFound: {
		status: 404,
		reason: "unknown_route",
		message: "There is no such route.",
		remedy: "docs/http.md lists the routes.",
	},
	broken: {
		status: 500,
		reason: "internal",
		message: "The server failed to answer this request.",
		remedy: "Try again. If it fails again, report the line printed by pi-sessions serve.",
	},
	tooLarge: {
		status: 413,
		reason: "too_large",
		message: "The body of this request is too large.",
		remedy: "Send at most 64 KB.",
	},
	notJson: {
		status: 415,
		reason: "not_json",
		message: "The body must be JSON.",
		remedy: "Send Content-Type: application/json and a JSON object.",
	},
	full: {
		status: 503,
		reason: "too_many_listeners",
		message: "Too many clients are listening.",
		remedy: "Close some of them, or poll /v1/sessions instead.",
		retryAfter: 30,
	},
} as const satisfies Readonly<Record<string, Problem>>;
