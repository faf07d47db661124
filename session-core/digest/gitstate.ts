import type { CommandFact } from "./commands.ts";
import type { PathNamer } from "./paths.ts";

/** Characters read of a status: nobody acts on thousands of files. */
const BOUND = 16_000;
const LONG_LINE = /^[ \t]+(?:modified|new file|deleted|renamed|both modified):[ \t]+(?:\S.* -> )?(\S.*)$/gm;
const SHORT_LINE = /^(?:[MADRCU][ MADRCU]|[ ][MADRCU]) (?:\S.* -> )?(\S.*)$/gm;

/**
 * The changes that a `git status` shows as not committed. Undefined where the command was none, so that an empty list means a
 * clean tree.
 */
export function uncommittedFiles({ line, output }: CommandFact, name: PathNamer): string[] | undefined {
	const status = line.segments.find(({ words }) => words[0] === "git" && words.includes("status"));
	if (!status) return undefined;
	const tracked = output.slice(0, BOUND).split(/^Untracked files:/m)[0] ?? "";
	const short = status.words.some((word) => /^(?:-\w*s\w*|--short|--porcelain\S*)$/.test(word));
	const lines = [...tracked.matchAll(short ? SHORT_LINE : LONG_LINE)];
	const paths = lines
		.filter((match) => !match[0].startsWith("??"))
		.map((match) => name((match[1] ?? "").trim()));
	return [...new Set(paths)].slice(0, 20);
}
