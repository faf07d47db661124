import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { listSessions, type ScanReport } from "./listing.ts";

const agentDir = useTemporaryFolder();

test("a bug on one file makes only this file unreadable", async () => {
	const startedAt = "2026-01-31T12:34:56.000Z";
	const folder = projectFolder(sessionsRoot(agentDir()), "/code/a");
	for (const id of ["one", "broken", "two"]) {
		const text = new SessionText({ id }).user("Task").toString();
		const header = /"timestamp":"[^"]+"/;
		const content = id === "broken" ? text.replace(header, `"timestamp":"${startedAt}"`) : text;
		put(join(folder, `2026-01-31T12-00-00-000Z_${id}.jsonl`), content);
	}
	const { parse } = Date;
	const spy = vi.spyOn(Date, "parse").mockImplementation((text) => {
		if (text === startedAt) throw new TypeError("injected");
		return parse(text);
	});
	onTestFinished(() => spy.mockRestore());
	const onReport = vi.fn<(report: ScanReport) => void>();
	const rows = await listSessions({ agentDir: agentDir(), onReport });
	expect(rows.map(({ id }) => id).toSorted()).toEqual(["one", "two"]);
	expect(onReport).toHaveBeenCalledWith({ read: 2, unreadable: 1, unread: [] });
});
