import stringWidth from "string-width";
import { clippingBy } from "../../session-core/text/clip.ts";
import type { Sink, World } from "./world.ts";

/** Columns as a terminal shows them; there is no host here to ask. */
export const { displayWidth, clipColumns } = clippingBy((text) => stringWidth(text));

/** Emphasis; where no terminal shows it, or the user wants none, text stays as it is. */
export interface Paint {
	bold(text: string): string;
	dim(text: string): string;
	yellow(text: string): string;
	green(text: string): string;
	red(text: string): string;
}

const CODES = { bold: [1, 22], dim: [2, 22], yellow: [33, 39], green: [32, 39], red: [31, 39] } as const;

/** See no-color.org and force-color.org: set and not empty, whatever the value. */
export function paintFor({ isTTY }: Sink, env: World["env"]): Paint {
	const isWanted = env["FORCE_COLOR"] ? true : isTTY === true && env["TERM"] !== "dumb";
	const isOn = isWanted && !env["NO_COLOR"];
	const painter = (name: keyof typeof CODES) => {
		const [on, off] = CODES[name];
		return (text: string) => (isOn && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text);
	};
	return {
		bold: painter("bold"),
		dim: painter("dim"),
		yellow: painter("yellow"),
		green: painter("green"),
		red: painter("red"),
	};
}

/** Columns of the terminal; undefined where lines may have any length. */
export function columnsOf({ isTTY, columns }: Sink): number | undefined {
	return isTTY ? Math.max(20, columns ?? 80) : undefined;
}

/** The text in exactly so many columns. */
export function padded(text: string, columns: number): string {
	return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
