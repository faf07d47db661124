// Creates the screenshots in the READMEs from the demo's tour, in the host's dark and light themes: `npm run picture`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { screenAsSvg } from "./svg.ts";
import { tour } from "./tour.ts";

const [folder = join(PROJECT_ROOT, "docs/images")] = process.argv.slice(2);

for (const theme of ["dark", "light"] as const) {
	await tour((title, { screen, sandbox: { home } }, name) => {
		if (name === undefined) return;
		const rows = screen.rows().map((_, row) => screen.cells(row));
		writeFileSync(join(folder, `${name}-${theme}.svg`), screenAsSvg(rows, { title, theme, home }));
	}, theme);
}
