import type { Api, Model } from "@mariozechner/pi-ai";
import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { sectionsText } from "../session-core/command/doctor.ts";
import type { ModelChoice } from "../session-core/model/choose-model.ts";
import type { Spending } from "../session-core/model/reserve-cost.ts";
import { SettingsSchema } from "../session-core/settings/defaults.ts";
import { recapConfig } from "./config.ts";
import type { Draft } from "./draft.ts";
import { type DoctorFacts, recapSection, statusText } from "./report.ts";

const config = recapConfig({ settings: Value.Create(SettingsSchema), origins: new Map() }, {}, {});
const model = (id: string) => ({ provider: "p", id }) as Model<Api>; // only its name is read here
const choice: ModelChoice = { candidates: [{ model: model("m"), source: "active model" }], unusable: [] };
const none: ModelChoice = {
	candidates: [],
	unusable: [{ spec: "p/x", source: "flag", near: ["p/y"] }],
};
const total = (more: Partial<Spending> = {}): Spending => ({
	calls: 0,
	cost: 0,
	estimated: 0,
	unpriced: 0,
	...more,
});
const draft: Draft = {
	stamp: "m1",
	lines: [],
	artifacts: "",
	answer: undefined,
	status: "offline",
	failure: undefined,
};

describe("/recap status", () => {
	const status = (more: Partial<Parameters<typeof statusText>[0]> = {}) =>
		statusText({
			config,
			choice,
			draft: undefined,
			lastReturn: undefined,
			session: total(),
			today: total({ calls: 1, cost: 0.0031 }),
			ledger: "/agent/session-suite/usage/2026-05-17.jsonl",
			problem: undefined,
			...more,
		});

	test("reports what is on, the model and the costs, small amounts with their digits", () => {
		expect(status()).toContain("recap: on");
		expect(status()).toContain("p/m (active model)");
		expect(status()).toContain("session  0 calls, 0.00");
		expect(status()).toContain("today    1 call, 0.0031");
		expect(status()).toContain("automatic calls stop at 0.50");
	});

	test("reports where calls are counted, and which costs are uncertain", () => {
		expect(status()).toContain("counted  in /agent/session-suite/usage/2026-05-17.jsonl");
		expect(status()).not.toMatch(/in progress|figures|price/);
		const today = total({ calls: 9, estimated: 2, unpriced: 3 });
		expect(status({ today })).toMatch(/2 estimated, because the provider has reported no figures/);
		expect(status({ today })).toMatch(/3 not included, because the price of the model is unknown/);
	});

	test("reports why calls cannot be counted, and the remedy", () => {
		const problem = "/agent/session-suite/usage is in the way. Move it away.";
		expect(status({ problem })).toContain(`counted: ${problem} Typed commands still call a model.`);
	});

	test.each<[string, Partial<Draft>]>([
		["by p/m", { answer: { text: "x", model: "p/m" } }],
		["request in progress", { status: "drafting" }],
		[
			"without a model (provider error, HTTP 429)",
			{ failure: { reason: "provider_error", status: 429, model: "p/m" } },
		],
		[
			"without a model (a model has already been called for this state",
			{ failure: { reason: "asked", model: "" } },
		],
		["without a model. p/m used up its output", { failure: { reason: "cut_off", model: "p/m" } }],
		["without a model (daily limit)", { failure: { reason: "daily_limit", model: "" } }],
	])("the last recap: %s", (words, more) => {
		expect(status({ draft: { ...draft, ...more } })).toContain(`last     ${words}`);
	});

	test("names a model that cannot be used, with the nearest ones", () => {
		expect(status({ choice: none })).toMatch(
			/none, so recaps are generated without a model[\s\S]*unknown model "p\/x"\. Did you mean p\/y\?/,
		);
	});
});

describe("/recap doctor", () => {
	const doctor = (more: Partial<DoctorFacts> = {}) => {
		const section = recapSection({
			config,
			choice,
			terminal: { isTerminal: true, isTooSlow: false, focusSeen: false },
			terminalName: "xterm",
			insideTmux: false,
			tmuxFocus: undefined,
			counted: "in /agent/session-suite/usage/2026-05-17.jsonl",
			settingsFile: "/agent/session-suite.json",
			sharedCommands: [],
			promptLength: 400,
			lastReturn: undefined,
			...more,
		});
		return sectionsText([section]);
	};

	test.each<[string, RegExp, Partial<DoctorFacts>]>([
		[
			"a terminal that reports focus",
			/xterm: reports focus/,
			{ terminal: { isTerminal: true, isTooSlow: false, focusSeen: true } },
		],
		["one that has not yet", /no focus report yet/, {}],
		["none", /a program runs pi/, { terminal: { isTerminal: false, isTooSlow: false, focusSeen: false } }],
		["tmux that keeps them", /set -g focus-events on/, { insideTmux: true, tmuxFocus: "off" }],
		["tmux that passes them on", /tmux forwards focus reports/, { insideTmux: true, tmuxFocus: "on" }],
		["tmux that does not say", /unknown whether/, { insideTmux: true }],
		["a hostile terminal name", /\[?evil/, { terminalName: "\x1b[31mevil" }],
	])("explains %s", (_, words, more) => {
		expect(doctor(more)).toMatch(words);
		expect(doctor(more)).not.toContain("\x1b");
	});

	test("reports what a recap needs, and what came of the last return, as the status does", () => {
		const lastReturn = { at: new Date(2026, 4, 17, 3, 41).getTime(), outcome: "too_little" } as const;
		const facts = {
			config,
			choice,
			draft: undefined,
			session: total(),
			today: total(),
			ledger: "",
			problem: undefined,
		};
		for (const text of [doctor({ lastReturn }), statusText({ ...facts, lastReturn })]) {
			expect(text).toContain("last return 03:41: no recap, the reply was short");
			expect(text).toContain("a tool call, 30 words of reply");
		}
	});

	test("reports how much text would be sent", () => {
		expect(doctor()).toContain("about 100 tokens (400 characters), secrets removed");
	});
});
