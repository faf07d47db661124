import { expect, test } from "vitest";
import { pickFrom } from "./screen.ts";

const choices = [
	{ label: "Fork", value: "first" },
	{ label: "Fork", value: "second" },
	{ label: "Cancel", value: undefined },
] as const;

const answering = (label: string | undefined) => ({ select: async () => label });

test.each([
	["Fork", "first"],
	["Fork (2)", "second"],
	["Cancel", undefined],
	["something that was not offered", undefined],
	[undefined, undefined],
])("the answer %j is the choice %j: labels that read alike are told apart", async (label, value) => {
	expect(await pickFrom(answering(label), "What now?", choices)).toBe(value);
});

test("the host is shown every choice once, in order", async () => {
	const shown: string[][] = [];
	const select = async (_: string, labels: string[]) => {
		shown.push(labels);
		return undefined;
	};
	await pickFrom({ select }, "What now?", choices);
	expect(shown).toEqual([["Fork", "Fork (2)", "Cancel"]]);
});
