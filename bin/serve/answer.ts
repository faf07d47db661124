/** A request that may read (with the `read` token) or also write recaps and resume sessions (with the `act` token). */
export type Access = "act" | "read";

/** Why a request fails: a reason for programs, a sentence for people, and a remedy. */
export interface Refused {
	ok: false;
	status: number;
	reason: string;
	message: string;
	remedy: string;
}

/** The answer to a request. `own` contains texts that came with the request, so they are returned unredacted. */
export type Answer = { ok: true; status: 200 | 201; body: unknown; own: readonly string[] } | Refused;

export function answered(body: unknown, own: readonly string[] = [], status: 200 | 201 = 200): Answer {
	return { ok: true, status, body, own };
}

/** The messages never quote an error, because an error may quote a session. */
export function refused(status: number, reason: string, message: string, remedy: string): Refused {
	return { ok: false, status, reason, message, remedy };
}

export const INVALID_REMEDY = "See docs/http.md for what is expected.";
