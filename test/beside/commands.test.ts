import { expect, test } from "vitest";
import { say, testHost, testOnce, testRpc } from "../host/index.ts";
import { foreignCommand, foreignExtension } from "./foreign.ts";

/** A command line for each extension, and its output. */
const LINES: [string, RegExp][] = [
	["/recap --help", /\/recap doctor/],
	["/rename Fix the parser", /✎ Fix the parser/],
	["/recall", /\/recall --here/],
	["/resume-here --help", /\/resume-here/],
	["/recap doctor", /\/sessions belongs to several packages: \/sessions:1/],
	["/sessions", /^ Sessions/m],
];

test("our commands run even if another package has the same ones, which /recap doctor names", async () => {
	const names = new Set(LINES.map(([line]) => line.slice(1).split(" ")[0] ?? ""));
	const foreign = foreignExtension([...names].map(foreignCommand).join("\n"));
	const host = await testHost({ extensions: [".", foreign], rows: 60, cols: 160 });
	for (const [line, answer] of LINES) {
		await host.submit(line, answer);
	}
	expect(host.model.requests).toEqual([]);
	expect(host.screen.scrollback()).not.toContain("the foreign command ran");
});

testOnce("a command that a program sends runs, and similar text is a prompt", async () => {
	const rpc = await testRpc({
		extensions: ["session-recap", foreignExtension(foreignCommand("recap"))],
		script: (model) => model.always("agent", say("done")),
	});
	await rpc.request({ type: "prompt", message: "/recap --help" });
	await rpc.waitFor(({ message }) => String(message).includes("/recap doctor"), "the help");
	expect(rpc.model.requests).toEqual([]);
	await rpc.request({ type: "prompt", message: "/recaps of the week" });
	await rpc.model.waitForCall("agent");
});
