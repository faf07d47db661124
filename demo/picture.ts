// Paints the README's picture from a real run: the demo's world, the real host, the recap after a return.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { screenAsSvg } from "./svg.ts";
import { createDemoWorld } from "./world.ts";

const TARGET = fileURLToPath(new URL("../docs/images/recap.svg", import.meta.url));
const ROWS = 19;

const world = await createDemoWorld();
const args = ["-c", "--recap-away-seconds", "60", "--recap-focus-min-seconds", "0.1"];
const host = await startHost({ ...world, args, cols: 96, rows: ROWS });
try {
	await host.screen.waitFor(/You are making parseDate/);
	host.submit("run the tests");
	await host.screen.waitFor((text) => !text.includes("✦ recap"), { what: "the submit to clear the recap" });
	host.focusOut();
	const draft = await world.model.waitForCall("recap", 2);
	await until(() => draft.state === "answered", { what: "the draft" });
	host.focusIn();
	await host.screen.waitFor(/✦ recap/);
	mkdirSync(fileURLToPath(new URL("../docs/images", import.meta.url)), { recursive: true });
	const rows = Array.from({ length: ROWS - 2 }, (_, row) => host.screen.cells(row));
	writeFileSync(TARGET, screenAsSvg(rows, "The recap above pi's editor, after a return"));
	console.log(`painted ${TARGET}`);
} finally {
	await host.dispose();
	await world.remove();
}
