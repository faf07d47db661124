import { describe, expect, test } from "vitest";
import { sectionsText } from "../session-core/pi/doctor.ts";
import type { Spending } from "../session-core/pi/model/budget.ts";
import type { ModelChoice } from "../session-core/pi/model/choose-model.ts";
import { modelOf } from "../session-core/pi/model/model.test-support.ts";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { defaultSettings } from "../session-core/settings/settings.ts";
import { type Last, recapSection, statusText } from "./report.ts";
import { recapConfig } from "./session.ts";

const settings = { settings: defaultSettings(), origins: new Map() };
const model = modelOf({ cost: { input: 4, output: 25, cacheRead: 0, cacheWrite: 0 } });
const cheap = modelOf({ id: "cheap", cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } });
const NONE: Spending = { calls: 0, cost: 0, estimated: 0, unpriced: 0 };
const LEDGER = "/agent/session-suite/usage/2026-05-17.jsonl";

const reported = (today: Partial<Spending> = {}, problem?: string, last?: Partial<Last>) => ({
	config: () => recapConfig(settings, {}, {}),
	choose: (): ModelChoice => ({ candidates: [{ model, source: "active model" }], unusable: [] }),
	cheaper: () => cheap,
	presence: { state: { lastReturn: undefined } },
	budget: {
		spentToday: (by: "all" | "session") => (by === "all" ? { ...NONE, ...today } : NONE),
		path: () => LEDGER,
		problem: () => problem,
	},
	last: () => last && { record: recapOf(), isAsking: false, ...last },
});
const noted = { record: recapOf({ generator: { type: "llm", provider: "p", model: "m" } }) };

describe("/recap status", () => {
	const status = (more: Partial<Parameters<typeof statusText>[0]> = {}) =>
		statusText({ ...reported({ calls: 1, cost: 0.0031 }), ...more });

	test("reports what is on, the model and the costs, small amounts with their digits", () => {
		for (const line of [
			"recap: on",
			"p/m (active model), a recap costs about $0.013",
			"1 call, $0.0031",
			LEDGER,
		])
			expect(status()).toContain(line);
	});

	test("reports which costs are uncertain, and why calls cannot be counted", () => {
		const uncertain = status(reported({ calls: 9, estimated: 2, unpriced: 3 }));
		expect(uncertain).toMatch(/2 estimated, because the provider has reported no figures/);
		expect(uncertain).toMatch(/3 not included, because the model's price is unknown/);
		const problem = "/agent/session-suite/usage is in the way. Move it away.";
		expect(status(reported({}, problem))).toContain(`counted: ${problem} Commands that you type`);
	});

	const [refused, status429] = [{ ok: false, model: "p/m" } as const, { status: 429 }];
	test.each<[string, Partial<Last>]>([
		["written by p/m", noted],
		[
			"written by p/m; p/a failed (429).",
			{ ...noted, tried: [{ model: "p/a", reason: "provider_error", ...status429 }] },
		],
		["request in progress", { isAsking: true }],
		[
			"without a model (provider error, HTTP 429)",
			{ failure: { ...refused, reason: "provider_error", ...status429 } },
		],
		["without a model. p/m used up its output", { failure: { ...refused, reason: "cut_off" } }],
	])("the last recap: %s", (words, more) => {
		expect(status(reported({}, undefined, more))).toContain(`last     ${words}`);
	});

	test("names a model that cannot be used, with the nearest ones", () => {
		const none: ModelChoice = {
			candidates: [],
			unusable: [{ spec: "p/x", source: "--recap-model", near: ["p/y"] }],
		};
		expect(status({ choose: () => none })).toMatch(/none, so recaps are [\s\S]*"p\/x"\. Did you mean p\/y\?/);
	});
});

describe("/recap doctor", () => {
	type Examined = Parameters<typeof recapSection>;
	const doctor = (more: Partial<Examined[0]> = {}, found: Partial<Examined[1]> = {}) =>
		sectionsText([
			recapSection(
				{ ...reported(), terminal: () => ({ isTerminal: true, focusSeen: false }), ...more },
				{ terminalName: "xterm", tmuxFocus: undefined, sharedCommands: [], promptLength: 400, ...found },
			),
		]);

	test.each<[string, RegExp, ...Parameters<typeof doctor>]>([
		["a terminal that has sent no report", /no focus report yet/],
		["no terminal", /a program runs pi/, { terminal: () => ({ isTerminal: false, focusSeen: false }) }],
		["tmux that keeps them", /set -g focus-events on/, {}, { tmuxFocus: "off" }],
		["tmux that passes them on", /tmux forwards focus reports/, {}, { tmuxFocus: "on" }],
		["a hostile terminal name", /evil/, {}, { terminalName: "\x1b[31mevil" }],
	])("explains %s", (_, words, ...facts) => {
		expect(doctor(...facts)).toMatch(words);
		expect(doctor(...facts)).not.toContain("\x1b");
	});

	test("reports what a recap needs, what came of the last return, and how much would be sent", () => {
		const at = new Date(2026, 4, 17, 3, 41).getTime();
		const text = doctor({ presence: { state: { lastReturn: { at, outcome: "too_little" } } } });
		expect(text).toContain("last return 03:41: no recap, the reply was short");
		expect(text).toContain("a tool call, 30 words of reply");
		expect(text).toContain("about 100 tokens (400 characters), secrets removed");
	});
});
