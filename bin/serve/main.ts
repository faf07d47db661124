import { networkInterfaces } from "node:os";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { bannerLines } from "./banner.ts";
import { type RunningServer, startServer } from "./server.ts";
import { openTokens, type Tokens, tokenFile } from "./tokens.ts";

export interface ServeOptions {
	agentDir: string;
	/** The one folder of all sessions, where the user has such; default: those of all projects. */
	sessionDir?: string | undefined;
	/** Default {@link DEFAULT_PORT}; 0: any free one. */
	port?: number;
	/** Also for the local network, read-only. Default: loopback alone. */
	lan?: boolean;
	/** Make new tokens; who has the old ones is locked out. */
	newToken?: boolean;
	version: string;
	/** Where the addresses are said. */
	say(line: string): void;
	isTerminal: boolean;
	/** Ends it. */
	signal: AbortSignal;
}

/** `failed`: nothing listens, for the reason that was said. */
export type ServeOutcome = { ok: true } | { ok: false; detail: string };

export const DEFAULT_PORT = 7878;

/** Serves until the signal says so. */
export async function serve(options: ServeOptions): Promise<ServeOutcome> {
	const { agentDir, lan = false, say, signal } = options;
	const opened = openTokens(agentDir, options.newToken ?? false);
	if (!opened.ok) return { ok: false, detail: `${tokenFile(agentDir)} cannot be written: ${opened.detail}` };
	const { tokens, isNew } = opened;
	const addresses = lan ? lanAddresses() : [];
	const started = await start(options, tokens, addresses);
	if (!started.ok) return started;
	const { server } = started;
	for (const line of bannerLines({
		port: server.port,
		addresses,
		tokens,
		tokenFile: tokenFile(agentDir),
		isNew,
		isTerminal: options.isTerminal,
	}))
		say(line);
	await aborted(signal);
	await server.close();
	return { ok: true };
}

type Started = { ok: true; server: RunningServer } | { ok: false; detail: string };

async function start(options: ServeOptions, tokens: Tokens, addresses: readonly string[]): Promise<Started> {
	const { agentDir, sessionDir, port = DEFAULT_PORT, version } = options;
	try {
		const address = options.lan ? "0.0.0.0" : "127.0.0.1";
		const server = await startServer({
			agentDir,
			sessionDir,
			port,
			address,
			hosts: addresses,
			tokens,
			version,
		});
		return { ok: true, server };
	} catch (error) {
		const isTaken = errorCode(error) === "EADDRINUSE";
		return {
			ok: false,
			detail: isTaken
				? `Port ${port} is taken: another pi-sessions serve may run already. --port chooses another one.`
				: String(error),
		};
	}
}

/** Addresses by which other machines reach this one. IPv4 alone: those are what people type and what cameras read well. */
export function lanAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flatMap((found) => found ?? [])
		.filter(({ family, internal }) => family === "IPv4" && !internal)
		.map(({ address }) => address);
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
