import { createHash } from "node:crypto";

const TOKEN_LENGTH = 16;

/**
 * Encloses session text in `<name-token>…</name-token>`. The token is a hash of the text, so the text
 * cannot contain its own closing tag. The token contains only letters, because a tag name with digits
 * would not be recognized as inserted text.
 */
export function inTags(name: string, text: string): string {
	const bytes = createHash("sha256").update(text).digest().subarray(0, TOKEN_LENGTH);
	const token = Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
	return `<${name}-${token}>\n${text}\n</${name}-${token}>`;
}
