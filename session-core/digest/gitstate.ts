import type { PathNamer } from "./paths.ts";

const LONG_LINE = /^\s+(?:modified|new file|deleted|renamed|both modified):\s+(?:\S.* -> )?(\S.*)$/gm;
const SHORT_LINE = /^(?:[ MADRCU?!]{2}) (?:\S.* -> )?(\S.*)$/gm;

/**
 * The changes that a `git status` shows as not committed. Undefined where the command was none, so that an empty list means a
 * clean tree.
 */
export function uncommittedFiles(command: string, output: string, name: PathNamer): string[] | undefined {
	if (!/\bgit\b[^\n|;&]*\bstatus\b/.test(command)) return undefined;
	const tracked = output.split(/^Untracked files:/m)[0] ?? "";
	const short = /\bstatus\b[^\n|;&]*\s(?:-\w*s\w*|--short|--porcelain\S*)/.test(command);
	const lines = [...tracked.matchAll(short ? SHORT_LINE : LONG_LINE)];
	const paths = lines.filter((match) => !match[0].startsWith("??")).map((match) => name((match[1] ?? "").trim()));
	return [...new Set(paths)].slice(0, 20);
}
