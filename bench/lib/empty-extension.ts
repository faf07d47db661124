import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../test/host/sandbox.ts";

/** An extension that does nothing: what the suite is held against. Gives its path. */
export function emptyExtension(sandbox: Sandbox): string {
	const folder = join(sandbox.root, "empty-extension");
	mkdirSync(folder);
	writeFileSync(join(folder, "index.ts"), "export default function () {}\n");
	return join(folder, "index.ts");
}
