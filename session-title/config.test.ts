import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { readFlags, registerFlags } from "../session-core/settings/flags.ts";
import { SettingsSchema } from "../session-core/settings/schema.ts";
import { OFF_VARIABLE, resolveConfig, TITLE_FLAGS } from "./config.ts";

const defaults = () => ({ settings: Value.Create(SettingsSchema), origins: new Map() });

test("titles are on, and the cheap model is found by itself", () => {
	expect(resolveConfig(defaults(), {}, {})).toEqual({
		models: { flag: undefined, setting: undefined, fastModel: undefined },
		dailyCostLimit: 0.5,
		off: undefined,
	});
});

test("flag, environment and setting each switch off", () => {
	const off = defaults();
	off.settings.title.enabled = false;
	expect(resolveConfig(off, {}, {}).off).toBe("setting");
	expect(resolveConfig(off, {}, { [OFF_VARIABLE]: "1" }).off).toBe("environment");
	expect(resolveConfig(defaults(), { "title-disable": true }, {}).off).toBe("flag");
	expect(resolveConfig(defaults(), {}, { [OFF_VARIABLE]: "0" }).off).toBeUndefined();
});

test("models are taken from flag, setting and fastModel", () => {
	const loaded = defaults();
	Object.assign(loaded.settings, { fastModel: "f/m", title: { enabled: true, model: "s/m" } });
	expect(resolveConfig(loaded, { "title-model": " a/b " }, {}).models).toEqual({
		flag: "a/b",
		setting: "s/m",
		fastModel: "f/m",
	});
	expect(resolveConfig(loaded, { "title-model": "" }, {}).models.flag).toBeUndefined();
});

test("the host learns of every flag and is asked for each", () => {
	const known = new Map<string, string>();
	const host = {
		registerFlag: (name: string, { type }: { type: string }) => void known.set(name, type),
		getFlag: (name: string) => (name === "title-model" ? "a/b" : undefined),
	};
	registerFlags(host, TITLE_FLAGS);
	expect([...known]).toEqual([
		["title-model", "string"],
		["title-disable", "boolean"],
	]);
	expect(readFlags(host, TITLE_FLAGS)).toEqual({ "title-model": "a/b" });
});
