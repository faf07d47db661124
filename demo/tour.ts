import { Gate, held } from "../test/host/answer.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { createDemoWorld, DEMO_ARGS, demoRecap } from "./world.ts";

/** The length of the simulated absence in milliseconds. It must exceed `--recap-focus-min-seconds`. */
const ABSENCE_MS = 1200;
const DOCTOR_ROWS = 48;

export type Show = (caption: string, host: TerminalHost, name?: string) => void;

export async function tour(show: Show, theme?: string): Promise<void> {
	const world = await createDemoWorld(theme);
	const firstRecap = new Gate();
	world.model.queue("recap", held(firstRecap, demoRecap));
	let host: TerminalHost | undefined;
	try {
		host = await startHost({ ...world, args: DEMO_ARGS, cols: 92, rows: 28 });
		await visit(host, firstRecap, show);
	} finally {
		await host?.dispose();
		await world.remove();
	}
}

async function visit(host: TerminalHost, firstRecap: Gate, show: Show): Promise<void> {
	const { model, screen } = host;
	await screen.waitFor(/▤ session card/, "the card of the reopened session");
	show(
		"Yesterday's session is reopened with `pi -c`. Its card appears immediately, without a model call",
		host,
	);

	firstRecap.open();
	await screen.waitFor(/You are making parseDate/, "the model's recap of the reopened session");
	show("A moment later, the model's recap becomes the headline of the card", host, "card");
	await screen.waitFor(/✎ .*Reject dates that do not exist/, "the session's name");
	show("The model has also named the session in the same answer", host, "title");

	host.submit("/resume-here");
	await screen.waitFor(/> Should it throw/, "the next step in the editor");
	show("/resume-here inserts the next step into the editor and sends nothing", host);
	host.key("ctrl+c");
	await screen.waitFor((text) => !text.includes("> Should it throw"), "the editor to be empty");

	host.submit("run the tests");
	await screen.waitFor((text) => !text.includes("▤ session card"), "the submit to clear the card");
	host.focusOut();
	const leftAt = performance.now();
	await screen.waitFor(/All 3 tests pass\./, "the agent's answer");
	const draft = await model.waitForCall("recap", 2);
	const drafted = () => draft.state === "answered" && performance.now() - leftAt > ABSENCE_MS;
	await until(drafted, "the recap to be drafted while the user looks away");
	if (screen.text().includes("✦ recap")) throw new Error("A recap appeared while the user was away.");
	show("You requested a test run and looked away. The agent has finished in the meantime", host);

	host.focusIn();
	await screen.waitFor(/✦ recap\s[\s\S]*node --test passed/, "the recap at the return");
	show("You return to the terminal. The recap that was written while you were away appears", host, "recap");

	host.submit("/recap status");
	await screen.waitFor(/2 calls/, "/recap status");
	show("/recap status shows the cost so far", host);

	host.submit("/sessions");
	const isWhole = (text: string) =>
		/◆ Retry queue[\s\S]*Reject dates that do not exist/.test(text) &&
		/Said: The queue now lives in SQLite/.test(text) &&
		!/Sessions +\d+ ?…/.test(text);
	await screen.waitFor(isWhole, "the board and its preview");
	show(
		"/sessions opens the board of all sessions. Sessions that are waiting for you come first",
		host,
		"board",
	);
	host.key("escape");
	await screen.waitFor((text) => !/^ ?Sessions\s+\d/m.test(text), "the board to close");

	host.resize(92, DOCTOR_ROWS);
	host.submit("/recap doctor");
	await screen.waitFor(/focus[\s\S]*leases/i, "/recap doctor");
	show("/recap doctor shows what the terminal reports and which model is used", host, "doctor");

	host.submit("/quit");
	const { code } = await host.exit;
	if (code !== 0) throw new Error(`pi ended with code ${code}.`);
}
