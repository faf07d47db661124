/**
 * Extensions share settings, so they share what is wrong with them: whoever finds it first says it, the others keep
 * quiet. The host loads each extension with its own copy of our modules, so what was said is kept on the global object.
 */
const REGISTRY = Symbol.for("pi-session-suite:said");

type Registry = WeakMap<object, Set<string>>;

/** Run `say` unless something with this key was said to the same listener (the host's UI) before. */
export function sayOnce(listener: object, key: string, say: () => void): void {
	const shared = globalThis as { [REGISTRY]?: Registry };
	shared[REGISTRY] ??= new WeakMap();
	const said = shared[REGISTRY].get(listener) ?? new Set();
	shared[REGISTRY].set(listener, said);
	if (said.has(key)) return;
	said.add(key);
	say();
}
