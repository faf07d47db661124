// A server in a process of its own, so that its memory and its event loop are measured alone. Says where it is, and for every
// line of its input what it holds in memory that it cannot let go of; ends with its input. Run with --expose-gc.
import { createInterface } from "node:readline";
import { startServer } from "../../bin/serve/server.ts";
import { openTokens } from "../../bin/serve/tokens.ts";

const [agentDir = ""] = process.argv.slice(2);
const opened = openTokens(agentDir, false);
if (!opened.ok) throw new Error(opened.detail);
const server = await startServer({
	agentDir,
	port: 0,
	address: "127.0.0.1",
	tokens: opened.tokens,
	version: "bench",
	env: {},
});
console.log(JSON.stringify({ port: server.port, token: opened.tokens.read }));
for await (const _line of createInterface({ input: process.stdin })) {
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	console.log(JSON.stringify({ held: (heapUsed + external) / 1024 / 1024 }));
}
process.exit(0);
