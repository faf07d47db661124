import { appendFileSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { getAgentDir } from "@mariozechner/pi-coding-agent";
import { fillDisk } from "../support/full-disk.ts";

/** While this file exists in the home folder, the disk is full. */
export const FULL = "disk-is-full";
/**
 * File in the home folder with the parts that were written to a full disk: the process and the text, as
 * JSON lines.
 */
export const TORN = "torn.jsonl";

const KEY = Symbol.for("pi-session-suite:full-disk");

/**
 * Extension for the soak's hosts: while the disk is full, every append below the agent folder is cut
 * short.
 */
export default function fullDisk(): void {
	const once: typeof globalThis & { [KEY]?: true } = globalThis;
	if (once[KEY]) return;
	once[KEY] = true;
	fillDisk(
		(path) => path.startsWith(getAgentDir()) && existsSync(join(homedir(), FULL)),
		(piece) => appendFileSync(join(homedir(), TORN), `${JSON.stringify([process.pid, piece])}\n`),
	);
}
