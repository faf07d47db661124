import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { session } from "../host/fixtures.ts";
import { until } from "../host/until.ts";
import { type Serving, testFolder, testServing } from "./serving.ts";

interface Event {
	event: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests check the shape
	data: any;
}

/** A client and the events that it has received. */
class Listener {
	readonly events: Event[] = [];
	comments = 0;
	#rest = "";

	constructor(response: IncomingMessage) {
		response.setEncoding("utf8");
		response.on("data", (text: string) => this.#take(text));
		response.on("error", () => undefined);
		onTestFinished(() => void response.destroy());
	}

	async next(event: string, after = 0): Promise<Event> {
		return until(() => this.events.slice(after).find((one) => one.event === event), {
			what: `event ${event}`,
		});
	}

	#take(text: string): void {
		const blocks = (this.#rest + text).split("\n\n");
		this.#rest = blocks.pop() ?? "";
		for (const block of blocks) {
			if (block.startsWith(":")) this.comments++;
			else {
				const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
				this.events.push({ event, data: JSON.parse(data) });
			}
		}
	}
}

function listen(serving: Serving): Promise<Listener> {
	const headers = { authorization: `Bearer ${serving.tokens.read}` };
	return new Promise((resolve, reject) => {
		get({ port: serving.port, host: "127.0.0.1", path: "/v1/live", headers, agent: false }, (response) => {
			expect(response.statusCode).toBe(200);
			expect(response.headers["content-type"]).toMatch(/^text\/event-stream/);
			resolve(new Listener(response));
		}).on("error", reject);
	});
}

const work = (id: string) => session({ id }).user("Move the queue").assistant("Done.").build();

describe("live events", () => {
	test("begin with the open sessions, then report changed, new and removed ones", async () => {
		const folder = testFolder();
		const path = folder.put("eeee0001", work("eeee0001"));
		const lease = folder.claim("eeee0001", "working");
		const serving = await testServing(folder);
		const listener = await listen(serving);
		const first = await listener.next("live");
		expect(first.data.live).toMatchObject([{ id: "eeee0001", state: "working" }]);
		lease.update("needs_you", Date.now());
		const live = await listener.next("live", 1);
		expect(live.data).toMatchObject({ counts: { needs_you: 1, working: 0 }, live: [{ state: "needs_you" }] });
		lease.release();
		await until(() => listener.events.at(-1)?.data.live?.length === 0, { what: "nothing open" });
		// The first event may have come before the first scan of the folders.
		await until(async () => (await serving.ask("/v1/sessions")).json.total === 1, { what: "the list" });
		folder.put("eeee0002", work("eeee0002"));
		const added = await until(
			() =>
				listener.events.find(({ data }) => data.changed?.some(({ id }: { id: string }) => id === "eeee0002")),
			{ what: "the new session" },
		);
		expect(added.data.total).toBe(2);
		rmSync(path);
		await until(() => listener.events.find(({ data }) => data.removed?.includes("eeee0001")), {
			what: "it is gone",
		});
	});

	test("comments keep an idle connection open", async () => {
		const serving = await testServing(testFolder(), { heartbeatMs: 20 });
		const listener = await listen(serving);
		await until(() => listener.comments >= 3, { what: "heartbeats" });
	});

	test("without listeners the server watches nothing, and the next request sees all changes", async () => {
		const folder = testFolder();
		const path = folder.put("eeee0004", work("eeee0004"));
		const serving = await testServing(folder);
		expect((await serving.ask("/v1/sessions")).json.sessions[0].title).toBe("Move the queue");
		appendFileSync(
			path,
			`${JSON.stringify({ type: "session_info", id: "ffff0001", parentId: "e0000003", name: "Another name" })}\n`,
		);
		await until(async () => (await serving.ask("/v1/sessions")).json.sessions[0].title === "Another name", {
			what: "the new name",
		});
		expect(readdirSync(join(folder.path, "session-suite"))).not.toContain("live");
	});
});
