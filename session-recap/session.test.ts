import { expect, test } from "vitest";
import type { FlagValues } from "../session-core/pi/host/register.ts";
import type { Origin } from "../session-core/settings/load-settings.ts";
import { defaultSettings } from "../session-core/settings/settings.ts";
import { recapConfig } from "./session.ts";

const settings = defaultSettings();
const resolve = (flags: FlagValues = {}, env: Record<string, string> = {}) =>
	recapConfig({ settings, origins: new Map() }, flags, env);

test("flags win over settings", () => {
	const flags = { "recap-away-seconds": "1.5", "recap-disable-focus": true };
	expect(resolve(flags)).toMatchObject({ limits: { awayMs: 1_500, focus: false } });
});

test.each([
	[{ "recap-disable": true }, {}, "flag"],
	[{}, { PI_DISABLE_AUTO_RECAP: "1" }, "environment"],
	[{}, { PI_DISABLE_AUTO_RECAP: "0" }, undefined],
] as const)("%j with %j is off by %j", (flags, env, off) => {
	expect(resolve(flags, env)).toMatchObject({ off, limits: { auto: off === undefined } });
});

test.each<[Origin, string]>([
	["file", "setting"],
	["command", "setting"],
	["project", "project"],
	["unreadable", "unreadable"],
])("switched off by %s is off by %s", (origin, off) => {
	const quiet = { ...settings, recap: { ...settings.recap, enabled: false } };
	expect(recapConfig({ settings: quiet, origins: new Map([["recap.enabled", origin]]) }, {}, {}).off).toBe(
		off,
	);
});

test.each(["soon", "-1", "", true, "2147484"])("%j is no number of seconds", (value) => {
	const { limits, problems } = resolve({ "recap-idle-seconds": value });
	expect(limits.idleMs).toBe(120_000);
	expect(problems).toHaveLength(1);
	expect(problems[0]).toMatch(/^--recap-idle-seconds: found ".*", expected seconds from 0; using 120$/);
});
