import type { Cell } from "../test/host/cell.ts";

/** Width and height of a cell, in pixels. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
export type Look = "dark" | "light";

/** The default colors of each theme. All other colors are given by the host, as RGB values. */
const PALETTES = {
	dark: { ink: "#d4d4d4", paper: "#1e1e1e" },
	light: { ink: "#383a42", paper: "#ffffff" },
} as const;
type Palette = (typeof PALETTES)[Look];

/** Returns a terminal screen as SVG, without the empty rows above and below. */
export function screenAsSvg(screen: readonly (readonly Cell[])[], title: string, look: Look): string {
	const palette = PALETTES[look];
	const first = screen.findIndex((row) => !isEmpty(row));
	const rows = screen.slice(first, screen.findLastIndex((row) => !isEmpty(row)) + 1);
	const columns = Math.max(...rows.map((row) => row.length));
	const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
	const height = rows.length * CELL.height + 2 * MARGIN;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${palette.paper}"/>`,
		`<g font-family="${FONT}" font-size="14">`,
		...rows.flatMap((row, index) => rowShapes(row, MARGIN + index * CELL.height, palette)),
		"</g></svg>",
		"",
	].join("\n");
}

interface Run {
	column: number;
	columns: number;
	text: string;
	style: string;
	background: string | undefined;
}

function isEmpty(row: readonly Cell[]): boolean {
	return row.every(({ text, background }) => text.trim() === "" && background === undefined);
}

function rowShapes(row: readonly Cell[], top: number, palette: Palette): string[] {
	return runs(row, palette).flatMap(({ column, columns, text, style, background }) => {
		const left = (MARGIN + column * CELL.width).toFixed(1);
		const width = (columns * CELL.width).toFixed(1);
		const place = `x="${left}" y="${top}" width="${width}" height="${CELL.height}"`;
		const box = background ? [`<rect ${place} fill="${background}"/>`] : [];
		if (text.trim() === "") return box;
		// Trailing spaces are dropped, because some viewers drop them and stretch the rest of the line.
		const seen = columns - (text.length - text.trimEnd().length);
		return [
			...box,
			`<text style="white-space:pre" x="${left}" y="${top + 13}" textLength="${(seen * CELL.width).toFixed(1)}" ${style}>${escaped(text.trimEnd())}</text>`,
		];
	});
}

/** Groups adjacent cells of the same style. */
function runs(row: readonly Cell[], palette: Palette): Run[] {
	const found: Run[] = [];
	for (const [column, cell] of row.entries()) {
		const background = cell.inverse ? palette.ink : colour(cell.background);
		const style = styleOf(cell, palette);
		const last = found.at(-1);
		const text = cell.text === "" && cell.width === 1 ? " " : cell.text;
		if (last?.style === style && last.background === background) {
			last.text += text;
			last.columns++;
		} else {
			found.push({ column, columns: 1, text, style, background });
		}
	}
	return found;
}

function styleOf(cell: Cell, palette: Palette): string {
	const ink = cell.inverse ? palette.paper : (colour(cell.foreground) ?? palette.ink);
	return `fill="${ink}"${cell.bold ? ' font-weight="bold"' : ""}${cell.dim ? ' opacity="0.6"' : ""}`;
}

function colour(value: number | undefined): string | undefined {
	return value === undefined ? undefined : `#${value.toString(16).padStart(6, "0")}`;
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
