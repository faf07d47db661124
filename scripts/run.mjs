// Runs a TypeScript program of the project on any supported Node, with the host's loader.
import { resolve } from "node:path";
import { createJiti } from "jiti";

const [program, ...args] = process.argv.slice(2);
if (!program) {
	console.error("usage: node scripts/run.mjs PROGRAM.ts [args]");
	process.exit(2);
}
process.argv = [process.argv[0], resolve(program), ...args];
await createJiti(import.meta.url).import(resolve(program));
