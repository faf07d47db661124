import { expect, test } from "vitest";
import { runHost } from "../host/run-host.ts";

test("if a flag takes the prompt as its value, one line names the prompt that was not sent", async () => {
	const { stderr, requests } = await runHost(["-p", "--title-disable", "fix the parser"]);
	expect(requests).toEqual([]);
	expect(stderr.match(/.*fix the parser.*/g)).toEqual([
		`--title-disable: pi read "fix the parser" as the value of this flag, so it was not sent as a prompt. Write --title-disable=true, or put the prompt before the flag.`,
	]);
	const { stderr: quiet, requests: sent } = await runHost(["-p", "--recap-disable=true", "fix the parser"]);
	// In print mode, no title is requested.
	expect([quiet, sent.map(({ kind }) => kind)]).toEqual(["", ["agent"]]);
});
