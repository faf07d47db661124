import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One file of the page, in memory: no path of the disk is made from what a client asks for. */
export interface PageFile {
	bytes: Buffer;
	type: string;
	tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
	".webmanifest": "application/manifest+json",
};

const FOLDER = fileURLToPath(new URL("../page", import.meta.url));

/** The page's files by the address that each is served under. */
export function readPage(folder = FOLDER): Map<string, PageFile> {
	const files = new Map<string, PageFile>();
	for (const name of readdirSync(folder)) {
		if (TYPES[extname(name)] === undefined) continue;
		const file = pageFile(readFileSync(join(folder, name)), extname(name));
		files.set(name === "index.html" ? "/" : `/${name}`, file);
	}
	return files;
}

export function pageFile(bytes: Buffer, extension: string): PageFile {
	const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
	return { bytes, type: TYPES[extension] ?? "application/octet-stream", tag };
}
