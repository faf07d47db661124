import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { until } from "../../test/host/until.ts";
import { aRow } from "./board.test-support.ts";
import { createSearcher } from "./searcher.ts";
import type { BoardEvent, Row } from "./types.ts";

const folder = useTemporaryFolder();

function placed(id: string, said: string): Row {
	const path = put(
		join(folder(), `${id}.jsonl`),
		new SessionText({ id }).user("Task").assistant(said).toString(),
	);
	return aRow(id, { path });
}

type Hits = Extract<BoardEvent, { type: "hits" }>;

function searching(rows: () => Row[], known: Promise<void>) {
	const events: Hits[] = [];
	const dispatch = (event: BoardEvent) => event.type === "hits" && events.push(event);
	return { events, searcher: createSearcher({ rows, known: () => known, dispatch }) };
}

describe("a search of everything that was said", () => {
	test("goes through what is known, then through what became known meanwhile, each session once", async () => {
		const rows = [placed("one", "the needle is here"), placed("two", "nothing")];
		let tell = (): void => undefined;
		const known = new Promise<void>((resolve) => {
			tell = resolve;
		});
		const it = searching(() => rows, known);
		it.searcher.start("needle");
		await until(() => it.events.flatMap(({ hits }) => hits).length === 1, { what: "the first hit" });
		rows.push(placed("three", "another needle"));
		tell();
		const last = await until(() => it.events.find(({ done }) => done), { what: "the end" });
		expect(last.searched).toBe(3);
		expect(it.events.flatMap(({ hits }) => hits.map(({ row }) => row.id))).toEqual(["one", "three"]);
	});

	test("is over when it is stopped", async () => {
		const it = searching(() => [placed("one", "the needle")], Promise.resolve());
		it.searcher.start("needle");
		it.searcher.stop();
		it.searcher.start("nothing like it");
		await until(() => it.events.find(({ done }) => done), { what: "the end of the second" });
		expect(it.events.every(({ query }) => query === "nothing like it")).toBe(true);
	});
});
