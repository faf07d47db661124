import { expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { RECAP_FLAGS } from "../config.ts";
import { dailyAnswers, explainFailure, explainOff } from "./answers.ts";
import { helpText } from "./parse.ts";

/** Every sentence as a user reads it. A change here is meant, or it is a mistake. */

test("the fixed sentences", () => {
	expect(Object.values(dailyAnswers(ENGLISH))).toMatchInlineSnapshot(`
		[
		  "recap: the agent is still working; try again when it is done.",
		  "recap: nothing to recap yet.",
		  "recap: asking the model …",
		  "recap: nothing to clear.",
		]
	`);
});

test("why a typed /recap shows nothing new, without and with a model's recap on screen", () => {
	const reasons = ["no_model", "daily_limit", "unusable", "timeout"] as const;
	expect(
		reasons.flatMap((reason) =>
			[false, true].map((hasAnswer) => explainFailure({ reason, model: "p/m" }, { hasAnswer })),
		),
	).toMatchInlineSnapshot(`
		[
		  "recap: no model is available, so this is the offline recap. Choose one with /model or --recap-model.",
		  "recap: no model is available, so the recap is unchanged. Choose one with /model or --recap-model.",
		  "recap: today's limit for automatic calls is reached; this is the offline recap. /recap --force calls the model anyway.",
		  "recap: today's limit for automatic calls is reached; the recap is unchanged. /recap --force calls the model anyway.",
		  "recap: the answer of p/m could not be used; this is the offline recap. /recap --force calls the model again.",
		  "recap: the answer of p/m could not be used; the recap is unchanged. /recap --force calls the model again.",
		  "recap: p/m did not answer in time. Try again, or choose a faster model. The offline recap is unchanged.",
		  "recap: p/m did not answer in time. Try again, or choose a faster model. The recap is unchanged.",
		]
	`);
});

test("why no recap appears automatically", () => {
	expect(
		(["flag", "environment", "setting", "project", "unreadable"] as const).map(explainOff),
	).toMatchInlineSnapshot(`
		[
		  "off for this run (--recap-disable)",
		  "off (PI_DISABLE_AUTO_RECAP=1)",
		  "off (/recap on turns them on)",
		  "off in this project (.pi/session-suite.json)",
		  "off until all settings files can be read (/recap doctor shows which one cannot)",
		]
	`);
});

test("the help", () =>
	expect(helpText()).toMatchInlineSnapshot(`
		"  /recap                  Show a recap of this session
		  /recap --force          Call the model again
		  /recap show             Show the recap without calling a model
		  /recap copy             Copy the recap to the clipboard
		  /recap clear            Hide the recap
		  /recap on               Turn automatic recaps on
		  /recap off              Turn automatic recaps off
		  /recap status           Show whether recaps are on, the model and the cost
		  /recap doctor           Check the terminal, the models and all extensions
		  /recap doctor --prompt  Show the exact text that would be sent to the model
		  /recap doctor --report  Copy the report for an issue to the clipboard; it contains no session text
		  /recap --help           Show this help"
	`));

test("the flags", () => {
	expect(
		Object.entries(RECAP_FLAGS).map(([name, { description }]) => `${name}: ${description}`),
	).toMatchInlineSnapshot(`
		[
		  "recap-model: Model for recaps, as provider/id (default: fastModel setting, then the active model)",
		  "recap-away-seconds: Recap when you return after this long (default: 90)",
		  "recap-focus-min-seconds: Recap when the agent finished while you were away at least this long (default: 3)",
		  "recap-idle-seconds: Recap after this long without input or keystrokes (default: 120)",
		  "recap-disable-focus: Do not ask the terminal for focus reports; only the idle time counts",
		  "recap-disable: No recaps unless you type /recap",
		]
	`);
});
