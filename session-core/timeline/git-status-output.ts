/** What `git status` prints of files. */
const SHORT = /^(?:[MADRCU][ MADRCU]| [MADRCU]|\?\?) (?:.* -> )?(\S.*)$/;
const LONG = /^\s+(?:modified|new file|deleted|renamed|both modified):\s+(?:.* -> )?(\S.*)$/;

export function isStatus(command: string): boolean {
	return /\bgit\b[^\n;&|]*\bstatus\b/.test(command);
}

/** The paths that a `git status` lists. */
export function statusPaths(output: string): string[] {
	return output
		.split("\n")
		.map((line) => (SHORT.exec(line) ?? LONG.exec(line))?.[1]?.trim())
		.filter((path) => path !== undefined);
}
