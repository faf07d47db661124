import { expect, test } from "vitest";
import { swallowedWords } from "./flags.ts";

const TABLE = {
	"x-disable": { type: "boolean", description: "" },
	"x-model": { type: "string", description: "" },
} as const;

test.each<[string[], string[]]>([
	[["-p", "--x-disable", "task"], ["task"]],
	[
		["--x-disable", "task", "--x-disable", "more"],
		["task", "more"],
	],
	[["-p", "--x-disable=true", "task"], []],
	[["-p", "--x-disable", "true", "task"], []],
	[["-p", "task", "--x-disable"], []],
	[["--x-disable", "-p", "task"], []],
	[["--x-disable", "@file", "task"], []],
	[["--x-model", "p/m", "task"], []],
	[["--", "--x-disable", "task"], []],
])("the words that boolean flags take in %j: %j", (args, words) => {
	expect(swallowedWords(args, TABLE).map(({ word }) => word)).toEqual(words);
});
