import { randomBytes } from "node:crypto";
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../session-core/store/atomic-file.ts";
import { readRegular, readSpan } from "../../session-core/store/regular-file.ts";

/** The two secrets of a server: one to read with, for phones, and one to act with. */
export interface Tokens {
	act: string;
	read: string;
}

/** `isNew`: they were made now; who had the old ones is locked out. */
export type TokensOutcome = { ok: true; tokens: Tokens; isNew: boolean } | { ok: false; detail: string };

const MAX_BYTES = 4_096;
const TOKEN = /^[\w-]{43}$/;

export function tokenFile(agentDir: string): string {
	return join(agentDir, "session-suite", "serve-tokens.json");
}

/**
 * The kept tokens, or new ones: where there are none, where `renew` asks for them, and where others could have read the file.
 * A link in its place is replaced, never followed.
 */
export function openTokens(agentDir: string, renew: boolean): TokensOutcome {
	const path = tokenFile(agentDir);
	const kept = renew ? undefined : readTokens(path);
	if (kept) return { ok: true, tokens: kept, isNew: false };
	const tokens = { act: newToken(), read: newToken() };
	const written = replaceFile(path, `${JSON.stringify(tokens)}\n`);
	return written.ok ? { ok: true, tokens, isNew: true } : written;
}

function newToken(): string {
	return randomBytes(32).toString("base64url");
}

function readTokens(path: string): Tokens | undefined {
	const read = readRegular(path, (file) => {
		// Windows has no such bits: there the user's profile folder is what keeps others out.
		const isPrivate = process.platform === "win32" || (fstatSync(file.fd).mode & 0o077) === 0;
		return { ok: true as const, text: isPrivate ? readSpan(file, 0, MAX_BYTES).toString("utf8") : "" };
	});
	return read.ok ? parsed(read.text) : undefined;
}

function parsed(text: string): Tokens | undefined {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null || !("act" in value) || !("read" in value))
			return undefined;
		const { act, read } = value;
		const areTokens =
			typeof act === "string" && typeof read === "string" && TOKEN.test(act) && TOKEN.test(read);
		return areTokens && act !== read ? { act, read } : undefined;
	} catch {
		// Damaged: as good as none.
		return undefined;
	}
}
