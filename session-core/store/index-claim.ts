import { linkSync, unlinkSync } from "node:fs";
import { beginReplacing } from "./atomic-file.ts";
import { isAlive } from "./process.ts";
import { errorCode } from "./regular-file.ts";
import { readHead } from "./span.ts";

/** Name of a claim: the index, and the state of it that is to be replaced. */
const CLAIM = /\.index\.[\w-]+\.claim$/;

export interface Claim {
	release(): void;
}

/**
 * The right to replace one state of an index, once: no two processes get it for the same state. Undefined where another has
 * it; nobody waits for it. Throws what the file system throws otherwise.
 */
export function claim(path: string, generation = "none"): Claim | undefined {
	const file = `${path}.${generation}.claim`;
	// Put in place with its owner's name in it: whoever dies in between leaves a temporary file, which is swept as such.
	const pending = beginReplacing(file);
	try {
		pending.write(`${process.pid}`);
		linkSync(pending.path, file);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
		// The next one who asks gets it.
		if (isDeadClaim(file)) remove(file);
		return undefined;
	} finally {
		pending.discard();
	}
	return { release: () => remove(file) };
}

/** Whether this is the claim of a process that has died. */
export function isDeadClaim(file: string): boolean {
	if (!CLAIM.test(file)) return false;
	const head = readHead(file, 16);
	if (!head.ok) return false;
	return !isAlive(Number.parseInt(head.bytes.toString("latin1"), 10));
}

function remove(file: string): void {
	try {
		unlinkSync(file);
	} catch {
		// Swept by another process.
	}
}
