import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Refused, refused } from "./http.ts";

/** The access that a request has: `read` permits only reading; `act` also permits answering and resuming sessions and writing recaps. */
export type Access = "act" | "read";

/** A server's two secrets, one for each kind of access. */
export type Tokens = Readonly<Record<Access, string>>;

/**
 * Creates the tokens for one run of the server. If an open page later sends its token to another program that has taken over the port of a
 * stopped server, the token is worthless.
 */
export function newTokens(): Tokens {
	const token = () => randomBytes(32).toString("base64url");
	return { act: token(), read: token() };
}

/** Returns the access that a request has, or a refusal. */
export function accessOf(request: IncomingMessage, tokens: Tokens): { ok: true; access: Access } | Refused {
	const { headers, method } = request;
	if (isForeign(headers)) return refused("foreign_origin");
	const access = grantedBy(headers.authorization, tokens);
	if (!access) return refused("no_token");
	if (method === "POST" && access !== "act") return refused("read_only");
	// The server listens on IPv4 only. Clients on other machines can only read, whichever token they use.
	const isLocal = request.socket.remoteAddress?.startsWith("127.");
	return method === "POST" && !isLocal ? refused("not_local") : { ok: true, access };
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

/** Response headers that forbid inline scripts and styles, requests to other servers, and showing the page in a frame. */
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
