import { utimesSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, SessionText, START, useTemporaryFolder } from "../log/session.test-support.ts";
import { type SessionSummary, summarize } from "./summary.ts";
import { type Summarized, startThread, type ThreadFile } from "./thread.ts";

describe("summarizing in a second thread", () => {
	const folder = useTemporaryFolder();

	it.skipIf(availableParallelism() < 2)(
		"returns what this thread would put into the index, and leaves out files that cannot be read",
		{ timeout: 120_000 },
		async () => {
			const texts = {
				"one.jsonl": new SessionText({ id: "one" }).user("Fix the login form").toString(),
				"empty.jsonl": "",
				"prose.jsonl": "not a session\n",
				"two.jsonl": new SessionText({ id: "two" }).user("Sort the menu").toString(),
			};
			const paths = Object.entries(texts).map(([name, text]) => put(join(folder(), name), text));
			for (const path of paths) utimesSync(path, START / 1_000, START / 1_000);
			const files: ThreadFile[] = [...paths, join(folder(), "missing.jsonl")].map((path) => ({
				path,
				format: "pi",
				isArchive: false,
			}));
			const found = await new Promise<Summarized[]>((resolve) => {
				const all: Summarized[] = [];
				startThread(
					files,
					(batch) => {
						all.push(...batch);
						resolve(all);
					},
					1,
				);
			});
			expect(found.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
			const titles = found.map(({ json }) => {
				const { summary, skipped }: { summary?: SessionSummary; skipped?: boolean } = JSON.parse(json);
				return skipped ? "skipped" : summary?.work?.title;
			});
			expect(titles).toEqual(["Fix the login form", "skipped", "skipped", "Sort the menu"]);
			const own = summarize(paths[0] ?? "");
			expect(found[0]?.json).toBe(JSON.stringify(own.ok && own.record));
		},
	);
});
