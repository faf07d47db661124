import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { aRow } from "./board.test-support.ts";
import { type SearchPorts, startSearch } from "./feed.ts";
import type { Row } from "./list.ts";

const folder = useTemporaryFolder();

function placed(id: string, said: string): Row {
	const path = put(
		join(folder(), `${id}.jsonl`),
		new SessionText({ id }).user("Task").assistant(said).toString(),
	);
	return aRow(id, { path });
}

function searching(query: string, rows: () => Row[], known = Promise.resolve()) {
	const events: Parameters<SearchPorts["found"]>[0][] = [];
	const stop = startSearch(query, known, { rows, found: (found) => events.push(found) });
	return { events, stop };
}

describe("a search of everything that was said", () => {
	test("covers the sessions that have become known meanwhile, too, each once", async () => {
		const rows = [placed("one", "the needle is here"), placed("two", "nothing")];
		const known = Promise.resolve().then(() => void rows.push(placed("three", "another needle")));
		const it = searching("needle", () => rows, known);
		const last = await until(() => it.events.find(({ done }) => done), { what: "the end" });
		expect(last.searched).toBe(3);
		expect(last.hits.map(({ path }) => basename(path, ".jsonl"))).toEqual(["three", "one"]);
	});

	test("finds nothing more once it is stopped", async () => {
		const rows = () => [placed("one", "the needle")];
		const stopped = searching("needle", rows);
		stopped.stop();
		const other = searching("nothing like it", rows);
		await until(() => other.events.find(({ done }) => done), { what: "the end of the other search" });
		expect(stopped.events).toEqual([]);
	});
});
