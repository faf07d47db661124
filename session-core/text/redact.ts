import { knownIn } from "./known-secrets.ts";
import { redactPem } from "./redact-pem.ts";
import { REDACTED } from "./redacted.ts";
import { findSecrets } from "./secrets/find.ts";

function redactOnce(text: string): string {
	const withoutKeys = redactPem(text, REDACTED);
	let out = "";
	let read = 0;
	for (const { start, end } of findSecrets(withoutKeys)) {
		// What was hidden before stays as it is, or another look would find something new at its edges.
		if (withoutKeys.slice(start, end).replaceAll(REDACTED, "") === "") continue;
		out += withoutKeys.slice(read, start) + REDACTED;
		read = end;
	}
	return read === 0
		? withoutKeys
		: (out + withoutKeys.slice(read)).replace(/(?:\[redacted\]){2,}/g, REDACTED);
}

/**
 * Text without the secrets that can be told from text: keys of known shape, private keys, credentials in URLs,
 * headers and commands, and values after the name of a secret. Each becomes `[redacted]`. Synchronous, linear and
 * idempotent; what stands alone and looks like a hash or an id (commits, UUIDs) stays.
 *
 * `known` (see `secretsIn`) are values that were told from other text of the same session: they go wherever they stand.
 */
export function redact(text: string, known?: ReadonlySet<string>): string {
	let before = known ? knownIn(text, known) : text;
	let after = redactOnce(before);
	// What is hidden changes what its neighbours look like; glued-together secrets may take another look or two.
	for (let look = 0; look < 3 && after !== before; look++) {
		before = after;
		after = redactOnce(before);
	}
	return after;
}
