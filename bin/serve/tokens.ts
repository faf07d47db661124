import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { replaceFile } from "../../session-core/atomic-file.ts";
import { errorCode } from "../../session-core/regular-file.ts";

/**
 * A server's two secrets: `act` permits everything, and `read` permits only reading. Each start has its own, so a token that an open page
 * sends to another program on the port of a server that has ended is worth nothing.
 */
export interface Tokens {
	act: string;
	read: string;
}

export function newTokens(): Tokens {
	const token = () => randomBytes(32).toString("base64url");
	return { act: token(), read: token() };
}

/** The file with the tokens of the server that was started last, for scripts. */
export function tokenFileOf(agentDir: string): string {
	return join(agentDir, "session-suite", "serve-tokens.json");
}

/** Writes the file, readable by its owner only. A symlink is replaced, not followed. Returns why it failed, or undefined. */
export function writeTokens(agentDir: string, tokens: Tokens): string | undefined {
	try {
		const written = replaceFile(tokenFileOf(agentDir), `${JSON.stringify(tokens)}\n`);
		return written.ok ? undefined : written.detail;
	} catch (error) {
		// For example, a file has the name of the folder.
		return errorCode(error) ?? String(error);
	}
}
