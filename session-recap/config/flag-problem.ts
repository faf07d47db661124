import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { FlagProblem } from "./config.ts";

/** One line about a flag that could not be used: what was found, what is expected, what is used. */
export function describeProblem({ flag, found, fallback }: FlagProblem): string {
	const shown = clipColumns(cleanLine(found), 40);
	return `--${flag}: found "${shown}", expected seconds from 0; using ${fallback}`;
}
