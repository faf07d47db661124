import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { getAgentDir } from "@mariozechner/pi-coding-agent";
import { fillDisk } from "../../support/full-disk.ts";

/** While this file exists in the soak's folder, the disk is full. */
export const FULL = "disk-is-full";
/** The pieces that full disks took, one a line, as JSON. */
export const TORN = "torn.jsonl";

const KEY = Symbol.for("pi-session-suite:full-disk");

/** Loaded into the hosts of the soak: whatever is appended below the agent's folder is cut short while the disk is full. */
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
