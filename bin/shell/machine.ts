import { readFileSync, statSync } from "node:fs";
import type { ProgramDeps } from "./program.ts";

/** This machine, for `programFor`. */
export function machineFor(env: ProgramDeps["env"]): ProgramDeps {
	return {
		platform: process.platform,
		env,
		execPath: process.execPath,
		isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
		read: textOf,
	};
}

function textOf(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// Not ours to read: then it is started as it is.
		return undefined;
	}
}
