import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type DebugLog, errorFields, openLog, placeOfBug, sendBugs } from "../../session-core/text/index.ts";
import { type ActsDeps, actsDeps } from "./acts.ts";
import { SessionBoard } from "./board.ts";
import { Events } from "./events.ts";
import { accessOf, HEADERS, isKnownHost, newTokens, type Tokens } from "./guard.ts";
import { readBody, refused, send } from "./http.ts";
import { pageFiles } from "./page-files.ts";
import { routesOf } from "./routes.ts";

export interface ServerOptions extends Partial<Pick<ActsDeps, "goThere" | "startJob" | "openWindow">> {
	agentDir: string;
	sessionDir?: string | undefined;
	cwd?: string | undefined;
	port: number;
	address: string;
	/** `hosts` contains host names that the server accepts in addition to `localhost` and `127.0.0.1`. */
	hosts?: readonly string[];
	tokens?: Tokens;
	env?: Readonly<Record<string, string | undefined>>;
	log?: DebugLog;
	say?: (message: string) => void;
	heartbeatMs?: number;
	/**
	 * The maximum time, in milliseconds, that a client may take to send a complete request. The default is
	 * 10 seconds.
	 */
	requestMs?: number;
}

export interface RunningServer {
	port: number;
	tokens: Tokens;
	close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { agentDir, cwd, requestMs = 10_000, tokens = newTokens() } = options;
	const board = new SessionBoard(agentDir, options.sessionDir, cwd);
	const events = new Events(board, options.heartbeatMs);
	const routes = routesOf(await actsDeps({ ...options, board, cwd }));
	const site: Site = { ...options, events, files: pageFiles(), routes, tokens };
	sendBugs({
		show: (_name, bug) =>
			options.say?.(`An unexpected error occurred in the background (${placeOfBug(bug)}).`),
		log: (_name, bug) => openLog({ agentDir, enabled: true })("serve.failed", errorFields(bug)),
	});
	const limits = { requestTimeout: requestMs, connectionsCheckingInterval: Math.min(requestMs / 2, 1_000) };
	const server = createServer({ ...limits, keepAliveTimeout: 30_000 }, (request, response) =>
		respond(request, response, site).catch((bug) => reportBug(bug, request, response, options)),
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
		return { port: (server.address() as { port: number }).port, tokens, close };
	} catch (error) {
		await close();
		throw error;
	}
}

interface Site extends Pick<ServerOptions, "hosts"> {
	events: Events;
	files: ReturnType<typeof pageFiles>;
	routes: ReturnType<typeof routesOf>;
	tokens: Tokens;
}

async function respond(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
	for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
	const { method, path, query } = partsOf(request);
	if (!isKnownHost(request, site.hosts)) return send(response, refused("unknown_host"));
	const file = method === "GET" ? site.files.get(path) : undefined;
	if (file) {
		response.setHeader("Cache-Control", "no-cache");
		return void response.setHeader("Content-Type", file.type).end(file.bytes);
	}
	const given = accessOf(request, site.tokens);
	if (!given.ok) return send(response, given);
	if (method === "GET" && path === "/v1/live") return site.events.listen(request, response);
	const answer = site.routes.get(routeOf(request));
	if (!answer) return send(response, refused("unknown_route"));
	const read = method === "POST" ? await readBody(request) : { ok: true as const, body: undefined };
	if (!read.ok) return send(response, read);
	const left = new AbortController();
	response.once("close", () => left.abort());
	const { access } = given;
	send(response, await answer({ access, id: idIn(path), query, body: read.body, signal: left.signal }));
}

/** Internal errors are logged even if the debug log is off. */
function reportBug(
	bug: unknown,
	request: IncomingMessage,
	response: ServerResponse,
	{ agentDir, say }: ServerOptions,
): void {
	// Errors are expected after a client has disconnected or a request has timed out.
	if (request.destroyed && !request.complete) return;
	const route = routeOf(request);
	openLog({ agentDir, enabled: true })("serve.failed", { route, ...errorFields(bug) });
	say?.(`The request ${route} failed (${placeOfBug(bug)}).`);
	if (response.headersSent) response.destroy();
	else send(response, refused("internal"));
}

function partsOf({ method, url = "" }: IncomingMessage) {
	const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
	const values = Object.fromEntries(new URLSearchParams(query));
	return { method: method === "HEAD" ? "GET" : method, path, query: values };
}

const ID = /(?<=^\/(?:v1|watch)\/sessions\/)[^/]+/;

function routeOf(request: IncomingMessage): string {
	const { method, path } = partsOf(request);
	return `${method} ${path.replace(ID, ":id")}`;
}

/** Malformed percent-encoding is left unchanged, because no session id contains it. */
function idIn(path: string): string {
	const [id = ""] = ID.exec(path) ?? [];
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}

const MOST_CONNECTIONS = 64;

/**
 * If there are too many connections, the connection that has been idle longest is closed. Otherwise, a
 * client that opens connections and sends nothing could lock out other clients.
 */
function limitConnections(server: Server): void {
	const idle = new Set<IncomingMessage["socket"]>();
	const busy = new Set<IncomingMessage["socket"]>();
	server.on("connection", (socket) => {
		socket.once("close", () => idle.delete(socket) || busy.delete(socket));
		const [oldest = socket] = idle;
		idle.add(socket);
		if (idle.size + busy.size > MOST_CONNECTIONS) oldest.destroy();
	});
	server.on("request", ({ socket }, response) => {
		idle.delete(socket);
		busy.add(socket);
		response.once("close", () => {
			if (busy.delete(socket)) idle.add(socket);
		});
	});
}
