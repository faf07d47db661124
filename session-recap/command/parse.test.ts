import { describe, expect, test } from "vitest";
import { completeCommand, helpText, parseCommand, RECAP_OPTIONS } from "./parse.ts";

describe("/recap arguments", () => {
	test.each([
		["", { type: "recap", force: false }],
		["  --force ", { type: "recap", force: true }],
		["STATUS", { type: "status" }],
		["doctor   --prompt", { type: "doctor", show: "prompt" }],
		["help", { type: "help" }],
		["now", { type: "unknown", word: "now" }],
	])("%j", (args, action) => expect(parseCommand(args)).toEqual(action));

	test("every option is parsed and listed in the help", () => {
		for (const { value } of RECAP_OPTIONS) {
			expect(parseCommand(value).type).not.toBe("unknown");
			expect(helpText()).toContain(`/recap ${value}`);
		}
	});

	test("completes by prefix, and offers nothing if nothing matches", () => {
		expect(completeCommand("status")).toBeNull();
		expect(completeCommand("doc")?.map(({ value }) => value)).toEqual([
			"doctor",
			"doctor --prompt",
			"doctor --report",
		]);
		expect(completeCommand("zzz")).toBeNull();
	});
});
