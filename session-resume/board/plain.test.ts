import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { aRow, NOW } from "./board.test-support.ts";
import { plainLabel, plainRows } from "./plain.ts";

const agentDir = useTemporaryFolder();

describe("a plain choice of sessions", () => {
	test("offers sixty at most, without the one that is open", async () => {
		const folder = join(agentDir(), "sessions", "--app--");
		const paths = Array.from({ length: 65 }, (_, index) =>
			put(join(folder, `s${index}.jsonl`), new SessionText({ id: `s${index}` }).user("go").toString()),
		);
		const currentPath = paths[0];
		const list = { agentDir: agentDir(), folders: [folder], live: [], currentPath };
		const rows = await plainRows({ ...list, query: "" });
		expect(rows).toHaveLength(60);
		expect(rows.map(({ path }) => path)).not.toContain(currentPath);
		expect(await plainRows({ ...list, query: "nothing like it" })).toEqual([]);
	});

	test.each([
		["x".repeat(80), "x".repeat(80)],
		["x".repeat(81), `${"x".repeat(79)}…`],
	])("keeps 80 columns of a title (%s)", (name, title) => {
		const row = aRow("0195a1b2", { name });
		expect(plainLabel(row, { live: [], now: NOW, showProject: false })).toBe(`${title} · 5m · 0195a1b2`);
	});
});
