import { createHash } from "node:crypto";

/** Number of letters in the token of a tag. The number is large enough that nobody can find a text that contains its own token. */
const TOKEN_LENGTH = 16;

/**
 * Encloses session text in `<name-token>…</name-token>`, so that a prompt shows where data begins and ends. The text cannot close the
 * fence, because the token is derived from it. It has letters only, because the timeline recognizes inserted text by words joined by
 * hyphens.
 */
export function inTags(name: string, text: string): string {
	const bytes = createHash("sha256").update(text).digest().subarray(0, TOKEN_LENGTH);
	const token = Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
	return `<${name}-${token}>\n${text}\n</${name}-${token}>`;
}
