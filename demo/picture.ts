// Creates the screenshots in the READMEs. Run it with `npm run picture`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import type { Cell } from "../test/host/screen.ts";
import { tour } from "./tour.ts";

const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

const PALETTES = {
	dark: { ink: "#d4d4d4", paper: "#1e1e1e" },
	light: { ink: "#383a42", paper: "#ffffff" },
} as const;
type Palette = (typeof PALETTES)[keyof typeof PALETTES];

const [folder = join(PROJECT_ROOT, "docs/images")] = process.argv.slice(2);

for (const theme of ["dark", "light"] as const) {
	await tour((title, { screen, sandbox: { home } }, name) => {
		if (name === undefined) return;
		const rows = screen.rows().map((_, row) => screen.cells(row));
		writeFileSync(join(folder, `${name}-${theme}.svg`), screenAsSvg(rows, { title, theme, home }));
	}, theme);
}

function screenAsSvg(
	screen: readonly (readonly Cell[])[],
	{ title, theme, home }: { title: string; theme: keyof typeof PALETTES; home: string },
): string {
	const palette = PALETTES[theme];
	const isFilled = (row: readonly Cell[]) => row.some((cell) => cell.text.trim() !== "" || cell.background);
	const rows = screen.slice(screen.findIndex(isFilled), screen.findLastIndex(isFilled) + 1);
	const width = Math.ceil((rows[0]?.length ?? 0) * CELL.width + 2 * MARGIN);
	const height = rows.length * CELL.height + 2 * MARGIN;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${palette.paper}"/>`,
		`<g font-family="${FONT}" font-size="14">`,
		...rows.flatMap((row, index) => rowShapes(row, MARGIN + index * CELL.height, { ...palette, home })),
		"</g></svg>",
		"",
	].join("\n");
}

function rowShapes(
	row: readonly Cell[],
	top: number,
	{ ink, paper, home }: Palette & { home: string },
): string[] {
	const runs: { column: number; text: string; style: string; background: string | undefined }[] = [];
	for (const [column, cell] of row.entries()) {
		const color = cell.inverse ? paper : (hex(cell.foreground) ?? ink);
		const background = cell.inverse ? ink : hex(cell.background);
		const style = `fill="${color}"${cell.bold ? ' font-weight="bold"' : ""}${cell.dim ? ' opacity="0.6"' : ""}`;
		const last = runs.at(-1);
		// A wide character occupies two cells, and the second cell contains no text.
		const text = cell.text || (cell.width === 1 ? " " : "");
		if (last?.style === style && last.background === background) last.text += text;
		else runs.push({ column, text, style, background });
	}
	return runs.flatMap(({ column, text, style, background }, index) => {
		const columns = (runs[index + 1]?.column ?? row.length) - column;
		const left = (MARGIN + column * CELL.width).toFixed(1);
		const width = (count: number) => (count * CELL.width).toFixed(1);
		const size = `width="${width(columns)}" height="${CELL.height}"`;
		const box = background ? [`<rect x="${left}" y="${top}" ${size} fill="${background}"/>`] : [];
		// Some SVG viewers ignore trailing spaces and stretch the rest of the line, so trailing spaces are removed.
		const seen = text.trimEnd().replace(home, "~");
		if (seen === "") return box;
		const length = width(columns - (text.length - seen.length));
		return [
			...box,
			`<text style="white-space:pre" x="${left}" y="${top + 13}" textLength="${length}" ${style}>${escaped(seen)}</text>`,
		];
	});
}

function hex(color: number | undefined): string | undefined {
	return color === undefined ? undefined : `#${color.toString(16).padStart(6, "0")}`;
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
