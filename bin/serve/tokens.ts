import { randomBytes } from "node:crypto";
import { fstatSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../session-core/atomic-file.ts";
import { readRegular, readSpan } from "../../session-core/regular-file.ts";

/** The server's two secrets: `act` permits everything, and `read` permits only reading. */
export interface Tokens {
	act: string;
	read: string;
}

/** The tokens, or why there are none. `isNew`: they have just been created, so older ones are no longer valid. */
export type TokensOutcome = { ok: true; tokens: Tokens; isNew: boolean } | { ok: false; detail: string };

const MAX_BYTES = 4_096;
const TOKEN = /^[\w-]{43}$/;

/** The token file, which all servers of an agent folder share. Each server watches it, so new tokens replace the old ones everywhere. */
export class TokenFile {
	readonly path: string;
	readonly #onReplaced: () => void;
	#stamp: string | undefined;
	#tokens: Tokens | undefined;

	/** `onReplaced` is called when the tokens in the file have been replaced. */
	constructor(agentDir: string, onReplaced: () => void = () => undefined) {
		this.path = join(agentDir, "session-suite", "serve-tokens.json");
		this.#onReplaced = onReplaced;
	}

	/**
	 * Returns the valid tokens. Returns undefined if the file is missing, damaged or readable by other users; in these cases, no token is
	 * valid.
	 */
	current(): Tokens | undefined {
		const stat = lstatSync(this.path, { throwIfNoEntry: false });
		const stamp = stat && `${stat.ino}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}`;
		if (this.#tokens && stamp === this.#stamp) return this.#tokens;
		const before = this.#tokens;
		this.#stamp = stamp;
		this.#tokens = readTokens(this.path);
		if (before && before.act !== this.#tokens?.act) this.#onReplaced();
		return this.#tokens;
	}

	/** Creates tokens if there are no valid tokens or if `renew` is true. If the file is a symlink, the symlink itself is replaced. */
	open(renew: boolean): TokensOutcome {
		const kept = renew ? undefined : this.current();
		if (kept) return { ok: true, tokens: kept, isNew: false };
		const tokens = { act: newToken(), read: newToken() };
		const written = replaceFile(this.path, `${JSON.stringify(tokens)}\n`);
		return written.ok ? { ok: true, tokens, isNew: true } : written;
	}
}

function newToken(): string {
	return randomBytes(32).toString("base64url");
}

function readTokens(path: string): Tokens | undefined {
	const read = readRegular(path, (file) => {
		// Windows does not have these file permissions, but the user's profile folder is private there.
		const isPrivate = process.platform === "win32" || (fstatSync(file.fd).mode & 0o077) === 0;
		return { ok: true as const, text: isPrivate ? readSpan(file, 0, MAX_BYTES).toString("utf8") : "" };
	});
	return read.ok ? parsed(read.text) : undefined;
}

function parsed(text: string): Tokens | undefined {
	try {
		const { act, read } = Object(JSON.parse(text));
		const isToken = (value: unknown) => typeof value === "string" && TOKEN.test(value);
		return isToken(act) && isToken(read) && act !== read ? { act, read } : undefined;
	} catch {
		// A damaged file is treated as a file without tokens.
		return undefined;
	}
}
