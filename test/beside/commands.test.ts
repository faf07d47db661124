import { join } from "node:path";
import { expect, test } from "vitest";
import { say } from "../host/answer.ts";
import { testHost, testRpc } from "../host/in-test.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import { foreignCommand, foreignExtension } from "./foreign.ts";

const extension = (name: string) => join(PROJECT_ROOT, name, "index.ts");

/** A line, the extension that answers it, and the answer. */
const LINES: [string, string, RegExp][] = [
	["/recap --help", "session-recap", /\/recap doctor/],
	["/rename Fix the parser", "session-title", /✎ Fix the parser/],
	["/recall", "session-recall", /\/recall --here/],
	["/sessions", "session-resume", /Sessions|sessions/],
	["/resume-here --help", "session-resume", /\/resume-here/],
];

test.each(LINES)("%s of %s runs although another package has the command", async (line, name, answer) => {
	const [command = ""] = line.slice(1).split(" ");
	const host = await testHost({
		extensions: [extension(name), foreignExtension(foreignCommand(command))],
		rows: 50,
	});
	host.submit(line);
	await host.screen.waitFor(answer);
	expect(host.model.requests).toEqual([]);
	expect(host.screen.text()).not.toContain("the foreign command ran");
});

test("/recap doctor names the commands that another package has, too", async () => {
	const host = await testHost({
		extensions: [foreignExtension(foreignCommand("sessions")), PROJECT_ROOT],
		rows: 60,
		cols: 160,
	});
	host.submit("/recap doctor");
	await host.screen.waitFor(/\/sessions belongs to several packages: \/sessions:1/);
});

test("a program's bare command runs, and other text stays a prompt", async () => {
	const rpc = await testRpc({
		extensions: [extension("session-recap"), foreignExtension(foreignCommand("recap"))],
		script: (model) => model.always("agent", say("done")),
	});
	await rpc.request({ type: "prompt", message: "/recap --help" });
	await rpc.waitFor(({ message }) => String(message).includes("/recap doctor"), { what: "the help" });
	expect(rpc.model.requests).toEqual([]);
	await rpc.request({ type: "prompt", message: "/recaps of the week" });
	await rpc.model.waitForCall("agent");
});
