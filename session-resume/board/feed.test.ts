import { appendFileSync, mkdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { until } from "../../test/host/until.ts";
import { createFeed } from "./feed.ts";
import type { BoardEvent } from "./types.ts";

const agentDir = useTemporaryFolder();
const projectFolder = () => join(agentDir(), "sessions", "--app--");

function session(folder: string, id: string): string {
	return put(join(folder, `${id}.jsonl`), new SessionText({ id }).user(`Task ${id}`).toString());
}

function feeding(folder = projectFolder()) {
	const events: BoardEvent[] = [];
	const feed = createFeed({
		agentDir: agentDir(),
		projectFolder: folder,
		dispatch: (event) => events.push(event),
	});
	onTestFinished(() => feed.stop());
	const rows = () => events.flatMap((event) => (event.type === "rows" ? event.rows : []));
	return { events, feed, rows, ids: () => rows().map(({ id }) => id) };
}

describe("the sessions that come to the board", () => {
	test("are those of the project, then those of all", async () => {
		session(projectFolder(), "one");
		session(join(agentDir(), "sessions", "--other--"), "two");
		const it = feeding();
		it.feed.scan("project");
		await it.feed.settled();
		expect(it.rows()).toMatchObject([{ id: "one", here: true }]);
		it.feed.scan("all");
		await it.feed.settled();
		expect(it.rows()).toMatchObject([{ id: "one" }, { id: "two", here: false }]);
		expect(it.events.at(-1)).toMatchObject({ type: "scanned", scope: "all" });
	});

	test("are those of a folder elsewhere, too, if the user keeps them there", async () => {
		const elsewhere = join(agentDir(), "elsewhere");
		session(elsewhere, "mine");
		session(join(agentDir(), "sessions", "--other--"), "two");
		const it = feeding(elsewhere);
		it.feed.scan("all");
		await it.feed.settled();
		expect(it.ids().sort()).toEqual(["mine", "two"]);
	});

	test("come again only when they change, and go when their file does", async () => {
		mkdirSync(projectFolder(), { recursive: true });
		const one = session(projectFolder(), "one");
		const two = session(projectFolder(), "two");
		const it = feeding();
		it.feed.scan("project");
		await it.feed.settled();
		expect(it.ids().sort()).toEqual(["one", "two"]);
		appendFileSync(one, '{"type":"session_info","id":"n","parentId":null,"name":"Named"}\n');
		await until(() => it.rows().find(({ title }) => title === "Named"), { what: "the new name" });
		expect(it.ids().filter((id) => id === "two")).toHaveLength(1);
		unlinkSync(two);
		await until(
			() => {
				const last = it.events.findLast((event) => event.type === "scanned");
				return last && !last.seen.has(two) && last.seen.has(one);
			},
			{ what: "the scan without the file" },
		);
	});

	test.each([
		["in bunches as they are read, where that takes a while", 0.25, [32, 256, 12]],
		["all at once behind the first screen, where it does not", 0, [32, 268]],
	])("come %s", async (_, msPerLook, bunches) => {
		for (let index = 0; index < 300; index++) session(projectFolder(), `s${index}`);
		let now = 0;
		const clock = vi.spyOn(performance, "now").mockImplementation(() => {
			now += msPerLook;
			return now;
		});
		onTestFinished(() => clock.mockRestore());
		const it = feeding();
		it.feed.scan("project");
		await it.feed.settled();
		const sizes = it.events.flatMap((event) => (event.type === "rows" ? [event.rows.length] : []));
		expect(sizes).toEqual(bunches);
	});

	test("are looked at again only after a rest of four times what the last look took", async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let now = 0;
		const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
		onTestFinished(() => clock.mockRestore());
		let looks = 0;
		const feed = createFeed({
			agentDir: agentDir(),
			projectFolder: projectFolder(),
			dispatch: ({ type }) => {
				if (type !== "scanned") return;
				looks++;
				now += 10_000; // a slow disk
			},
		});
		onTestFinished(() => feed.stop());
		feed.scan("project");
		await vi.advanceTimersByTimeAsync(100);
		expect(looks).toBe(1);
		session(projectFolder(), "late");
		// The folder was not there to be watched: it is looked for every five seconds.
		await vi.advanceTimersByTimeAsync(5_200);
		await vi.advanceTimersByTimeAsync(39_000);
		expect(looks).toBe(1);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(looks).toBe(2);
	});

	test("stop with the board", async () => {
		session(projectFolder(), "one");
		const it = feeding();
		it.feed.scan("project");
		it.feed.stop();
		await it.feed.settled();
		expect(it.events).toEqual([]);
	});
});
