import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".mjs": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

/**
 * The page loads these modules at the same relative paths as in the repository, so that imports work.
 */
const SHARED = [
	"sessions/session-list.mjs",
	"sessions/session-looks.mjs",
	"text/fold-case.mjs",
	"text/short-age.mjs",
];

/** The page's files are read when the server starts, so that no file path is built from a request. */
export function pageFiles(): ReadonlyMap<string, { bytes: Buffer; type: string }> {
	const page = fileURLToPath(new URL("../page", import.meta.url));
	const core = fileURLToPath(new URL("../../session-core", import.meta.url));
	const files = [
		...readdirSync(page).map((name) => [name === "index.html" ? "/" : `/${name}`, join(page, name)] as const),
		...SHARED.map((name) => [`/core/${name}`, join(core, name)] as const),
	];
	return new Map(
		files.flatMap(([address, path]) => {
			const type = TYPES[extname(path)];
			return type ? [[address, { bytes: readFileSync(path), type }] as const] : [];
		}),
	);
}
