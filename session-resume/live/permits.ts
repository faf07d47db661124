/** The session files that the user has just agreed to open although another process has them open. */
export interface Permits {
	allow(path: string): void;
	withdraw(path: string): void;
	has(path: string): boolean;
}

/** Lifetime of a permit in milliseconds. A permit covers opening a session once, during which the host may call the hook twice. */
const HOLDS_MS = 30_000;

/**
 * Creates the permits of one instance of the extension. When the board or a command has asked the user, it adds a permit, so that the
 * hook before the switch does not ask again.
 */
export function createPermits(now: () => number = Date.now): Permits {
	const given = new Map<string, number>();
	return {
		allow: (path) => given.set(path, now()),
		withdraw: (path) => given.delete(path),
		has: (path) => now() - (given.get(path) ?? Number.NEGATIVE_INFINITY) < HOLDS_MS,
	};
}
