// Curves on logarithmic axes, one panel for each kind of size, as an SVG that is legible on light and dark pages.
export interface Curve {
	/** What grows: `sessions`. */
	panel: string;
	name: string;
	points: { size: number; value: number }[];
}

const PANEL = { width: 380, height: 250, left: 54, top: 34, right: 26, bottom: 40 };
const LEGEND_LINE = 18;
const COLOURS = ["#2f81f7", "#d29922", "#3fb950", "#f85149"];
const INK = "#888";
const FONT = "ui-sans-serif, system-ui, sans-serif";

export function plotAsSvg(curves: readonly Curve[]): string {
	const panels = [...new Set(curves.map(({ panel }) => panel))];
	const most = Math.max(...panels.map((panel) => curves.filter((curve) => curve.panel === panel).length));
	const width = PANEL.width * panels.length;
	const height = PANEL.height + LEGEND_LINE * most + 8;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="12" fill="${INK}">`,
		"<title>Cost as work grows, as multiples of the smallest size</title>",
		...panels.map((panel, at) =>
			panelAsSvg(
				curves.filter((curve) => curve.panel === panel),
				panel,
				at * PANEL.width,
			),
		),
		"</svg>",
		"",
	].join("\n");
}

function panelAsSvg(curves: readonly Curve[], panel: string, left: number): string {
	const points = curves.flatMap((curve) => curve.points);
	const sizes = [...new Set(points.map(({ size }) => size))].sort((one, other) => one - other);
	const top = Math.max(10, ...points.map(({ value }) => value));
	const decades = Array.from({ length: Math.ceil(Math.log10(top)) + 1 }, (_, at) => 10 ** at);
	const inner = {
		width: PANEL.width - PANEL.left - PANEL.right,
		height: PANEL.height - PANEL.top - PANEL.bottom,
	};
	const x = (size: number) =>
		PANEL.left +
		(inner.width * Math.log10(size / (sizes[0] ?? 1))) / Math.log10((sizes.at(-1) ?? 10) / (sizes[0] ?? 1));
	const y = (value: number) =>
		PANEL.top + inner.height * (1 - Math.log10(Math.max(1, value)) / Math.log10(decades.at(-1) ?? 10));
	return [
		`<g transform="translate(${left} 0)">`,
		`<text x="${PANEL.left}" y="18" font-weight="bold">${panel}</text>`,
		...decades.map(
			(value) =>
				`<path d="M${PANEL.left} ${y(value).toFixed(1)}h${inner.width}" stroke="${INK}" stroke-opacity="0.25"/><text x="${PANEL.left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${short(value)}×</text>`,
		),
		...sizes.map(
			(size) =>
				`<text x="${x(size).toFixed(1)}" y="${PANEL.height - PANEL.bottom + 18}" text-anchor="middle">${short(size)}</text>`,
		),
		...curves.map((curve, at) => curveAsSvg(curve, COLOURS[at % COLOURS.length] ?? INK, { x, y }, at)),
		"</g>",
	].join("\n");
}

function curveAsSvg(
	{ name, points }: Curve,
	colour: string,
	{ x, y }: { x(size: number): number; y(value: number): number },
	at: number,
): string {
	const path = points.map(({ size, value }) => `${x(size).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
	const dots = points.map(
		({ size, value }) =>
			`<circle cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="${colour}"/>`,
	);
	const line = PANEL.height + at * LEGEND_LINE;
	return [
		`<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
		...dots,
		`<path d="M${PANEL.left} ${line}h18" stroke="${colour}" stroke-width="2"/>`,
		`<text x="${PANEL.left + 26}" y="${line + 4}">${name}</text>`,
	].join("");
}

function short(value: number): string {
	return value >= 1_000 ? `${value / 1_000}k` : String(value);
}
