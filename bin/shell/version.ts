import { readFileSync } from "node:fs";

/** The package's version. */
export function versionOf(): string {
	const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
	const found: { version?: unknown } = JSON.parse(text);
	return String(found.version);
}
