import { type RunningServer, type ServerOptions, startServer } from "../../bin/serve/server.ts";
import { TokenFile, type Tokens } from "../../bin/serve/tokens.ts";

/** A server of an agent folder on any free port of loopback; whoever asks for it closes it. */
export async function serveFolder(
	agentDir: string,
	options: Partial<ServerOptions> = {},
): Promise<{ server: RunningServer; tokens: Tokens }> {
	const opened = new TokenFile(agentDir).open(false);
	if (!opened.ok) throw new Error(opened.detail);
	const { tokens } = opened;
	const loopback = { port: 0, address: "127.0.0.1", version: "0.0.0-test", env: {} };
	return { server: await startServer({ agentDir, ...loopback, ...options }), tokens };
}
