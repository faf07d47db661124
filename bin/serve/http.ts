import type { IncomingMessage, ServerResponse } from "node:http";
import { outgoing } from "../../session-core/text/index.ts";
import { RECAP_PROBLEMS } from "../sessions/problems.ts";

/**
 * `read` permits only reading. `act` also permits answering and resuming sessions and writing recaps.
 */
export type Access = "act" | "read";

/** `reason` is meant for programs. `message` and `remedy` are meant for people. */
export type Refused = { ok: false; status: number; reason: string; message: string; remedy: string };

/** `own` contains strings from the request. These strings are not redacted in the response. */
export type Answer = { ok: true; status: 200 | 201; body: unknown; own: readonly string[] } | Refused;

export function answered(body: unknown, own: readonly string[] = [], status: 200 | 201 = 200): Answer {
	return { ok: true, status, body, own };
}

/** `message` must not contain the text of an exception, because that text may quote a session. */
export function refusedAs(status: number, reason: string, message: string, remedy: string): Refused {
	return { ok: false, status, reason, message, remedy };
}

export function refused(reason: keyof typeof REASONS): Refused {
	const [status, message, remedy] = REASONS[reason];
	return refusedAs(status, reason, message, remedy);
}

export function invalid(message: string): Refused {
	return refusedAs(422, "invalid", message, "See docs/http.md for a description of valid requests.");
}

export function sessionGone(reason: string): Refused {
	const message = `This session's file can no longer be read (${reason}).`;
	return refusedAs(404, "session_gone", message, "Reload the list with GET /v1/sessions.");
}

const REASONS = {
	...RECAP_PROBLEMS,
	foreign_origin: [
		403,
		"Web pages from other origins cannot use this server.",
		"Use the web page served by this server, or a client that is not a browser, such as curl.",
	],
	generator_not_available: [
		501,
		"This server cannot call a model, because only pi has the required credentials.",
		'Send "generator": "heuristic", or open the session in pi and type /recap-card --llm.',
	],
	internal: [
		500,
		"The server failed to answer this request.",
		"Send the request again. If it fails again, report the error that pi-sessions serve printed.",
	],
	no_headline: [422, "An edited recap must have a headline.", 'Add "headline" to the body of the request.'],
	no_recap: [404, "No recap has been written for this session yet.", "Use POST /v1/recap to write a recap."],
	no_token: [
		401,
		"A valid token is required.",
		'Send the header "Authorization: Bearer TOKEN" with a token printed by pi-sessions serve. Each start of the server creates new tokens.',
	],
	not_json: [
		415,
		"The request body must be JSON.",
		"Send a JSON object with the header Content-Type: application/json.",
	],
	not_live: [
		409,
		"This session is not open.",
		'Use POST /v1/resume with "message" to open the session with your answer.',
	],
	not_local: [
		403,
		"This server is read-only for other machines.",
		"Send the request from the machine on which the server is running.",
	],
	opening: [
		409,
		"This session was opened a moment ago.",
		"Look for the session's window. If no window has opened, try again in ten seconds.",
	],
	read_only: [
		403,
		"This token is read-only.",
		"Use the full-access address printed by pi-sessions serve. That address works only on the machine where the server is running.",
	],
	started: [
		409,
		"This server has already resumed this job in a new session.",
		"Continue the job in the new session that this server started. To run the original job again, use pi-sessions resume in a terminal.",
	],
	too_large: [413, "The body of this request is too large.", "The request body must not exceed 64 KB."],
	too_many: [429, "Answers are being sent too quickly.", "Wait a minute, then send the answer again."],
	unknown_host: [
		421,
		"The request's Host header does not match this server.",
		"Use the address printed by pi-sessions serve.",
	],
	unknown_recap: [404, "There is no recap with this id.", "Use GET /v1/recap to list a session's recaps."],
	unknown_route: [
		404,
		"This server has no route for this method and path.",
		"See docs/http.md for a list of the routes.",
	],
	unknown_session: [
		404,
		"There is no session with this id.",
		"Use a full session id, as returned by GET /v1/sessions.",
	],
} as const satisfies Record<string, readonly [status: number, message: string, remedy: string]>;

const MAX_BODY_BYTES = 64 * 1024;

/** The content type must be `application/json`, which an HTML form on another site cannot send. */
export async function readBody(request: IncomingMessage): Promise<{ ok: true; body: unknown } | Refused> {
	if (Number(request.headers["content-length"]) > MAX_BODY_BYTES) return refused("too_large");
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > MAX_BODY_BYTES) return refused("too_large");
	}
	if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return refused("not_json");
	try {
		return { ok: true, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
	} catch {
		return refused("not_json");
	}
}

/** All strings in a response are sanitized and redacted again, in case a route forgot to do so. */
export function send(response: ServerResponse, answer: Answer): void {
	response.setHeader("Cache-Control", "no-store");
	response.setHeader("Content-Type", "application/json; charset=utf-8");
	response.statusCode = answer.status;
	if (answer.ok) return void response.end(JSON.stringify(outgoing(answer.body, answer.own)));
	const { status, reason, message, remedy } = answer;
	if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
	if (status === 413) response.setHeader("Connection", "close");
	response.end(JSON.stringify(outgoing({ error: { reason, message, remedy } })));
}
