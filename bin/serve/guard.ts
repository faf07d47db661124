/** What a request has to pass before anything is done for it, as a decision without side effects. */
import type { Access } from "./access.ts";
import { isForeign, isKnownHost, isLoopback, type RequestOrigin } from "./origin.ts";
import type { Problem } from "./problem.ts";

export interface Request {
	from: RequestOrigin;
	/** Address of the other end. */
	address: string | undefined;
	/** What its token allows. */
	access: Access | undefined;
	/** What the route needs; undefined: the page's own files, which hold nothing of anybody's. */
	needs: Access | undefined;
}

/** Why a request is not answered; undefined: it is. */
export function obstacleTo(
	{ from, address, access, needs }: Request,
	hosts: ReadonlySet<string>,
): Problem | undefined {
	if (!isKnownHost(from.host, hosts)) {
		return {
			status: 421,
			reason: "unknown_host",
			message: "This server is not known under that name.",
			remedy: "Use the address that pi-sessions serve printed.",
		};
	}
	if (needs !== undefined && isForeign(from)) {
		return {
			status: 403,
			reason: "foreign_origin",
			message: "A page of another origin may not ask.",
			remedy: "Ask from this server's own page, or from a program.",
		};
	}
	if (needs === undefined) return undefined;
	if (access === undefined) {
		return {
			status: 401,
			reason: "no_token",
			message: "A valid token is needed.",
			remedy: "Send Authorization: Bearer TOKEN, with the token that pi-sessions serve printed.",
		};
	}
	if (needs === "read") return undefined;
	if (access === "read") {
		return {
			status: 403,
			reason: "read_only",
			message: "This token only reads.",
			remedy: "Do it on the machine itself, with the token that pi-sessions serve printed there.",
		};
	}
	if (isLoopback(address)) return undefined;
	return {
		status: 403,
		reason: "not_local",
		message: "From another machine this server is read-only.",
		remedy: "Do it on the machine itself.",
	};
}
