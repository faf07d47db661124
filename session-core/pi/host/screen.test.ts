import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createScreen, pickFrom } from "./screen.ts";

test.each([
	[11, ["title", "one two", "three four", "five six"]],
	[10, ["title", "one two", "three fou…"]],
	[8, ["title …"]],
	[5, ["title …"]],
])("a widget in %i rows ends with an ellipsis if lines are left out", (rows, expected) => {
	let render = (_width: number): string[] => [];
	const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
	const setWidget = (_key: string, widget: unknown) => {
		if (typeof widget === "function") render = widget({ terminal: { rows } }).render;
	};
	createScreen({ setWidget, theme } as never, "key").show(() => ["title", "one two three four five six"]);
	expect(render(12).map((line) => stripVTControlCharacters(line).trim())).toEqual(expected);
});

const choices = [
	{ label: "Fork", value: "first" },
	{ label: "Fork", value: "second" },
	{ label: "Cancel", value: undefined },
] as const;

test.each([
	["Fork", "first"],
	["Fork (2)", "second"],
	["Cancel", undefined],
	["something that was not offered", undefined],
	[undefined, undefined],
])("the answer %j is the choice %j, because equal labels are numbered", async (label, value) => {
	const select = async (_: string, labels: string[]) => {
		expect(labels).toEqual(["Fork", "Fork (2)", "Cancel"]);
		return label;
	};
	expect(await pickFrom({ select }, "What now?", choices)).toBe(value);
});
