import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export function modulePaths(): string[] {
	const folders = readdirSync(ROOT).filter((name) => name === "bin" || name.startsWith("session-"));
	return folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts") && !/\.test(?:-support)?\.ts$/.test(file))
			.sort()
			.map((file) => join(ROOT, folder, file)),
	);
}

/** An extension that loads all modules into the loader's cache before the first prompt. */
export default async function loadAll(): Promise<void> {
	for (const path of modulePaths()) await import(path);
}
