import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders beside this one whose code says what a summary is, and cleans and redacts what is kept of a session. */
const FOLDERS = ["store", "text", "session", "timeline", "tools", "recap", "shell", "output"];

/**
 * The version of stored summaries: it follows from the code that makes them, so that a mended redaction reaches what was
 * stored before. Found out when the code is loaded, not later: its files may be replaced while it runs.
 */
export const INDEX_VERSION = ownVersion();

function ownVersion(): string {
	try {
		return versionOf(sourcesOf(fileURLToPath(import.meta.url)));
	} catch {
		// Sources that cannot be read vouch for nothing: no index is used by another process, or later.
		return randomUUID();
	}
}

/** The files that hold that code: sources, or the one file that an extension was packed into. */
export function sourcesOf(self: string): string[] {
	if (basename(self) !== "index-version.ts") return [self];
	const core = dirname(dirname(self));
	return FOLDERS.flatMap((folder) =>
		readdirSync(join(core, folder))
			.filter((name) => name.endsWith(".ts") && !/\.test(-support)?\.ts$/.test(name))
			.sort()
			.map((name) => join(core, folder, name)),
	);
}

/** One short text for the content of some files. */
export function versionOf(paths: readonly string[]): string {
	const hash = createHash("sha256");
	for (const path of paths) hash.update(`${basename(path)}\n`).update(readFileSync(path));
	return hash.digest("hex").slice(0, 16);
}
