import { wrapColumns } from "../../session-core/text/clip.ts";
import type { StateColor } from "../../session-core/words/state-looks.ts";
import type { Sink, World } from "./world.ts";

/** Emphasizes text, unless the output is not a terminal or the user has turned colors off. */
export type Painter = Record<keyof typeof CODES, (text: string) => string>;

const CODES = {
	bold: [1, 22],
	dim: [2, 22],
	inverse: [7, 27],
	yellow: [33, 39],
	green: [32, 39],
	red: [31, 39],
} as const;

/** The shell's colors of the states. The terminal determines how they look. */
const STATE_PAINTS = {
	warning: "yellow",
	error: "red",
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
	const isOn = isWanted && !env["NO_COLOR"];
	const painter = ([on, off]: readonly [number, number]) => {
		return (text: string) => (isOn && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text);
	};
	const { bold, dim, inverse, yellow, green, red } = CODES;
	return {
		bold: painter(bold),
		dim: painter(dim),
		inverse: painter(inverse),
		yellow: painter(yellow),
		green: painter(green),
		red: painter(red),
	};
}

/** Returns the terminal's number of columns, or undefined if lines may have any length. */
export function columnsOf({ isTTY, columns }: Sink): number | undefined {
	return isTTY ? Math.max(20, columns ?? 80) : undefined;
}

/** Breaks sanitized text into lines, at spaces if possible. If `columns` is undefined, the result is one line. */
export function wrapped(text: string, columns: number | undefined, indent = ""): string[] {
	return columns === undefined ? [text] : wrapColumns(text, { columns, indent });
}

/** Minimum number of columns for a text beside its label. If fewer columns are left, the text goes below the label. */
const BESIDE = 28;

/** Returns lines that consist of a label and its text, fitted to a terminal. If `columns` is undefined, the lines can have any length. */
export function tableLines(
	rows: readonly (readonly [label: string, text: string])[],
	columns: number | undefined,
): string[] {
	const width = Math.max(0, ...rows.map(([label]) => label.length));
	const indent = 2 + width + 2;
	if (columns === undefined) return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`);
	return rows.flatMap(([label, text]) => {
		if (columns - indent >= BESIDE || indent + text.length <= columns) {
			const [first = "", ...more] = wrapped(text, columns - indent);
			return [`  ${label.padEnd(width)}  ${first}`, ...more.map((line) => " ".repeat(indent) + line)];
		}
		const below = wrapped(text, columns - 6).map((line) => `      ${line}`);
		return [...wrapped(label, columns - 2).map((line) => `  ${line}`), ...below];
	});
}
