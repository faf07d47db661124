import { lstatSync } from "node:fs";

/**
 * Whether a path is a socket that this user made. Programs trust the server that they are led to (tmux's may tell its client what
 * to run), so no other user's is used.
 */
export function isOwnSocket(path: string): boolean {
	try {
		const stat = lstatSync(path);
		return stat.isSocket() && stat.uid === process.getuid?.();
	} catch {
		// It is gone.
		return false;
	}
}
