import { expect, test } from "vitest";
import { runHost } from "../host/run-host.ts";

test.each(["title-disable", "recap-disable", "recap-disable-focus"])(
	"--%s before a prompt: one line names the prompt that was not sent",
	async (flag) => {
		const { stderr, requests } = await runHost(["-p", `--${flag}`, "fix the parser"]);
		expect(requests).toEqual([]);
		expect(stderr.match(/.*fix the parser.*/g)).toEqual([
			`--${flag}: took "fix the parser" as its value, so it was not sent. Write --${flag}=true, or put the prompt first.`,
		]);
		const { stderr: quiet, requests: sent } = await runHost(["-p", `--${flag}=true`, "fix the parser"]);
		expect([quiet, sent.some(({ kind }) => kind === "agent")]).toEqual(["", true]);
	},
);
