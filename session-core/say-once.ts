/**
 * The extensions share their settings, so they all find the same problems in them. Only the first extension that finds a problem reports
 * it. The host loads a copy of this module for each extension, so the reported problems are stored on the global object.
 */
const REGISTRY = Symbol.for("pi-session-suite:said");

type Registry = WeakMap<object, Set<string>>;

/** Runs `say` unless a message with this key was already shown to the same listener (the host's UI). */
export function sayOnce(listener: object, key: string, say: () => void): void {
	const shared = globalThis as { [REGISTRY]?: Registry };
	shared[REGISTRY] ??= new WeakMap();
	const shownKeys = shared[REGISTRY].get(listener) ?? new Set();
	shared[REGISTRY].set(listener, shownKeys);
	if (shownKeys.has(key)) return;
	shownKeys.add(key);
	say();
}
