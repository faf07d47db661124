/**
 * Runs a server in a separate process, so that only the server's memory is measured. Prints the port and the token at the start and, for
 * each line of input, the memory in use after garbage collection. Exits when the input ends. Run it with --expose-gc.
 */
import { createInterface } from "node:readline";
import { serveFolder } from "../../test/serve/serve-folder.ts";

const [agentDir = ""] = process.argv.slice(2);
const { server, tokens } = await serveFolder(agentDir);
console.log(JSON.stringify({ port: server.port, token: tokens.read }));
for await (const _line of createInterface({ input: process.stdin })) {
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	console.log(JSON.stringify({ held: (heapUsed + external) / 1024 / 1024 }));
}
process.exit(0);
