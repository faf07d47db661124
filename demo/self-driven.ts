import { held } from "../test/host/answer.ts";
import { Gate } from "../test/host/gate.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { demoRecap } from "./script.ts";
import { createDemoWorld, DEMO_ARGS, type DemoWorld } from "./world.ts";

/** Maximum duration of the whole tour, in milliseconds. */
const DEADLINE_MS = 38_000;
/** Duration of the simulated absence, longer than `--recap-focus-min-seconds`. */
const ABSENCE_MS = 1200;

/** Prints the screens that a user would see in a terminal. Resolves to the exit code. */
export async function demoWithoutTerminal(): Promise<number> {
	console.log(
		"There is no terminal, so the demo runs by itself: pi 0.73.1 in a pseudo-terminal with a scripted model.",
	);
	const world = await createDemoWorld();
	const firstRecap = new Gate();
	world.model.queue("recap", held(firstRecap, demoRecap));
	let host: TerminalHost | undefined;
	try {
		host = await startHost({ ...world, args: DEMO_ARGS, cols: 90, rows: 26 });
		await inTime(tour(host, world, firstRecap));
		return 0;
	} catch (error) {
		console.error(`\nThe demo failed. ${error instanceof Error ? error.message : error}`);
		return 1;
	} finally {
		await host?.dispose();
		await world.remove();
	}
}

async function tour(host: TerminalHost, { model }: DemoWorld, firstRecap: Gate): Promise<void> {
	await host.screen.waitFor(/▤ session card/, { what: "the card of the reopened session" });
	show(host, "Yesterday's session, reopened with `pi -c`: the card is there at once and without a model");

	firstRecap.open();
	await host.screen.waitFor(/You are making parseDate/, {
		what: "the model's recap of the reopened session",
	});
	show(host, "A moment later, the model's recap is its headline");

	host.submit("/resume-here");
	await host.screen.waitFor(/> Should it throw/, { what: "the next step in the editor" });
	show(host, "/resume-here: the next step in the editor; nothing was sent");

	host.key("ctrl+c");
	await host.screen.waitFor((text) => !text.includes("> Should it throw"), {
		what: "the editor to be empty",
	});
	host.submit("run the tests");
	await host.screen.waitFor((text) => !text.includes("▤ session card"), {
		what: "the submit to clear the card",
	});
	host.focusOut();
	const leftAt = performance.now();
	await host.screen.waitFor(/All 3 tests pass\./, { what: "the agent's answer" });
	await host.screen.waitFor(/✎ .*Reject dates that do not exist/, { what: "the session's name" });
	const draft = await model.waitForCall("recap", 2);
	const drafted = (): boolean => draft.state === "answered" && performance.now() - leftAt > ABSENCE_MS;
	await until(drafted, { what: "the recap to be drafted while the user looks away" });
	if (host.screen.text().includes("✦ recap")) throw new Error("A recap appeared while the user was away.");
	show(
		host,
		"You requested the tests and looked away. The agent has finished, and the session has named itself",
	);

	host.focusIn();
	await host.screen.waitFor(/✦ recap\s[\s\S]*node --test passed/, { what: "the recap at the return" });
	show(host, "You return: the recap is there, drafted while you were away");

	host.submit("/recap status");
	await host.screen.waitFor(/3 calls/, { what: "/recap status" });
	show(host, "/recap status: the cost so far");

	host.submit("/sessions");
	await host.screen.waitFor(/◆ Retry queue[\s\S]*Reject dates that do not exist/, { what: "the board" });
	show(host, "/sessions: the board of all sessions, those that wait for you first");
	host.key("escape");
	await host.screen.waitFor((text) => !/^ ?Sessions\s+\d/m.test(text), { what: "the board to close" });

	host.submit("/quit");
	const { code } = await host.exit;
	if (code !== 0) throw new Error(`pi ended with code ${code}.`);
	console.log("\nRun `npm run demo` in a terminal to try it yourself.");
}

function show(host: TerminalHost, caption: string): void {
	console.log(`\n${caption}\n${host.screen.picture()}`);
}

async function inTime(work: Promise<void>): Promise<void> {
	const stop = new AbortController();
	const interrupt = (): void => stop.abort(new Error("It was interrupted."));
	const timer = setTimeout(() => stop.abort(new Error(`It took more than ${DEADLINE_MS} ms.`)), DEADLINE_MS);
	process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
	const stopped = new Promise<never>((_, reject) => {
		stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
	});
	try {
		await Promise.race([work, stopped]);
	} finally {
		clearTimeout(timer);
		process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
		// After a timeout, `work` also rejects when the host ends. This rejection is ignored, because the timeout has already been
		// reported.
		work.catch(() => undefined);
	}
}
