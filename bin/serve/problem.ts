/** Why a request was not done: a reason for programs, a sentence for people, and what to do about it. */
export interface Problem {
	status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 422 | 423 | 429 | 500 | 501 | 503;
	reason: string;
	message: string;
	remedy: string;
	/** Seconds after which another try makes sense. */
	retryAfter?: number;
}

/** What a route came to. */
export type Answer =
	| { ok: true; status: 200 | 201; body: unknown; own?: readonly string[] }
	| { ok: false; problem: Problem };

/** `own`: texts of the request, which come back as they were: all else is looked through for secrets. */
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

/** The JSON of a refusal. */
export function problemBody({ reason, message, remedy }: Problem): {
	error: Pick<Problem, "reason" | "message" | "remedy">;
} {
	return { error: { reason, message, remedy } };
}
