import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type DebugLog, openLog } from "../../session-core/debug-log.ts";
import { type GoOutcome, goTo, type LiveTarget } from "../../session-core/live/go-to-terminal.ts";
import { placeHere } from "../../session-core/live/liveness.mjs";
import { readCheckout } from "../../session-core/repository.ts";
import { whyTooLarge } from "../command/run-pi.ts";
import { bugFields } from "../sessions/log-fields.ts";
import { wordsFor } from "../sessions/words.ts";
import { createApp } from "./app.ts";
import { SessionBoard } from "./board.ts";
import type { RoutesDeps } from "./find.ts";
import { startJob } from "./job.ts";
import { LeaseWatch } from "./live.ts";
import { News } from "./news.ts";
import { EventHub, type HubOptions } from "./stream.ts";
import { openWindow, type WindowOutcome } from "./tmux.ts";
import type { Tokens } from "./tokens.ts";

export interface ServerOptions {
	agentDir: string;
	/** The folder for all sessions, if the user has set one. */
	sessionDir?: string | undefined;
	/** 0: any free port. */
	port: number;
	/** The address to listen on: `127.0.0.1`, or `0.0.0.0` for the local network. */
	address: string;
	/** The server's host names other than the loopback names. */
	hosts?: readonly string[];
	tokens: Tokens;
	version: string;
	env?: Readonly<Record<string, string | undefined>>;
	log?: DebugLog;
	/** Reports a bug in the terminal. */
	say?: (message: string) => void;
	hub?: Partial<HubOptions>;
	/** Maximum number of milliseconds for a complete request to arrive. Default: 10,000. */
	requestMs?: number;
	goThere?: (target: LiveTarget) => Promise<GoOutcome>;
	startJob?: RoutesDeps["startJob"];
	openWindow?: (command: readonly string[], cwd: string) => Promise<WindowOutcome>;
}

export interface RunningServer {
	port: number;
	/** Ends every connection. */
	close(): Promise<void>;
}

const MAX_CONNECTIONS = 4_000;

/** Starts the server. Rejects if the port is in use. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { agentDir, env = process.env, requestMs = 10_000, log = () => undefined } = options;
	const board = new SessionBoard({ agentDir, sessionDir: options.sessionDir });
	const live = new LeaseWatch(agentDir);
	const hub = new EventHub(options.hub);
	const news = new News(board, live, hub);
	const app = createApp({
		agentDir,
		log,
		report: (bug, route) => {
			const { error, at } = bugFields(bug);
			// A bug in our code is logged even if the debug log is off.
			openLog({ agentDir, enabled: true })("serve.failed", { route, error, at });
			options.say?.(`${route} failed (${error}${at ? ` in ${at}` : ""}).`);
		},
		board,
		live,
		version: options.version,
		clients: () => hub.size,
		checkout: (cwd) => readCheckout(cwd),
		words: await wordsFor({ agentDir, env }),
		canOpen: Boolean(env["TMUX"]),
		openWindow: options.openWindow ?? openWindow,
		whyTooLarge: (size) => whyTooLarge(size, env),
		startJob: options.startJob ?? ((plan) => startJob(plan, { agentDir, env })),
		goThere: options.goThere ?? ((target) => goTo(target, { env, here: placeHere() })),
		now: Date.now,
		tokens: options.tokens,
		hosts: new Set(options.hosts ?? []),
		news,
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
		if (!server.listening) return;
		const closed = once(server, "close");
		server.close();
		server.closeAllConnections();
		await closed;
	};
	try {
		server.listen(options.port, options.address);
		await once(server, "listening");
		return { port: (server.address() as AddressInfo).port, close };
	} catch (error) {
		await close();
		throw error;
	}
}
