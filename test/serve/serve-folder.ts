import { newTokens } from "../../bin/serve/main.ts";
import { type RunningServer, type ServerOptions, startServer, type Tokens } from "../../bin/serve/server.ts";

/** Starts a server for an agent folder on a free port of loopback. The caller closes it. */
export async function serveFolder(
	agentDir: string,
	options: Partial<ServerOptions> = {},
): Promise<{ server: RunningServer; tokens: Tokens }> {
	const tokens = options.tokens ?? newTokens();
	const loopback = { port: 0, address: "127.0.0.1", version: "0.0.0-test", env: {}, tokens };
	return { server: await startServer({ agentDir, ...loopback, ...options }), tokens };
}
