import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { Sandbox } from "../host/sandbox.ts";

/** A trash of the sandbox's own, as the program `trash` of a system; gives the environment in which it is found. */
export function layTrash({ root }: Pick<Sandbox, "root">): Record<string, string> {
	const bin = join(root, "bin");
	for (const folder of [bin, trashFolder(root)]) mkdirSync(folder, { recursive: true });
	const program = join(bin, "trash");
	writeFileSync(program, `#!/bin/sh\nexec mv -n "$1" "${trashFolder(root)}/"\n`);
	chmodSync(program, 0o755);
	return { PATH: [bin, process.env.PATH].filter(Boolean).join(delimiter) };
}

/** Where a file stands now: in its place, or in the trash; undefined: nowhere. */
export function placeNow(path: string, sandbox: Pick<Sandbox, "root">): string | undefined {
	return placesNow(path, sandbox)[0];
}

/**
 * Both, where a pi was just opening what another one deleted: the first goes on in a file of the same name, and what was there
 * is in the trash.
 */
export function placesNow(path: string, { root }: Pick<Sandbox, "root">): string[] {
	return [path, join(trashFolder(root), basename(path))].filter((place) => existsSync(place));
}

function trashFolder(root: string): string {
	return join(root, "trash");
}
