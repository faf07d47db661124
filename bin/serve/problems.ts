import type { Problem } from "./problem.ts";

/** Refusals that are no route's own. What went wrong may quote a session, so it is never sent. */
export const PROBLEMS = {
	notFound: {
		status: 404,
		reason: "unknown_route",
		message: "There is nothing under this address.",
		remedy: "GET /openapi.json lists what there is.",
	},
	broken: {
		status: 500,
		reason: "internal",
		message: "Something went wrong in the server.",
		remedy: "Try again; if it stays, please report what was asked.",
	},
	tooLarge: {
		status: 413,
		reason: "too_large",
		message: "The body of this request is too large.",
		remedy: "Bodies are at most 64 KB.",
	},
	notJson: {
		status: 415,
		reason: "not_json",
		message: "The body has to be JSON.",
		remedy: "Send Content-Type: application/json and a JSON object.",
	},
	full: {
		status: 503,
		reason: "too_many_listeners",
		message: "Too many clients listen already.",
		remedy: "Close some of them, or ask for /v1/sessions now and then.",
		retryAfter: 30,
	},
} as const satisfies Readonly<Record<string, Problem>>;

export function tooOften(seconds: number): Problem {
	return {
		status: 429,
		reason: "too_often",
		message: "Too many requests.",
		remedy: `Try again in ${seconds} s.`,
		retryAfter: seconds,
	};
}
