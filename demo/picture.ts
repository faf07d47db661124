// Paints the READMEs' pictures from real runs, in the host's dark and light theme: `npm run picture`.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Cell } from "../test/host/cell.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { type Look, screenAsSvg } from "./svg.ts";
import { createDemoWorld, type DemoWorld } from "./world.ts";

const IMAGES = fileURLToPath(new URL("../docs/images/", import.meta.url));
const SIZE = { cols: 92, rows: 28 };
/** The doctor's answer is longer than a usual terminal. */
const DOCTOR_ROWS = 48;
const ARGS = ["-c", "--recap-away-seconds", "60", "--recap-focus-min-seconds", "0.1"];

type Shoot = (name: string, title: string, rows?: number) => void;

mkdirSync(IMAGES, { recursive: true });
for (const look of ["dark", "light"] as const) await paint(look);

async function paint(look: Look): Promise<void> {
	const world = await createDemoWorld({ theme: look, isBusy: true });
	const host = await startHost({ ...world, args: ARGS, ...SIZE });
	const shoot: Shoot = (name, title, count = SIZE.rows) => {
		const file = `${IMAGES}${name}-${look}.svg`;
		const rows = Array.from({ length: count }, (_, row) =>
			atHome(host.screen.cells(row), world.sandbox.root),
		);
		writeFileSync(file, screenAsSvg(rows, title, look));
		console.log(`painted ${name}-${look}.svg`);
	};
	try {
		await tour(host, world, shoot);
	} finally {
		await host.dispose();
		await world.remove();
	}
}

async function tour(host: TerminalHost, { model }: DemoWorld, shoot: Shoot): Promise<void> {
	await host.screen.waitFor(/You are making parseDate/);
	shoot("card", "The card of a session that was reopened a day later");
	host.submit("run the tests");
	await host.screen.waitFor((text) => !text.includes("◆ resume"), { what: "the submit to clear the card" });
	host.focusOut();
	const draft = await model.waitForCall("recap", 2);
	await until(() => draft.state === "answered", { what: "the draft" });
	await host.screen.waitFor(/✎ .*Reject dates/);
	shoot("title", "A session that has just named itself");
	host.focusIn();
	await host.screen.waitFor(/✦ recap/);
	shoot("recap", "The recap above pi's editor, after a return");
	host.submit("/sessions");
	await host.screen.waitFor(/Retry queue/);
	shoot("board", "The board of all sessions");
	host.key("escape");
	await host.screen.waitFor((text) => !text.includes("Retry queue"));
	host.resize(SIZE.cols, DOCTOR_ROWS);
	host.submit("/recap doctor");
	await host.screen.waitFor(/focus[\s\S]*leases/i);
	shoot("doctor", "What /recap doctor says", DOCTOR_ROWS);
}

/** A row as it looks where people work: in their home, and not in the demo's temporary folder. */
function atHome(row: readonly Cell[], folder: string): Cell[] {
	const at = row
		.map(({ text }) => text || " ")
		.join("")
		.indexOf(folder);
	const [first] = at < 0 ? [] : row.slice(at);
	const blank = row.at(-1);
	if (!first || !blank) return [...row];
	const rest = row.slice(at + folder.length);
	const added = Array.from({ length: folder.length - 1 }, () => ({ ...blank, text: " ", width: 1 }));
	return [...row.slice(0, at), { ...first, text: "~" }, ...rest, ...added];
}
