import { createColors } from "picocolors";
import type { StateColor } from "../../session-core/sessions/session-list.mjs";
import { wrapColumns } from "../../session-core/text/clip.ts";
import type { Sink, World } from "./world.ts";

/** Emphasizes text, unless the output is not a terminal or the user has turned colors off. */
export type Painter = ReturnType<typeof createColors>;

/** The colors of the states in the shell. The terminal determines how they look. */
const STATE_PAINTS = {
	warning: "yellow",
	error: "red",
	accent: "cyan",
	success: "green",
	dim: "dim",
	plain: undefined,
} as const satisfies Record<StateColor, keyof Painter | undefined>;

export function paintState(color: StateColor, text: string, paint: Painter): string {
	const name = STATE_PAINTS[color];
	return name ? paint[name](text) : text;
}

/** Follows no-color.org: `NO_COLOR` has an effect if it is not empty. As in Node, `FORCE_COLOR` set to `0` or `false` turns colors off. */
export function paintFor({ isTTY }: Sink, env: World["env"]): Painter {
	const forced = env["FORCE_COLOR"];
	const isWanted = forced ? !/^(?:0|false)$/.test(forced) : isTTY === true && env["TERM"] !== "dumb";
	return createColors(isWanted && !env["NO_COLOR"]);
}

/** Returns the terminal's number of columns, or undefined if lines may have any length. */
export function columnsOf({ isTTY, columns }: Sink): number | undefined {
	return isTTY ? Math.max(20, columns ?? 80) : undefined;
}

/** Breaks sanitized text into lines, at spaces if possible. If `columns` is undefined, the result is one line. */
export function wrapped(text: string, columns: number | undefined, indent = ""): string[] {
	return columns === undefined ? [text] : wrapColumns(text, { columns, indent });
}
