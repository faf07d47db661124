import { createHash, randomInt } from "node:crypto";

/** Encloses text from sessions in tags, so that a prompt shows where data begins and ends. */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const TOKEN_LENGTH = 8;

/**
 * Returns the random part of a tag's name. It consists of letters only, because the timeline recognizes inserted text by tags whose names
 * are words joined by hyphens.
 */
function fenceToken(): string {
	return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/**
 * Returns a token that is derived from the text, for a prompt that must be the same whenever it is generated. It is so long that a
 * text that contains its own token cannot be found.
 */
export function tokenFor(text: string): string {
	const bytes = createHash("sha256").update(text).digest();
	return Array.from(bytes.subarray(0, 2 * TOKEN_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/**
 * Encloses a text in tags whose name ends in a random token: `<name-token>…</name-token>`. The text cannot close the fence, whatever it
 * contains, because it was written before the token was chosen.
 */
export function inTags(name: string, text: string, token = fenceToken()): string {
	return `<${name}-${token}>\n${text}\n</${name}-${token}>`;
}
