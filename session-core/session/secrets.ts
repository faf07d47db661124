/** The secrets that a session's messages give away somewhere, and messages without them. */
import { knownIn, secretsIn } from "../text/known-secrets.ts";
import type { Entry } from "./entry.ts";
import type { Message } from "./message.ts";
import { textsIn } from "./texts.ts";

/** By entry: a log only grows, so each is looked at once. */
const found = new WeakMap<Entry, ReadonlySet<string>>();

/** Values that stand as a secret anywhere in these entries. */
export function secretsOf(entries: readonly Entry[]): ReadonlySet<string> {
	const known = new Set<string>();
	for (const entry of entries) {
		let own = found.get(entry);
		if (!own) {
			own = secretsIn(textsIn([entry]));
			found.set(entry, own);
		}
		for (const secret of own) known.add(secret);
	}
	return known;
}

/** The message with known values hidden wherever they stand. Before anything is cut: half a secret is one, too. */
export function withoutSecrets<M extends Message | undefined>(message: M, known: ReadonlySet<string>): M {
	return known.size === 0 || message === undefined
		? message
		: mapStrings(message, (text) => knownIn(text, known));
}

/** A copy of plain data with every text in it changed. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
	// Each kind of value comes back as the same kind; the compiler cannot see that of a generic one.
	if (typeof value === "string") return change(value) as T;
	if (Array.isArray(value)) return value.map((part) => mapStrings(part, change)) as T;
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapStrings(part, change)])) as T;
}
