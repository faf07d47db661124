import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Access, type Refused, refused } from "./http.ts";

export type Tokens = Readonly<Record<Access, string>>;

/**
 * The tokens are valid for only one run of the server. If another program later uses the same port and
 * an open page sends its token to that program, the token is worthless.
 */
export function newTokens(): Tokens {
	const token = () => randomBytes(32).toString("base64url");
	return { act: token(), read: token() };
}

export function accessOf(request: IncomingMessage, tokens: Tokens): { ok: true; access: Access } | Refused {
	const { headers, method } = request;
	if (isForeign(headers)) return refused("foreign_origin");
	const access = grantedBy(headers.authorization, tokens);
	if (!access) return refused("no_token");
	if (method === "POST" && access !== "act") return refused("read_only");
	// Clients on other machines get read-only access, no matter which token they send.
	const isLocal = request.socket.remoteAddress?.startsWith("127.");
	return method === "POST" && !isLocal ? refused("not_local") : { ok: true, access };
}

/** The comparison takes the same time for every wrong token, which prevents timing attacks. */
function grantedBy(header: string | undefined, { act, read }: Tokens): Access | undefined {
	const [, given = ""] = /^Bearer +([\w~+/.-]+=*) *$/.exec(header ?? "") ?? [];
	const [isAct, isRead] = [isSame(given, act), isSame(given, read)];
	if (isAct) return "act";
	return isRead ? "read" : undefined;
}

/** `timingSafeEqual` requires inputs of equal length, so the tokens' digests are compared. */
function isSame(one: string, other: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}

const LOOPBACK = ["127.0.0.1", "localhost"];

/**
 * In a DNS rebinding attack, a malicious page makes its own host name resolve to this machine, but the
 * `Host` header still contains that name. Any port is accepted, because a tunnel may change the port.
 */
export function isKnownHost({ headersDistinct }: IncomingMessage, more: readonly string[] = []): boolean {
	const [host = "", ...others] = headersDistinct["host"] ?? [];
	return others.length === 0 && [...LOOPBACK, ...more].includes(host.toLowerCase().replace(/:\d{1,5}$/, ""));
}

/**
 * Browsers set the headers `Sec-Fetch-Site` and `Origin`, and a page cannot change them. Other programs
 * do not send these headers.
 */
function isForeign(headers: IncomingMessage["headers"]): boolean {
	const site = String(headers["sec-fetch-site"]);
	const own = `http://${headers.host}`.toLowerCase();
	return site === "cross-site" || site === "same-site" || (headers.origin ?? own).toLowerCase() !== own;
}

/** The response headers forbid inline scripts and styles, requests to other servers, and frames. */
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
