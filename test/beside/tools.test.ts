import { describe, expect, test } from "vitest";
import { runHost, say, testHost, testOnce, until, useTool } from "../host/index.ts";
import { foreignExtension, foreignTool } from "./foreign.ts";

const NAMES = ["session_search", "session_read"] as const;

/** The tools in a request that have the suite's names, in the order of `NAMES`. */
const offered = (tools: readonly string[]) => NAMES.flatMap((name) => tools.filter((tool) => tool === name));

describe("another package has a tool of the same name", () => {
	test("loaded before or after ours: pi starts and runs the other package's tools", async () => {
		const [before = "", after = ""] = NAMES.map((name) => foreignExtension(foreignTool(name)));
		const { code, requests, stderr } = await runHost(["-p", "look it up"], {
			extensions: [before, ".", after],
			script: (model) => model.queue("agent", useTool(NAMES[0], {}), useTool(NAMES[1], {}), say("done")),
		});
		expect([code, stderr]).toEqual([0, ""]);
		const agent = requests.filter(({ kind }) => kind === "agent");
		expect(offered(agent[0]?.tools ?? [])).toEqual(NAMES);
		expect(JSON.stringify(agent.at(-1)?.body).split("the foreign tool ran")).toHaveLength(3);
	});

	testOnce("/recap doctor and /recall name it, and turning recall off does not remove it", async () => {
		const host = await testHost({
			extensions: [".", foreignExtension(foreignTool("session_read"))],
			suiteSettings: JSON.stringify({ recall: { enabled: false } }),
			rows: 60,
			cols: 140,
		});
		await host.submit("/recap doctor", /off, because another package provides session_read/);
		await host.submit("/recall", /cannot use these tools, because another package provides session_read/);
		host.model.queue("agent", say("done"));
		await host.submit("hello", /done/);
		expect(offered(host.model.calls("agent")[0]?.tools ?? [])).toEqual(["session_read"]);
	});
});

test("the tools reach the first request of every session: at the start, after /new, /reload and /resume", async () => {
	const host = await testHost({ extensions: ["session-recall"], rows: 40 });
	const ask = async (words: string) => {
		host.model.queue("agent", say(`answer to ${words}`));
		host.submit(words);
		// The answer is on the screen before the run is over, and pi does not reload during a run.
		await until(
			() => JSON.stringify(host.entries().slice(-1)).includes(`answer to ${words}`),
			"the answer in the file",
		);
		expect(offered(host.model.calls("agent").at(-1)?.tools ?? [])).toEqual([...NAMES]);
	};
	await ask("one");
	await host.submit("/new", /New session started/);
	await ask("two");
	await host.submit("/reload", /Reloaded/);
	await ask("three");
	await host.submit("/resume", /› two/);
	await host.key("down", /› one/);
	await host.key("enter", /Resumed session/);
	await ask("four");
});
