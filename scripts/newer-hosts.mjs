// The hosts newer than the locked one, and where `npm run test:hosts` keeps its copies of them: for it, and for the bench.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COPIES = fileURLToPath(new URL("../node_modules/.cache/newer-hosts", import.meta.url));

export const BETWEEN = { version: "0.74.2" };
/** Needs a newer Node than the suite; the npm package `node` brings it. */
export const NEWEST = { version: "0.87.1", node: "24" };

/** Folder of the copy, its program, and the Node that runs it (undefined: any). */
export function copyOf({ version, node }) {
	const folder = join(COPIES, version);
	const modules = join(folder, "node_modules");
	return {
		folder,
		cli: join(modules, "@earendil-works/pi-coding-agent/dist/cli.js"),
		node: node && join(modules, "node/bin/node"),
		/** Stands there once all of it is installed. */
		stamp: join(folder, ".installed"),
	};
}
