import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { goTo } from "../../session-core/sessions/live/index.ts";
import { readCheckout } from "../../session-core/text/files/index.ts";
import { type DebugLog, errorFields, openLog, outgoing } from "../../session-core/text/index.ts";
import { hostIn } from "../place.mjs";
import { openWindow, startJob, whyTooLarge } from "../shell/programs.ts";
import { wordsFor } from "../shell/world.ts";
import { type RoutesDeps, SessionBoard } from "./board.ts";
import { Events } from "./events.ts";
import { accessOf, HEADERS, isKnownHost, newTokens, type Tokens, UNKNOWN_HOST } from "./guard.ts";
import { type Answer, type Refused, refused } from "./requests.ts";
import { routesOf } from "./routes.ts";

export interface ServerOptions extends Partial<Pick<RoutesDeps, "goThere" | "startJob" | "openWindow">> {
	agentDir: string;
	/** The folder for all sessions, if the user has set one. */
	sessionDir?: string | undefined;
	cwd?: string | undefined;
	/** The port to listen on. 0: any free port. */
	port: number;
	/** The address to listen on: `127.0.0.1`, or `0.0.0.0` for the local network. */
	address: string;
	/** Host names of the server in addition to the loopback names. */
	hosts?: readonly string[];
	/** Default: new tokens. */
	tokens?: Tokens;
	env?: Readonly<Record<string, string | undefined>>;
	log?: DebugLog;
	/** Prints a message about a bug to the terminal. */
	say?: (message: string) => void;
	/** See {@link Events}. */
	heartbeatMs?: number;
	/** Time in milliseconds within which a complete request must arrive. Default: 10,000. */
	requestMs?: number;
}

export interface RunningServer {
	port: number;
	tokens: Tokens;
	close(): Promise<void>;
}

