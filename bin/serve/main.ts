import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { agentAbove, liveLeases } from "../../session-core/sessions/index.ts";
import { errorCode, replaceFile } from "../../session-core/text/files/index.ts";
import { cleanText } from "../../session-core/text/index.ts";
import { DONE, type World } from "../shell/world.ts";
import { type RunningServer, startServer } from "./server.ts";

type ServeOptions = { port: number; lan?: boolean };

export function serve(options: ServeOptions, world: World): Promise<number> {
	const ending = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ending.abort());
	return serveUntil(ending.signal, options, world);
}

export async function serveUntil(stopped: AbortSignal, options: ServeOptions, world: World): Promise<number> {
	const { agentDir, sessionDir, cwd, env, log, say } = world;
	const { port, lan = false } = options;
	const hosts = lan ? lanAddresses() : [];
	const address = lan ? "0.0.0.0" : "127.0.0.1";
	// A server that an agent started is read-only, because only people may answer and resume sessions.
	const isAgents = agentAbove(liveLeases(agentDir, world.now()), env) !== undefined;
	let server: RunningServer;
	try {
		server = await startServer({ agentDir, sessionDir, cwd, env, port, address, hosts, log, say });
	} catch (error) {
		const isTaken = errorCode(error) === "EADDRINUSE";
		const taken = `Port ${port} is in use, perhaps by another pi-sessions server. Use --port to choose another port.`;
		return world.fail(isTaken ? taken : String(error));
	}
	// If the server cannot start, the token file must keep the tokens of a server that is already running.
	const tokenFile = tokenFileOf(agentDir);
	const disclosed = isAgents ? { ...server.tokens, act: "" } : server.tokens;
	const written = replaceFile(tokenFile, `${JSON.stringify(disclosed)}\n`);
	if (!written.ok) {
		await server.close();
		const { detail: reason } = written;
		return world.fail(`The token file ${tokenFile} could not be written (${reason}).`);
	}
	const facts = { port: server.port, addresses: hosts, tokens: disclosed, tokenFile };
	const isTerminal = world.out.isTTY ?? false;
	world.print(...bannerLines({ ...facts, isTerminal }).map(cleanText));
	if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener("abort", resolve));
	await server.close();
	return DONE;
}

/**
 * IPv6 addresses are left out, because they are too long to type and their QR codes are hard to scan.
 */
export function lanAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flatMap((found) => found ?? [])
		.filter(({ family, internal }) => family === "IPv4" && !internal)
		.map(({ address }) => address);
}

interface BannerFacts {
	port: number;
	addresses: readonly string[];
	tokens: RunningServer["tokens"];
	tokenFile: string;
	isTerminal: boolean;
}

export function bannerLines({ port, addresses, tokens, tokenFile, isTerminal }: BannerFacts): string[] {
	const addressFor = (host: string, token: string) => `http://${host}:${port}/#token=${token}`;
	const lan = addresses.map((address) => addressFor(address, tokens.read));
	const [first] = isTerminal ? lan : [];
	const readOnly = addressFor("127.0.0.1", tokens.read);
	return [
		tokens.act === ""
			? "This server is read-only because an agent started it. For full access, run pi-sessions serve in your own terminal."
			: `Open ${addressFor("127.0.0.1", tokens.act)}`,
		`Read-only address: ${readOnly}`,
		"Anyone who has one of these addresses can see and search all your sessions.",
		`The tokens in these addresses are valid until this server stops. Scripts can read the tokens from ${tokenFile}.`,
		...(lan.length === 0 ? [] : ["", ...LAN_WARNING, ...lan, ""]),
		...(first === undefined ? [] : [...renderUnicodeCompact(first, { border: 2 }).split("\n"), ""]),
		"Press Ctrl+C to stop the server.",
	];
}

const LAN_WARNING = [
	"WARNING: Anyone on this network who has the address below can read your sessions, and the connection is not encrypted.",
	"Use --lan only on a network that you trust. Other machines get read-only access.",
];

export function tokenFileOf(agentDir: string): string {
	return `${agentDir}/session-suite/serve-tokens.json`;
}
