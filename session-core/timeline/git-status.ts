/** What the newest `git status` shows as not committed, with no commit since. */
import type { PathNamer } from "../text/paths.ts";
import { stepsOf } from "./turn.ts";
import type { Turn } from "./types.ts";

const SHORT = /^(?:[MADRCU][ MADRCU]| [MADRCU]|\?\?) (?:.* -> )?(\S.*)$/;
const LONG = /^\s+(?:modified|new file|deleted|renamed|both modified):\s+(?:.* -> )?(\S.*)$/;
const KEPT = 12;

export function uncommittedFiles(turns: readonly Turn[], name: PathNamer): string[] {
	for (const turn of turns.toReversed()) {
		for (const step of stepsOf(turn).reverse()) {
			if (step.outcome !== "ok") continue;
			const command = step.command ?? step.name.replace(/_/g, " ");
			if (/\bgit\b[^\n;&|]*\bcommit\b|save commit/.test(command)) return [];
			if (!/\bgit\b[^\n;&|]*\bstatus\b/.test(command)) continue;
			// Behind a cut by `head` or `grep` the list may be short, but what it names is so.
			return step.output
				.split("\n")
				.map((line) => (SHORT.exec(line) ?? LONG.exec(line))?.[1]?.trim())
				.filter((path) => path !== undefined)
				.slice(0, KEPT)
				.map(name);
		}
	}
	return [];
}
