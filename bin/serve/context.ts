import type { HttpBindings } from "@hono/node-server";
import type { Context, Env } from "hono";
import { outgoing } from "../../session-core/text/outgoing.ts";
import type { Access } from "./access.ts";
import { DATA_HEADERS, SECURITY_HEADERS } from "./headers.ts";
import { type Problem, problemBody } from "./problem.ts";

export interface ServeEnv extends Env {
	Bindings: HttpBindings;
	Variables: { access: Access };
}

export type ServeContext = Context<ServeEnv>;

/** Answers with data of sessions. `own`: texts of the request, which come back as they were. */
export function sendJson(
	context: ServeContext,
	body: unknown,
	{ status = 200, own }: { status?: 200 | 201; own?: readonly string[] | undefined } = {},
): Response {
	addHeaders(context, DATA_HEADERS);
	return context.body(JSON.stringify(outgoing(body, own)), status, {
		"Content-Type": "application/json; charset=utf-8",
	});
}

export function refuse(context: ServeContext, problem: Problem): Response {
	addHeaders(context, { ...SECURITY_HEADERS, ...DATA_HEADERS });
	if (problem.status === 401) context.header("WWW-Authenticate", "Bearer");
	if (problem.retryAfter !== undefined) context.header("Retry-After", String(problem.retryAfter));
	return context.body(JSON.stringify(outgoing(problemBody(problem))), problem.status, {
		"Content-Type": "application/json",
	});
}

export function addHeaders(context: ServeContext, headers: Readonly<Record<string, string>>): void {
	for (const [name, value] of Object.entries(headers)) context.header(name, value);
}
