import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { getAgentDir } from "@mariozechner/pi-coding-agent";
import { fillDisk } from "../../support/full-disk.ts";

/** While this file exists in the soak's folder, the disk is full. */
export const FULL = "disk-is-full";
/** The parts that were written to a full disk, one JSON string a line. */
export const TORN = "torn.jsonl";

const KEY = Symbol.for("pi-session-suite:full-disk");

/** Extension for the soak's hosts: while the disk is full, every append below the agent folder is cut short. */
export default function fullDisk(): void {
	const once: typeof globalThis & { [KEY]?: true } = globalThis;
	if (once[KEY]) return;
	once[KEY] = true;
	const folder = process.env["SOAK_FOLDER"] ?? "";
	fillDisk(
		(path) => path.startsWith(getAgentDir()) && existsSync(join(folder, FULL)),
		(piece) => appendFileSync(join(folder, TORN), `${JSON.stringify(piece)}\n`),
	);
}
