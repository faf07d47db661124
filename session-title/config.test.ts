import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { SettingsSchema } from "../session-core/settings/defaults.ts";
import { OFF_VARIABLE, resolveConfig } from "./config.ts";

const defaults = () => ({ settings: Value.Create(SettingsSchema), origins: new Map() });

test("titles are on by default, without a named model", () => {
	expect(resolveConfig(defaults(), {}, {})).toEqual({
		models: { flag: undefined, setting: undefined, fastModel: undefined },
		dailyCostLimit: 0.5,
		off: undefined,
	});
});

test("a flag, the environment or a setting switches titles off", () => {
	const off = defaults();
	off.settings.title.enabled = false;
	expect(resolveConfig(off, {}, {}).off).toBe("setting");
	expect(resolveConfig(off, {}, { [OFF_VARIABLE]: "1" }).off).toBe("environment");
	expect(resolveConfig(defaults(), { "title-disable": true }, {}).off).toBe("flag");
	expect(resolveConfig(defaults(), {}, { [OFF_VARIABLE]: "0" }).off).toBeUndefined();
});

test("models come from the flag, the setting and fastModel", () => {
	const loaded = defaults();
	Object.assign(loaded.settings, { fastModel: "f/m", title: { enabled: true, model: "s/m" } });
	expect(resolveConfig(loaded, { "title-model": " a/b " }, {}).models).toEqual({
		flag: "a/b",
		setting: "s/m",
		fastModel: "f/m",
	});
	expect(resolveConfig(loaded, { "title-model": "" }, {}).models.flag).toBeUndefined();
});
