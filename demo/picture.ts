// Creates the READMEs' pictures from the demo's tour, in the host's dark and light themes: `npm run picture`.
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Cell } from "../test/host/cell.ts";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import type { TerminalHost } from "../test/host/terminal-host.ts";
import { screenAsSvg } from "./svg.ts";
import { tour } from "./tour.ts";

const [folder = join(PROJECT_ROOT, "docs/images")] = process.argv.slice(2);

for (const theme of ["dark", "light"] as const) {
	await tour(
		(caption, host, name) => {
			if (name === undefined) return;
			const rows = host.screen.rows().map((_, row) => atHome(host.screen.cells(row), host.sandbox));
			writeFileSync(join(folder, `${name}-${theme}.svg`), screenAsSvg(rows, caption, theme));
		},
		{ theme },
	);
}

/** Returns a row in which the demo's temporary folder is replaced by a typical home folder. */
function atHome(row: readonly Cell[], { agentDir, root }: TerminalHost["sandbox"]): Cell[] {
	// The board shortens the path of the folder.
	const shortened = renamed(row, `…/${basename(root)}`, "~");
	return renamed(renamed(shortened, agentDir, "~/.pi/agent"), root, "~");
}

/** Replaces the name of a folder with a shorter one, and moves the rest of the row to the left. */
function renamed(row: readonly Cell[], folder: string, name: string): Cell[] {
	const at = row
		.map(({ text }) => text || " ")
		.join("")
		.indexOf(folder);
	const [first] = at < 0 ? [] : row.slice(at);
	const blank = row.at(-1);
	if (!first || !blank) return [...row];
	const shown = [...name].map((text) => ({ ...first, text }));
	const added = Array.from({ length: folder.length - shown.length }, () => ({
		...blank,
		text: " ",
		width: 1,
	}));
	return [...row.slice(0, at), ...shown, ...row.slice(at + folder.length), ...added];
}
