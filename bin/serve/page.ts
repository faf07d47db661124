import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import { etag } from "hono/etag";
import type { ServeEnv } from "./answer.ts";

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

const FOLDER = fileURLToPath(new URL("../page", import.meta.url));

/** Reads the page's files into memory, keyed by their addresses, so that no path is ever built from a request. */
export function readPage(): Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }> {
	const files = readdirSync(FOLDER).flatMap((name) => {
		const type = TYPES[extname(name)];
		const address = name === "index.html" ? "/" : `/${name}`;
		return type === undefined
			? []
			: [[address, { bytes: new Uint8Array(readFileSync(join(FOLDER, name))), type }] as const];
	});
	return new Map(files);
}

export function addPage(app: Hono<ServeEnv>): void {
	for (const [address, { bytes, type }] of readPage())
		app.get(address, etag(), (context) =>
			context.body(bytes, 200, { "Cache-Control": "no-cache", "Content-Type": type }),
		);
}
