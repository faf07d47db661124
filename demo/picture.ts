// Creates the READMEs' pictures from real runs, in the host's dark and light themes: `npm run picture`.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Cell } from "../test/host/cell.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { type Look, screenAsSvg } from "./svg.ts";
import { createDemoWorld, type DemoWorld } from "./world.ts";

const IMAGES = fileURLToPath(new URL("../docs/images/", import.meta.url));
const SIZE = { cols: 92, rows: 28 };
/** Number of rows for the picture of `/recap doctor`, whose output is taller than a typical terminal. */
const DOCTOR_ROWS = 48;
const ARGS = ["-c", "--recap-away-seconds", "60", "--recap-focus-min-seconds", "0.1"];

type Shoot = (name: string, title: string, rows?: number) => void;

mkdirSync(IMAGES, { recursive: true });
for (const look of ["dark", "light"] as const) await paint(look);

async function paint(look: Look): Promise<void> {
	const world = await createDemoWorld({ theme: look });
	const host = await startHost({ ...world, args: ARGS, ...SIZE });
	const shoot: Shoot = (name, title, count = SIZE.rows) => {
		const file = `${IMAGES}${name}-${look}.svg`;
		const rows = Array.from({ length: count }, (_, row) => atHome(host.screen.cells(row), world.sandbox));
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
	await host.screen.waitFor((text) => !text.includes("▤ session card"), {
		what: "the submit to clear the card",
	});
	host.focusOut();
	const draft = await model.waitForCall("recap", 2);
	await until(() => draft.state === "answered", { what: "the draft" });
	await host.screen.waitFor(/✎ .*Reject dates/);
	shoot("title", "A session that has just named itself");
	host.focusIn();
	await host.screen.waitFor(/✦ recap/);
	shoot("recap", "The recap above pi's editor, after a return");
	host.submit("/sessions");
	// An ellipsis follows the count while the list is incomplete.
	await host.screen.waitFor((text) => /Retry queue/.test(text) && !/Sessions +\d+ …/.test(text), {
		what: "the whole board",
	});
	await host.screen.waitFor(/Retry queue[\s\S]+Retry queue/, {
		what: "the preview of the session that waits",
	});
	shoot("board", "The board of all sessions");
	host.key("escape");
	await host.screen.waitFor((text) => !text.includes("Retry queue"));
	host.resize(SIZE.cols, DOCTOR_ROWS);
	host.submit("/recap doctor");
	await host.screen.waitFor(/focus[\s\S]*leases/i);
	shoot("doctor", "The output of /recap doctor", DOCTOR_ROWS);
}

/** Returns a row in which the demo's temporary folder is replaced by a typical home folder. */
function atHome(row: readonly Cell[], { agentDir, root }: DemoWorld["sandbox"]): Cell[] {
	return renamed(renamed(row, agentDir, "~/.pi/agent"), root, "~");
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
