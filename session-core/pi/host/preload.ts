import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lazily } from "./start-work.ts";

/** Matches relative imports that are not type-only. Text that only looks like an import names no module and is skipped. */
const IMPORT = /\b(?:import|export)\s*(?!\s|type\b)(?:[^"';]*?\bfrom\s*)?["'](\.[^"'\n]+)["']/g;

/** Imports a module and everything below it in idle time, one module at a time, so that the host waits for at most one. */
export async function preload(module: URL, isOver: () => boolean): Promise<void> {
	const seen = new Set<string>();

	async function visit(url: URL): Promise<void> {
		if (isOver() || seen.has(url.href)) return;
		seen.add(url.href);
		const path = fileURLToPath(url);
		try {
			for (const [, name] of readFileSync(path, "utf8").matchAll(IMPORT))
				if (name) await visit(new URL(name, url));
			await new Promise((resolve) => setImmediate(resolve));
			if (!isOver()) await lazily(() => import(path))();
		} catch {
			// A module that cannot be loaded now is loaded, or its failure reported, when it is needed.
		}
	}

	await visit(module);
}
