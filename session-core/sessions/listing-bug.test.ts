import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { listSessions, type ScanReport } from "./listing.ts";

vi.mock("./summary.ts", async (original) => {
	const real = await original<typeof import("./summary.ts")>();
	const summarizeSlowly: typeof real.summarizeSlowly = async (path, ...rest) => {
		if (path.includes("broken")) throw new TypeError("injected");
		return real.summarizeSlowly(path, ...rest);
	};
	return { ...real, summarizeSlowly };
});

const agentDir = useTemporaryFolder();

test("a bug on one file makes only this file unreadable", async () => {
	const folder = projectFolder(sessionsRoot(agentDir()), "/code/a");
	for (const id of ["one", "broken", "two"])
		put(
			join(folder, `2026-01-31T12-00-00-000Z_${id}.jsonl`),
			new SessionText({ id }).user("Task").toString(),
		);
	const onReport = vi.fn<(report: ScanReport) => void>();
	const rows = await listSessions({ agentDir: agentDir(), onReport });
	expect(rows.map(({ id }) => id).toSorted()).toEqual(["one", "two"]);
	expect(onReport).toHaveBeenCalledWith({ read: 2, unreadable: 1, unread: [] });
});
