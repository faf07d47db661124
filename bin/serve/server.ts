import { execFile } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type GoOutcome, goTo } from "../../session-core/live-terminal/go.ts";
import type { LiveTarget } from "../../session-core/live-terminal/where.ts";
import { placeOf } from "../../session-core/store/machine.ts";
import { type Exec, readCheckout } from "../../session-core/workspace/repository.ts";
import type { RateLimits } from "./admit.ts";
import { createApp } from "./app.ts";
import { openBoard } from "./board.ts";
import { openLive } from "./live.ts";
import { News } from "./news.ts";
import { openApiOf } from "./openapi.ts";
import { readPage } from "./page-files.ts";
import { languageSetting, recapWords } from "./recap-words.ts";
import { routesOf } from "./routes.ts";
import { EventHub, type HubOptions } from "./stream.ts";
import { openWindow, type WindowOutcome } from "./tmux.ts";
import type { Tokens } from "./tokens.ts";

export interface ServerOptions {
	agentDir: string;
	/** The one folder of all sessions; default: those of all projects. */
	sessionDir?: string | undefined;
	/** 0: any free one. */
	port: number;
	/** Where it listens: `127.0.0.1`, or `0.0.0.0` for the local network. */
	address: string;
	/** Names other than loopback that it is reached by. */
	hosts?: readonly string[];
	tokens: Tokens;
	version: string;
	env?: Readonly<Record<string, string | undefined>>;
	rates?: Partial<RateLimits>;
	hub?: Partial<HubOptions>;
	/** How long a request may take to arrive, in milliseconds. Default 10,000. */
	requestMs?: number;
	goThere?: (target: LiveTarget) => Promise<GoOutcome>;
	openWindow?: (command: readonly string[], cwd: string) => Promise<WindowOutcome>;
}

export interface RunningServer {
	port: number;
	/** Resolves when every connection is closed. */
	close(): Promise<void>;
}

/** A page asks for ten thousand sessions at once, and a house may share one address; guessing a token gets a few tries. */
const RATES: RateLimits = {
	read: { perSecond: 500, burst: 2_500 },
	act: { perSecond: 5, burst: 30 },
	refused: { perSecond: 5, burst: 60 },
};

const MAX_CONNECTIONS = 4_000;

/** Starts to listen. Rejects where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { agentDir, env = process.env, requestMs = 10_000 } = options;
	const words = recapWords(agentDir, env);
	const board = openBoard(agentDir, await words(undefined), options.sessionDir);
	const live = openLive(agentDir);
	const hub = new EventHub(options.hub);
	const news = new News(board, live, hub);
	const routes = routesOf({
		agentDir,
		board,
		live,
		version: options.version,
		clients: () => hub.size,
		checkout: (cwd) => readCheckout(exec, cwd),
		words,
		canOpen: Boolean(env["TMUX"]),
		openWindow: options.openWindow ?? openWindow,
		goThere: options.goThere ?? ((target) => goTo(target, { env, here: placeOf(agentDir) })),
		now: Date.now,
	});
	const app = createApp({
		routes,
		openApi: openApiOf(routes, options.version),
		page: readPage(),
		language: () => languageSetting(agentDir),
		tokens: options.tokens,
		hosts: new Set(options.hosts ?? []),
		rates: { ...RATES, ...options.rates },
		hub,
		hello: () => news.hello(),
		onListeners: async (count) => (count > 0 ? news.start() : news.stop()),
		now: () => performance.now(),
	});
	const server = createAdaptorServer({
		fetch: app.fetch,
		overrideGlobalObjects: false,
		serverOptions: {
			requestTimeout: requestMs,
			headersTimeout: Math.min(requestMs, 5_000),
			connectionsCheckingInterval: Math.min(requestMs / 2, 1_000),
			keepAliveTimeout: 30_000,
			maxHeaderSize: 16 * 1024,
		},
	}) as Server;
	server.maxConnections = MAX_CONNECTIONS;
	const close = async () => {
		news.stop();
		hub.close();
		board.close();
		live.close();
		await closed(server);
	};
	try {
		const port = await listening(server, options.port, options.address);
		return { port, close };
	} catch (error) {
		await close();
		throw error;
	}
}

function listening(server: Server, port: number, address: string): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, address, () => {
			server.off("error", reject);
			resolve((server.address() as AddressInfo).port);
		});
	});
}

function closed(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

const exec: Exec = (command, args, { cwd, timeout }) =>
	new Promise((resolve) => {
		execFile(command, args, { cwd, timeout, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
			const code = typeof error?.code === "number" ? error.code : 1;
			resolve({ stdout, code: error ? code : 0, killed: error?.killed ?? false });
		});
	});
