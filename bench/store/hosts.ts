import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyOf, NEWEST } from "../../scripts/newer-hosts.mjs";
import { type Probed, probeEnvironment, ROOM, readProbed } from "./probed.ts";

/** A host that can be asked to list sessions. */
export interface Host {
	version: string;
	/** Its package. */
	folder: string;
	/** The Node that runs it. */
	node: string;
}

const PROGRAM = fileURLToPath(new URL("./host-listing.mjs", import.meta.url));
const LOCKED = new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/cli.js", import.meta.url);

/** The locked host, which the budgets are held against. */
export const LOCKED_HOST = hostOf(fileURLToPath(LOCKED), process.execPath);

/** The one that the environment names, else the copy that `npm run test:hosts` keeps; undefined: neither is here. */
export function newestHost(): Host | undefined {
	const { PI_SUITE_HOST_CLI: cli, PI_SUITE_HOST_NODE: node = process.execPath } = process.env;
	if (cli !== undefined) return hostOf(cli, node);
	const copy = copyOf(NEWEST);
	return existsSync(copy.stamp) ? hostOf(copy.cli, copy.node ?? process.execPath) : undefined;
}

/** Says that the newest host is left out, and how to get it. */
export function explainMissing(): string {
	const { version } = NEWEST;
	return `store: the listing of pi ${version} is left out, as it is not installed here; "npm run test:hosts -- ${version}" installs it.`;
}

/** The host's own listing, in a process of its own. */
export function listByHost({ folder, node }: Host, agentDir: string): Probed {
	const args = [ROOM, PROGRAM, join(folder, "dist/index.js")];
	return readProbed(execFileSync(node, args, { encoding: "utf8", env: probeEnvironment(agentDir) }));
}

/** By the path of its `dist/cli.js`. */
function hostOf(cli: string, node: string): Host {
	const folder = dirname(dirname(cli));
	const { version }: { version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	return { version, folder, node };
}
