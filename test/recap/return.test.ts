import { expect, test } from "vitest";
import { type Answerer, Gate, held, say, type TerminalHost, until, useTool } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

const FAST = ["--recap-away-seconds", "0.4", "--recap-focus-min-seconds", "0.05"];
const RECAP = say("<recap>Building the project; it waits for your word on the deployment.</recap>");

async function finishesWhileAway(
	host: TerminalHost,
	answer: Answerer = say("Built it. Shall I deploy it?"),
): Promise<void> {
	const gate = new Gate();
	const turns = host.model.calls("agent").length + 2;
	await host.attached();
	host.model.queue("agent", useTool("bash", { command: "echo built" }), held(gate, answer));
	host.submit("build the project");
	// The focus report is sent with the line, because a later report could arrive after the answer.
	host.focusOut();
	await until(() => host.model.calls("agent").length === turns, "the agent to be at its last turn");
	gate.open();
}

/** Milliseconds without a new frame after which the screen is considered idle. */
const AT_REST_MS = 250;

const drafted = (host: TerminalHost, nth = 0) =>
	until(() => host.model.calls("recap")[nth]?.state === "answered", "the draft");

test("back from away after a run that ended meanwhile, the first frame shows the recap of one call, no focus report reaches the editor, and a recap waits while the user types", async () => {
	const host = await recapHost({ args: FAST, script: (model) => model.queue("recap", RECAP) });
	await finishesWhileAway(host);
	await drafted(host);
	expect(host.screen.text()).not.toContain("✦ recap");
	// The host may still be painting the end of the run.
	const painted = () => performance.now() - (host.screen.frames.at(-1)?.at ?? 0);
	await until(() => painted() > AT_REST_MS, "the screen to be at rest");
	const before = host.screen.text();
	const frames = host.screen.frames.length;
	host.focusIn();
	await host.screen.waitFor(/✦ recap/);
	await host.screen.waitFor(/waits for your word on the deployment\./);
	// On a busy machine, frames may still show the earlier screen, or only a part of the next one.
	const known = `${before}\n${host.screen.text()}`.split("\n");
	const others = host.screen.frames
		.slice(frames)
		.flatMap(({ text }) => text.split("\n"))
		.filter((line) => !known.some((one) => one.startsWith(line.trimEnd())));
	expect(others).toEqual([]);
	for (let i = 0; i < 40; i++) {
		host.focusOut();
		host.focusIn();
	}
	host.focusOut();
	await host.type("typed-after", /typed-after/);
	host.focusIn();
	await host.type("-more", /typed-after-more/);
	expect(host.screen.text()).not.toMatch(/\[[IO]/);
	expect(host.model.calls("recap")).toHaveLength(1);

	// While the user types, the next recap waits, and the text in the editor remains.
	host.key("ctrl+u");
	host.model.queue("recap", RECAP);
	await finishesWhileAway(host);
	await drafted(host, 1);
	await host.type("half a thought", /half a thought/);
	host.focusIn();
	host.type(" more");
	const lastKey = performance.now();
	await host.screen.waitFor(/half a thought more/);
	expect(host.screen.text()).not.toContain("✦ recap");
	await host.screen.waitFor(/✦ recap/);
	expect(performance.now() - lastKey).toBeGreaterThan(1_900);
	expect(host.screen.text()).toContain("half a thought more");
	expect(host.model.calls("recap")).toHaveLength(2);
});
