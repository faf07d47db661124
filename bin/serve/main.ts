import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { errorCode } from "../../session-core/regular-file.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { DONE, FAILED, NOT_FOUND, versionOf, type World } from "../shell/world.ts";
import { type RunningServer, startServer } from "./server.ts";
import { TokenFile, type Tokens } from "./tokens.ts";

export interface ServeOptions {
	port?: string | undefined;
	lan?: boolean | undefined;
	"new-token"?: boolean | undefined;
}

const DEFAULT_PORT = "7878";

/** `pi-sessions serve`: serves until it is interrupted, or until `ending` is aborted. */
export async function serve(
	{ port = DEFAULT_PORT, lan = false, "new-token": renew = false }: ServeOptions,
	world: World,
	ending?: AbortSignal,
): Promise<number> {
	const { agentDir } = world;
	const fail = (why: string, code = FAILED) => {
		world.err.write(`pi-sessions serve: ${why}\n`);
		return code;
	};
	if (!(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
		return fail("--port is a number from 0 to 65535.", NOT_FOUND);
	const stopped = ending ?? interrupted();
	const addresses = lan ? lanAddresses() : [];
	let server: RunningServer;
	try {
		server = await startServer({
			agentDir,
			sessionDir: world.sessionDir,
			port: Number(port),
			address: lan ? "0.0.0.0" : "127.0.0.1",
			hosts: addresses,
			version: versionOf(),
		});
	} catch (error) {
		const isTaken = errorCode(error) === "EADDRINUSE";
		return fail(
			isTaken
				? `port ${port} is taken, perhaps by another pi-sessions serve. --port chooses another one.`
				: String(error),
		);
	}
	// Only now: a server that could not start must not invalidate the tokens of one that runs.
	const file = new TokenFile(agentDir);
	const opened = file.open(renew);
	if (!opened.ok) {
		await server.close();
		return fail(`${file.path} cannot be written: ${opened.detail}`);
	}
	const { tokens, isNew } = opened;
	const facts = { port: server.port, addresses, tokens, tokenFile: file.path, isNew };
	for (const line of bannerLines({ ...facts, isTerminal: world.out.isTTY ?? false }))
		world.out.write(`${cleanText(line)}\n`);
	await aborted(stopped);
	await server.close();
	return DONE;
}

function interrupted(): AbortSignal {
	const ending = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ending.abort());
	return ending.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

/** Addresses by which other machines reach this one. IPv4 alone: those are what people type and what cameras read well. */
export function lanAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flatMap((found) => found ?? [])
		.filter(({ family, internal }) => family === "IPv4" && !internal)
		.map(({ address }) => address);
}

export interface BannerFacts {
	port: number;
	/** Addresses on the local network; none without --lan. */
	addresses: readonly string[];
	tokens: Tokens;
	tokenFile: string;
	isNew: boolean;
	isTerminal: boolean;
}

/** What is printed when the server listens: where it is, what it shows, and to whom. */
export function bannerLines({
	port,
	addresses,
	tokens,
	tokenFile,
	isNew,
	isTerminal,
}: BannerFacts): string[] {
	const lan = addresses.map((address) => `http://${address}:${port}/#token=${tokens.read}`);
	const [first] = lan;
	const code =
		first !== undefined && isTerminal ? renderUnicodeCompact(first, { border: 2 }).split("\n") : [];
	return [
		`pi-sessions: http://127.0.0.1:${port}/#token=${tokens.act}`,
		"Whoever has this address sees the titles, first prompts, recaps and folders of all your sessions.",
		`Read only: http://127.0.0.1:${port}/#token=${tokens.read}`,
		`${isNew ? "New tokens are" : "Tokens are"} kept in ${tokenFile}; --new-token replaces them.`,
		...(lan.length === 0 ? [] : ["", ...LAN_WARNING, ...lan]),
		...(code.length === 0 ? [] : ["", ...code]),
		...(lan.length === 0 ? [] : [""]),
		"Press Ctrl+C to stop.",
	];
}

const LAN_WARNING = [
	"WARNING: everybody in this network who gets hold of the address below can read along, and nothing is encrypted.",
	"Use it at home, not in a café or an office. From other machines it is read-only.",
];
