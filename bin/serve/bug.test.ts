import { expect, onTestFinished, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { AgentFolder, serveFolder } from "../../test/serve/agent-folder.ts";
import { SessionBoard } from "./board.ts";

const folder = useTemporaryFolder();

test("the server survives an exception in a scan that no request waits for, and reports it", async () => {
	const said: string[] = [];
	const { server } = await serveFolder(folder(), { say: (message) => void said.push(message) });
	onTestFinished(() => server.close());
	const board = new SessionBoard(folder(), undefined);
	onTestFinished(() => board.close());
	await board.ready();
	board.listen(() => {
		throw new TypeError("injected");
	});
	new AgentFolder(folder()).put("one", new SessionText({ id: "one" }).user("Task").toString());
	board.touch();
	await until(() => said.length > 0, "the report");
	expect(said).toEqual([
		expect.stringMatching(/^An unexpected error occurred in the background \(TypeError in /),
	]);
	await board.ready();
	expect(board.sessions.map(({ id }) => id)).toEqual(["one"]);
});
