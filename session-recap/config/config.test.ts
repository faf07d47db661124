import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { SettingsSchema } from "../../session-core/settings/schema.ts";
import { resolveConfig, withSetting } from "./config.ts";
import { describeProblem } from "./flag-problem.ts";
import type { RecapFlags } from "./flags.ts";

const settings = Value.Create(SettingsSchema);
const resolve = (flags: RecapFlags = {}, env: Record<string, string> = {}) =>
	resolveConfig(settings, flags, env);

describe("configuration", () => {
	test("is the documented defaults where nothing is said", () => {
		expect(resolve()).toMatchObject({
			limits: { awayMs: 90_000, focusMinMs: 3_000, idleMs: 120_000, focus: true, auto: true },
			dailyCostLimit: 0.5,
			includeProjectContext: false,
			off: undefined,
			problems: [],
		});
	});

	test("flags win over settings", () => {
		const flags = { "recap-away-seconds": "1.5", "recap-disable-focus": true, "recap-model": " p/m " };
		expect(resolve(flags)).toMatchObject({
			limits: { awayMs: 1_500, focus: false },
			models: { flag: "p/m" },
		});
	});

	test.each([
		[{ "recap-disable": true }, {}, "flag"],
		[{}, { PI_DISABLE_AUTO_RECAP: "1" }, "environment"],
		[{}, { PI_DISABLE_AUTO_RECAP: "0" }, undefined],
	] as const)("%j with %j is off by %j", (flags, env, off) => {
		expect(resolve(flags, env)).toMatchObject({ off, limits: { auto: off === undefined } });
	});

	test("/recap on and off change the setting, but flag and environment stand", () => {
		expect(withSetting(resolve(), false)).toMatchObject({ off: "setting", limits: { auto: false } });
		expect(withSetting(withOff("setting"), true)).toMatchObject({ off: undefined, limits: { auto: true } });
		expect(withSetting(withOff("environment"), true)).toMatchObject({
			off: "environment",
			limits: { auto: false },
		});
	});

	test.each(["soon", "-1", "1e99", "", true, "9999999999", "2147484", "12abc", "\x1b[31m5"])(
		"%j is no number of seconds: the default is used and one clean line says so",
		(value) => {
			const { limits, problems } = resolve({ "recap-idle-seconds": value });
			expect(limits.idleMs).toBe(120_000);
			const lines = problems.map(describeProblem);
			expect(lines).toHaveLength(1);
			expect(lines[0]).toMatch(
				/^--recap-idle-seconds: found "[^\x1b\n]*", expected seconds from 0; using 120$/,
			);
		},
	);
});

function withOff(off: "setting" | "environment") {
	const config = resolve();
	return { ...config, off, limits: { ...config.limits, auto: false } };
}
