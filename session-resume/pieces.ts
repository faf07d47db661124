import { hostColumns, type Theme } from "../session-core/pi/index.ts";
import { cleanLine, cleanText } from "../session-core/text/index.ts";

const { clipColumns, displayWidth, wrapColumns } = hostColumns;

export type Style =
	| "plain"
	| "accent"
	| "strong"
	| "title"
	| "dim"
	| "muted"
	| "warning"
	| "error"
	| "success";

export interface Piece {
	text: string;
	style: Style;
}

export interface PiecePainter {
	style(style: Style, text: string): string;
	chosen(line: readonly Piece[]): string;
}

const NO_BACKGROUND = "\x1b[49m";

export function painterOf(theme: Pick<Theme, "fg" | "bg" | "bold" | "inverse" | "getBgAnsi">): PiecePainter {
	const hasBackground = theme.getBgAnsi("selectedBg") !== NO_BACKGROUND;
	const paint: PiecePainter = {
		style(style, text) {
			switch (style) {
				case "plain":
					return text;
				case "strong":
					return theme.bold(text);
				case "title":
					return theme.fg("accent", theme.bold(text));
				default:
					return theme.fg(style, text);
			}
		},
		chosen(line) {
			if (hasBackground) return theme.bg("selectedBg", theme.bold(painted(line, paint)));
			// In reverse video, each color would become a separate background, so the colors are dropped.
			return theme.inverse(theme.bold(line.map(({ text }) => text).join("")));
		},
	};
	return paint;
}

export function piece(text: string, style: Style = "plain"): Piece {
	return { text: cleanText(text).replace(/[\n\t]/g, " "), style };
}

export function cutPiece(text: string, columns: number, style: Style = "plain"): Piece {
	return piece(clipColumns(text, columns), style);
}

export function wrappedPieces(
	text: string,
	columns: number,
	style: Style = "plain",
	max?: number,
): Piece[][] {
	const options = { columns: Math.max(1, columns), ...(max && { max }) };
	return wrapColumns(cleanLine(text), options).map((line) => [piece(line, style)]);
}

export function fill(text: string, columns: number, style: Style = "plain"): Piece {
	const clipped = clipColumns(cleanLine(text), columns);
	return { text: clipped + " ".repeat(Math.max(0, columns - displayWidth(clipped))), style };
}

/** Truncates the start of a path, because folder paths often differ only at the end. */
export function clipStart(path: string, columns: number): string {
	if (displayWidth(path) <= columns) return path;
	const parts = path.split("/").filter(Boolean);
	let tail = parts.pop() ?? "";
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		const longer = `${part}/${tail}`;
		if (displayWidth(longer) + 2 > columns) break;
		tail = longer;
	}
	const marked = `…/${tail}`;
	return displayWidth(marked) <= columns ? marked : clipColumns(tail, columns);
}

export function fitRow(pieces: readonly Piece[], columns: number): Piece[] {
	const fitting: Piece[] = [];
	let left = columns;
	for (const { text, style } of pieces) {
		if (left === 0) break;
		const width = displayWidth(text);
		const fits = width <= left ? text : clipColumns(text, left);
		fitting.push({ text: fits, style });
		left -= Math.min(left, displayWidth(fits));
		if (width > left && fits !== text) break;
	}
	if (left > 0) fitting.push(piece(" ".repeat(left)));
	return fitting;
}

export function painted(pieces: readonly Piece[], paint: PiecePainter): string {
	return pieces
		.map(({ text, style }) => (style === "plain" || text === "" ? text : paint.style(style, text)))
		.join("");
}

export function widthOf(pieces: readonly Piece[]): number {
	return pieces.reduce((sum, { text }) => sum + displayWidth(text), 0);
}
