/** Where everything stands in a terminal of some size. Heights in lines, widths in columns. */
export interface Layout {
	width: number;
	height: number;
	/** Lines of the list. */
	list: number;
	listWidth: number;
	/** Rules between the parts: where there is room. */
	ruled: boolean;
	preview: { at: "beside" | "below"; width: number; lines: number } | undefined;
}

/** Header, input line and key hints. */
const FIXED = 3;
const BESIDE_FROM = 120;
const BELOW_FROM = 20;
const RULED_FROM = 12;

/** The layout for a terminal; works down to a few lines. */
export function layoutOf(width: number, height: number): Layout {
	const ruled = height >= RULED_FROM;
	const room = Math.max(1, height - FIXED - (ruled ? 1 : 0));
	if (ruled && width >= BESIDE_FROM) {
		const beside = Math.min(90, Math.floor(width * 0.4));
		// A column for the rule and one on each side of it.
		const preview = { at: "beside", width: beside, lines: room } as const;
		return { width, height, ruled, list: room, listWidth: width - beside - 3, preview };
	}
	if (height >= BELOW_FROM) {
		const lines = Math.min(11, Math.floor(height * 0.36));
		const preview = { at: "below", width, lines } as const;
		return { width, height, ruled, list: room - lines - 1, listWidth: width, preview };
	}
	return { width, height, ruled, list: room, listWidth: width, preview: undefined };
}
