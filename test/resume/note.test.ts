import { expect, test } from "vitest";
import { Gate, held, say, until, useTool } from "../host/index.ts";
import { shellRun } from "../shell/shell-host.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const FAST = ["--recap-away-seconds", "0.4", "--recap-focus-min-seconds", "0.05"];
/** The agent leaves a decision to the user without a question mark, in Dutch. */
const REPLY =
	"De build is klaar en staat in dist/app.js. Laat me weten welke omgeving je wilt:\n\n- staging\n- productie";
const ASKS = "Laat me weten welke omgeving je wilt: staging; productie";
const SENTENCES = "De build staat in dist/app.js. De agent wil weten welke omgeving.";
const NOTE = say(
	`<recap>${SENTENCES}</recap><topic>Build voor de webapp</topic><done>build in dist/app.js</done><next kind="request">Laat me weten welke omgeving je wilt:</next>`,
);

test("the note on a run that ended during an absence is one call for recap, title, card, tab, list and next step", async () => {
	const host = await resumeHost({
		extensions: ["."],
		args: FAST,
		script: (model) => model.always("recap", NOTE),
	});
	await host.attached();
	const gate = new Gate();
	host.model.queue("agent", useTool("bash", { command: "echo dist/app.js" }), held(gate, say(REPLY)));
	host.submit("bouw de webapp en zet de build klaar");
	host.focusOut();
	await until(() => host.model.calls("agent").length === 2, "the agent to be at its last turn");
	gate.open();
	await until(() => recordsIn(host.entries()).length === 1, "the note to be stored");
	expect(recordsIn(host.entries())).toMatchObject([
		{
			generator: { type: "llm" },
			headline: "Build voor de webapp",
			text: SENTENCES,
			bullets: ["build in dist/app.js"],
			next_actions: [ASKS],
			next_kinds: ["request"],
			outcome: "waiting",
		},
	]);
	await until(() => host.screen.title.includes("◆ Build voor de webapp"), "the tab to say so");
	host.focusIn();
	await host.screen.waitFor(/De agent wil weten welke omgeving\./);
	await host.submit("/recap-card", /→ Laat me weten welke omgeving je wilt: staging; productie/);
	const { stdout } = await shellRun(host, ["list", "--json"]);
	expect(JSON.parse(stdout).sessions[0]).toMatchObject({
		title: "Build voor de webapp",
		waits: true,
		next: ASKS,
		next_kind: "request",
	});
	await host.key("alt+n", /> Laat me weten welke omgeving je wilt: staging; productie/);
	// The title needed no separate call.
	expect(host.model.requests.map(({ kind }) => kind)).toEqual(["agent", "agent", "recap"]);
});
