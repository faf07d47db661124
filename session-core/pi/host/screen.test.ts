import { expect, test } from "vitest";
import { pickFrom } from "./screen.ts";

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
])("the answer %j is the choice %j: labels that read alike are told apart", async (label, value) => {
	const select = async (_: string, labels: string[]) => {
		expect(labels).toEqual(["Fork", "Fork (2)", "Cancel"]);
		return label;
	};
	expect(await pickFrom({ select }, "What now?", choices)).toBe(value);
});
