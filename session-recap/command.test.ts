import { describe, expect, test } from "vitest";
import { completeRecap, parseRecap, RECAP_OPTIONS, recapHelp } from "./command.ts";

describe("/recap arguments", () => {
	test.each([
		["", { type: "recap", force: false }],
		["  --force ", { type: "recap", force: true }],
		["STATUS", { type: "status" }],
		["doctor   --prompt", { type: "doctor", show: "prompt" }],
		["help", { type: "help" }],
		["now", { type: "unknown", word: "now" }],
	])("%j", (args, action) => expect(parseRecap(args)).toEqual(action));

	test("every option is parsed and listed in the help", () => {
		for (const { value } of RECAP_OPTIONS) {
			expect(parseRecap(value).type).not.toBe("unknown");
			expect(recapHelp()).toContain(`/recap ${value}`);
		}
	});

	test("completes by prefix, and offers nothing if nothing matches", () => {
		expect(completeRecap("status")).toBeNull();
		expect(completeRecap("doc")?.map(({ value }) => value)).toEqual([
			"doctor",
			"doctor --prompt",
			"doctor --report",
		]);
		expect(completeRecap("zzz")).toBeNull();
	});
});