/** Starts the server. Rejects if the port is in use. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const {
		agentDir,
		env = process.env,
		requestMs = 10_000,
		tokens = newTokens(),
		log = () => undefined,
	} = options;
	const board = new SessionBoard(agentDir, options.sessionDir, options.cwd);
	const events = new Events(board, agentDir, options.heartbeatMs);
	const routes = routesOf({
		agentDir,
		cwd: options.cwd,
		log,
		board,
		checkout: readCheckout,
		words: await wordsFor({ agentDir, env }),
		program: hostIn(env).program,
		canOpen: Boolean(env["TMUX"]),
		openWindow: options.openWindow ?? ((command, cwd) => openWindow(command, cwd, { env, agentDir })),
		whyTooLarge: (size) => whyTooLarge(size, env),
		startJob: options.startJob ?? ((plan) => startJob(plan, agentDir, env)),
		goThere: options.goThere ?? ((target) => goTo(target, env)),
		now: Date.now,
	});
	const files = pageFiles();

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
		const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(request.url ?? "") ?? [];
		const method = request.method === "HEAD" ? "GET" : request.method;
		if (!isKnownHost(request, options.hosts)) return send(response, UNKNOWN_HOST);
		const file = method === "GET" ? files.get(path) : undefined;
		if (file) {
			response.setHeader("Cache-Control", "no-cache");
			return void response.setHeader("Content-Type", file.type).end(file.bytes);
		}
		const given = accessOf(request, tokens);
		if (!given.ok) return send(response, given);
		if (method === "GET" && path === "/v1/live") return events.listen(request, response);
		const answer = routes.get(`${method} ${pathOf(path)}`);
		if (!answer) return send(response, NOT_FOUND);
		const read = method === "POST" ? await readBody(request) : undefined;
		if (read && !read.ok) return send(response, read);
		const left = new AbortController();
		response.once("close", () => left.abort());
		const id = idIn(path);
		const { access } = given;
		const asked = { access, id, query: Object.fromEntries(new URLSearchParams(query)), body: read?.body };
		send(response, await answer({ ...asked, signal: left.signal }));
	}

	const server = createServer(
		{
			requestTimeout: requestMs,
			connectionsCheckingInterval: Math.min(requestMs / 2, 1_000),
			keepAliveTimeout: 30_000,
		},
		(request, response) =>
			respond(request, response).catch((bug) => {
				// The client has disconnected, or its request did not arrive in time.
				if (request.destroyed && !request.complete) return;
				const failure = errorFields(bug);
				const { error, at } = failure;
				const route = `${request.method} ${pathOf((request.url ?? "").replace(/\?.*/s, ""))}`;
				// A bug in our code is logged even if the debug log is off.
				openLog({ agentDir, enabled: true })("serve.failed", { route, ...failure });
				options.say?.(`${route} failed (${error}${at ? ` in ${at}` : ""}).`);
				if (response.headersSent) response.destroy();
				else send(response, BROKEN);
			}),
	);
	limitConnections(server);
	const close = async () => {
		events.close();
		board.close();
		if (!server.listening) return;
		const closed = once(server, "close");
		server.close();
		server.closeAllConnections();
		await closed;
	};
	try {
		server.listen(options.port, options.address);
		await once(server, "listening");
		return { port: (server.address() as AddressInfo).port, tokens, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Maximum number of connections. A browser opens up to six per page. */
const MOST_CONNECTIONS = 64;

/**
 * Limits the number of connections. If there are too many, the one that has been idle longest is closed, so that clients that open
 * connections and send nothing cannot lock others out. A connection is idle if none of its complete requests is waiting for a response.
 */
function limitConnections(server: Server): void {
	/** The idle connections; the one that has been idle longest comes first. */
	const idle = new Set<Socket>();
	/** The number of pending requests on each connection that is not idle. */
	const busy = new Map<Socket, number>();
	server.on("connection", (socket) => {
		socket.once("close", () => {
			idle.delete(socket);
			busy.delete(socket);
		});
		const [oldest = socket] = idle;
		idle.add(socket);
		if (idle.size + busy.size > MOST_CONNECTIONS) oldest.destroy();
	});
	server.on("request", ({ socket }, response) => {
		idle.delete(socket);
		busy.set(socket, (busy.get(socket) ?? 0) + 1);
		response.once("close", () => {
			const left = (busy.get(socket) ?? 1) - 1;
			if (left > 0) return void busy.set(socket, left);
			busy.delete(socket);
			if (!socket.destroyed) idle.add(socket);
		});
	});
}

/** Sends an answer after sanitizing and redacting its strings once more. */
function send(response: ServerResponse, answer: Answer): void {
	response.setHeader("Cache-Control", "no-store");
	response.setHeader("Content-Type", "application/json; charset=utf-8");
	response.statusCode = answer.status;
	if (answer.ok) return void response.end(JSON.stringify(outgoing(answer.body, answer.own)));
	const { status, reason, message, remedy } = answer;
	if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
	if (status === 413) response.setHeader("Connection", "close");
	response.end(JSON.stringify(outgoing({ error: { reason, message, remedy } })));
}

const MAX_BODY_BYTES = 64 * 1024;

/** Reads a JSON body. The content type is required, because a form on another site cannot send it. */
async function readBody(request: IncomingMessage): Promise<{ ok: true; body: unknown } | Refused> {
	if (Number(request.headers["content-length"]) > MAX_BODY_BYTES) return TOO_LARGE;
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > MAX_BODY_BYTES) return TOO_LARGE;
	}
	if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return NOT_JSON;
	try {
		return { ok: true, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
	} catch {
		return NOT_JSON;
	}
}

const ID = /(?<=^\/(?:v1|watch)\/sessions\/)[^/]+/;

function pathOf(path: string): string {
	return path.replace(ID, ":id");
}

/** Returns the id in an address. An invalid encoding is left unchanged, because no session has such an id. */
function idIn(path: string): string {
	const [id = ""] = ID.exec(path) ?? [];
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".mjs": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

/**
 * The session-core modules that the page imports. Their addresses have the same endings as their paths, so that they can import each other.
 */
const SHARED = [
	"sessions/session-list.mjs",
	"sessions/session-looks.mjs",
	"text/fold-case.mjs",
	"text/short-age.mjs",
];

/** Reads the page's files into memory, keyed by their addresses, so that no path is ever built from a request. */
function pageFiles(): Map<string, { bytes: Buffer; type: string }> {
	const page = fileURLToPath(new URL("../page", import.meta.url));
	const core = fileURLToPath(new URL("../../session-core", import.meta.url));
	const files = [
		...readdirSync(page).map((name) => [name === "index.html" ? "/" : `/${name}`, join(page, name)] as const),
		...SHARED.map((name) => [`/core/${name}`, join(core, name)] as const),
	].flatMap(([address, path]) => {
		const type = TYPES[extname(path)];
		return type ? [[address, { bytes: readFileSync(path), type }] as const] : [];
	});
	return new Map(files);
}

const NOT_FOUND = refused(404, "unknown_route", "There is no such route.", "docs/http.md lists the routes.");
const TOO_LARGE = refused(413, "too_large", "The body of this request is too large.", "Send at most 64 KB.");
const NOT_JSON = refused(
	415,
	"not_json",
	"The body must be JSON.",
	"Send Content-Type: application/json and a JSON object.",
);
const BROKEN = refused(
	500,
	"internal",
	"The server failed to answer this request.",
	"Try again. If it fails again, report the line printed by pi-sessions serve.",
);
