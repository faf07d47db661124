import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Access, type Refused, refused } from "./requests.ts";

/** A server's two secrets: `act` permits everything, and `read` permits only reading. */
export type Tokens = Readonly<Record<Access, string>>;

/**
 * Creates the tokens for one run of the server. If an open page later sends its token to another program that has taken over the port of a
 * stopped server, the token is worthless.
 */
export function newTokens(): Tokens {
	const token = () => randomBytes(32).toString("base64url");
	return { act: token(), read: token() };
}

/** Returns the access that a request has, or why it is refused. */
export function accessOf(request: IncomingMessage, tokens: Tokens): { ok: true; access: Access } | Refused {
	const { headers, method } = request;
	if (isForeign(headers)) return FOREIGN_ORIGIN;
	const access = grantedBy(headers.authorization, tokens);
	if (!access) return NO_TOKEN;
	if (method === "POST" && access !== "act") return READ_ONLY;
	// The server listens on IPv4 only. Clients on other machines can only read, whichever token they use.
	const isLocal = request.socket.remoteAddress?.startsWith("127.");
	return method === "POST" && !isLocal ? NOT_LOCAL : { ok: true, access };
}

/** Returns the access that a token grants. The check takes the same time for every wrong token. */
function grantedBy(header: string | undefined, { act, read }: Tokens): Access | undefined {
	const [, given = ""] = /^Bearer +([\w~+/.-]+=*) *$/.exec(header ?? "") ?? [];
	const [isAct, isRead] = [isSame(given, act), isSame(given, read)];
	if (isAct) return "act";
	return isRead ? "read" : undefined;
}

/** `timingSafeEqual` requires inputs of equal length, so digests are compared. */
function isSame(one: string, other: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}

const LOOPBACK = ["127.0.0.1", "localhost"];

/**
 * Whether the request has exactly one `Host` header, which names this server. A malicious page can make its own host name resolve to this
 * machine (DNS rebinding), but the header then still contains the page's host name. Any port is accepted, because a tunnel can change it.
 */
export function isKnownHost({ headersDistinct }: IncomingMessage, more: readonly string[] = []): boolean {
	const [host = "", ...others] = headersDistinct["host"] ?? [];
	return others.length === 0 && [...LOOPBACK, ...more].includes(host.toLowerCase().replace(/:\d{1,5}$/, ""));
}

/**
 * Whether a browser sends this request for a page from another origin. The headers `Sec-Fetch-Site` and `Origin` show this: a page cannot
 * change them, and programs other than browsers do not send them.
 */
function isForeign(headers: IncomingMessage["headers"]): boolean {
	const site = String(headers["sec-fetch-site"]);
	const own = `http://${headers.host}`.toLowerCase();
	return site === "cross-site" || site === "same-site" || (headers.origin ?? own).toLowerCase() !== own;
}

/** The page has no inline script or style, loads nothing from other servers, and cannot be framed. */
export const HEADERS = {
	"Content-Security-Policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy": "no-referrer",
	"X-Content-Type-Options": "nosniff",
	"X-Frame-Options": "DENY",
};

export const UNKNOWN_HOST = refused(
	421,
	"unknown_host",
	"The request's Host header does not match this server.",
	"Use the address printed by pi-sessions serve.",
);
const FOREIGN_ORIGIN = refused(
	403,
	"foreign_origin",
	"Pages from other origins have no access.",
	"Use this server's own page, or a program that is not a browser.",
);
const NO_TOKEN = refused(
	401,
	"no_token",
	"A valid token is required.",
	'Send the header "Authorization: Bearer TOKEN" with a token printed by pi-sessions serve. Each start has new tokens.',
);
const READ_ONLY = refused(
	403,
	"read_only",
	"This token is read-only.",
	"On the machine where the server is running, use the act token printed by pi-sessions serve.",
);
const NOT_LOCAL = refused(
	403,
	"not_local",
	"This server is read-only for other machines.",
	"Send the request from the machine on which the server is running.",
);
