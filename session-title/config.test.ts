import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { SettingsSchema } from "../session-core/settings/defaults.ts";
import { titleConfig } from "./config.ts";

const defaults = () => ({ settings: Value.Create(SettingsSchema), origins: new Map() });

test("titles are on by default, without a named model", () => {
	expect(titleConfig(defaults(), {}, {})).toEqual({
		models: { flag: undefined, setting: undefined, fastModel: undefined },
		off: undefined,
	});
});

test("a flag, the environment or a setting switches titles off", () => {
	const off = defaults();
	off.settings.title.enabled = false;
	expect(titleConfig(off, {}, {}).off).toBe("setting");
	expect(titleConfig(off, {}, { PI_DISABLE_AUTO_TITLE: "1" }).off).toBe("environment");
	expect(titleConfig(defaults(), { "title-disable": true }, {}).off).toBe("flag");
	expect(titleConfig(defaults(), {}, { PI_DISABLE_AUTO_TITLE: "0" }).off).toBeUndefined();
});

test("models come from the flag, the setting and fastModel", () => {
	const loaded = defaults();
	Object.assign(loaded.settings, { fastModel: "f/m", title: { enabled: true, model: "s/m" } });
	expect(titleConfig(loaded, { "title-model": " a/b " }, {}).models).toEqual({
		flag: "a/b",
		setting: "s/m",
		fastModel: "f/m",
	});
	expect(titleConfig(loaded, { "title-model": "" }, {}).models.flag).toBeUndefined();
});
