/**
 * Access control. Every request must use a host name of this server. All requests except for the page also need a valid token, and must
 * not come from a page of another origin. Writing requires the `act` token and a client on this machine.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { type Access, type Problem, refuse, type ServeContext, type ServeEnv } from "./answer.ts";
import type { Tokens } from "./tokens.ts";

/** Refuses unknown host names. `hosts` contains the server's host names other than the loopback names. */
export function knownHost(hosts: ReadonlySet<string>): MiddlewareHandler<ServeEnv> {
	return async (context, next) =>
		isKnownHost(context.req.header("host"), hosts) ? next() : refuse(context, UNKNOWN_HOST);
}

/**
 * Refuses requests that a browser sends for a page from another origin, as indicated by the headers `Sec-Fetch-Site` and `Origin`. A page
 * cannot change these headers, and other programs do not send them.
 */
export const sameOrigin: MiddlewareHandler<ServeEnv> = async (context, next) => {
	const site = context.req.header("sec-fetch-site");
	const own = `http://${context.req.header("host")}`.toLowerCase();
	const origin = context.req.header("origin")?.toLowerCase() ?? own;
	const isForeign = site === "cross-site" || site === "same-site" || origin !== own;
	return isForeign ? refuse(context, FOREIGN_ORIGIN) : next();
};

/** Requires a token in the `Authorization` header. */
export function withToken(tokens: Tokens): MiddlewareHandler<ServeEnv> {
	const noToken = { message: (context: ServeContext) => refuse(context, NO_TOKEN) };
	return bearerAuth<ServeEnv>({
		verifyToken: (token, context) => {
			const access = accessOf(token, tokens);
			if (access) context.set("access", access);
			return access !== undefined;
		},
		noAuthenticationHeader: noToken,
		invalidAuthenticationHeader: noToken,
		invalidToken: noToken,
	});
}

/** Requires the `act` token and a client on this machine. Clients on other machines can only read, whichever token they use. */
export const mayAct: MiddlewareHandler<ServeEnv> = async (context, next) => {
	if (context.get("access") !== "act") return refuse(context, READ_ONLY);
	return isLoopback(getConnInfo(context).remote.address) ? next() : refuse(context, NOT_LOCAL);
};

/** Returns the access that a token grants, or undefined if the token is wrong. The check takes the same time for every wrong token. */
function accessOf(given: string, tokens: Tokens): Access | undefined {
	const isAct = isSame(given, tokens.act);
	const isRead = isSame(given, tokens.read);
	if (isAct) return "act";
	return isRead ? "read" : undefined;
}

/** `timingSafeEqual` requires inputs of equal length, so digests are compared. */
function isSame(one: string, other: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}

/** The loopback names of this machine. Any port is accepted, because a tunnel can change it. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Whether a `Host` header names this server. A malicious page can make its own host name resolve to this machine (DNS rebinding), but the
 * header then still contains the page's host name.
 */
export function isKnownHost(host: string | undefined, more: ReadonlySet<string>): boolean {
	const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1]?.toLowerCase();
	return name !== undefined && (LOOPBACK.has(name) || more.has(name));
}

/** Whether a remote address belongs to this machine. */
export function isLoopback(address: string | undefined): boolean {
	return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}

const UNKNOWN_HOST: Problem = {
	status: 421,
	reason: "unknown_host",
	message: "The request's Host header does not match this server.",
	remedy: "Use the address printed by pi-sessions serve.",
};

const FOREIGN_ORIGIN: Problem = {
	status: 403,
	reason: "foreign_origin",
	message: "Pages from other origins have no access.",
	remedy: "Use this server's own page, or a program that is not a browser.",
};

const NO_TOKEN: Problem = {
	status: 401,
	reason: "no_token",
	message: "A valid token is required.",
	remedy:
		'Send the header "Authorization: Bearer TOKEN" with a token printed by pi-sessions serve. Each start has new tokens.',
};

const READ_ONLY: Problem = {
	status: 403,
	reason: "read_only",
	message: "This token is read-only.",
	remedy: "On the machine where the server is running, use the act token printed by pi-sessions serve.",
};

const NOT_LOCAL: Problem = {
	status: 403,
	reason: "not_local",
	message: "This server is read-only for other machines.",
	remedy: "Send the request from the machine on which the server is running.",
};
