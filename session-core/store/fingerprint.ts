import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Steps } from "./pace.ts";

/** A folder's listing as one short text: it differs when a file came, went or changed. Empty for an unreadable folder. */
export function* fingerprint(folder: string): Steps<string> {
	const hash = createHash("sha1");
	try {
		for (const name of readdirSync(folder).sort()) {
			const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
			hash.update(`${name}\n${stat?.size}\n${stat?.mtimeMs}\n`);
			yield;
		}
	} catch {
		// Not there, or not ours to look into: that is a state too.
		yield "";
		return;
	}
	yield hash.digest("hex");
}
