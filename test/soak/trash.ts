import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { Sandbox } from "../host/sandbox.ts";

/** Creates a private trash with a `trash` program. Returns the environment to find it. */
export function layTrash({ root }: Pick<Sandbox, "root">): Record<string, string> {
	const bin = join(root, "bin");
	for (const folder of [bin, trashFolder(root)]) mkdirSync(folder, { recursive: true });
	const program = join(bin, "trash");
	writeFileSync(program, `#!/bin/sh\nexec mv -n "$1" "${trashFolder(root)}/"\n`);
	chmodSync(program, 0o755);
	return { PATH: [bin, process.env.PATH].filter(Boolean).join(delimiter) };
}

/** Where a file is now: at its path or in the trash. */
export function placeNow(path: string, sandbox: Pick<Sandbox, "root">): string | undefined {
	return placesNow(path, sandbox)[0];
}

/** Both places, if one pi deleted a session while another opened it and wrote it again. */
export function placesNow(path: string, { root }: Pick<Sandbox, "root">): string[] {
	return [path, join(trashFolder(root), basename(path))].filter((place) => existsSync(place));
}

function trashFolder(root: string): string {
	return join(root, "trash");
}
