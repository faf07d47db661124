import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { hostReading } from "../store/host-reading.ts";
import { put, SessionText, useTemporaryFolder } from "../store/store.test-support.ts";
import { summarize } from "../store/summarize.ts";
import { nameText } from "./name-text.ts";
import { renameInFile } from "./rename-in-file.ts";

const folder = useTemporaryFolder();
const WHEN = new Date("2026-03-12T14:00:00Z");

function placed(text: string): string {
	return put(join(folder(), "one.jsonl"), text);
}

function nameOf(path: string) {
	const looked = summarize(path);
	return looked.ok
		? { name: looked.record.summary.name, source: looked.record.summary.nameSource }
		: looked.reason;
}

describe("renaming a session in its file", () => {
	test("appends the host's entry and the record that a person chose it; nothing before it changes", async () => {
		const before = new SessionText().user("Fix it").assistant("Done").toString();
		const path = placed(before);
		expect(await renameInFile(path, "Dates in UTC", WHEN)).toEqual({ ok: true, name: "Dates in UTC" });
		const after = readFileSync(path, "utf8");
		expect(after.startsWith(before)).toBe(true);
		expect(nameOf(path)).toEqual({ name: "Dates in UTC", source: "manual" });
		const host = SessionManager.open(path);
		expect(host.getSessionName()).toBe("Dates in UTC");
		expect(host.buildSessionContext().messages).toHaveLength(2);
	});

	test("the same words as an automatic title are the user's now", async () => {
		const path = placed(new SessionText().user("Fix it").name("Dates").title("Dates", "auto").toString());
		expect(nameOf(path)).toEqual({ name: "Dates", source: "auto" });
		await renameInFile(path, "Dates", WHEN);
		expect(nameOf(path)).toEqual({ name: "Dates", source: "manual" });
	});

	test("a torn last line stays alone on its line", async () => {
		const path = placed(`${new SessionText().user("Fix it").assistant("Done").toString()}{"type":"mess`);
		expect((await renameInFile(path, "Dates", WHEN)).ok).toBe(true);
		expect(nameOf(path)).toEqual({ name: "Dates", source: "manual" });
		expect(SessionManager.open(path).buildSessionContext().messages).toHaveLength(2);
	});

	test("a file of version 1 is not rewritten", async () => {
		const lines = [
			{ type: "session", id: "s-1", timestamp: "2025-11-01T10:00:00Z", cwd: "/code" },
			{ type: "message", timestamp: "2025-11-01T10:00:01Z", message: { role: "user", content: "Fix it" } },
		];
		const before = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
		const path = placed(before);
		expect((await renameInFile(path, "Dates", WHEN)).ok).toBe(true);
		expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
		expect(nameOf(path)).toEqual({ name: "Dates", source: "manual" });
		expect(await hostReading(path)).toEqual({ ok: true, reads: true });
	});

	test("nothing is written into a damaged file, or into what is no file", async () => {
		const damaged = `[]\n${new SessionText().user("Fix it")}`;
		expect(await renameInFile(placed(damaged), "Dates", WHEN)).toMatchObject({
			ok: false,
			detail: expect.stringContaining("damaged"),
		});
		expect(readFileSync(join(folder(), "one.jsonl"), "utf8")).toBe(damaged);
		const pipe = join(folder(), "pipe.jsonl");
		execFileSync("mkfifo", [pipe]);
		expect(await renameInFile(pipe, "Dates", WHEN)).toMatchObject({ ok: false });
	});

	test("no link is followed, and a file that is gone is said", async () => {
		const target = placed("secret\n");
		const link = join(folder(), "link.jsonl");
		symlinkSync(target, link);
		expect((await renameInFile(link, "Dates", WHEN)).ok).toBe(false);
		expect(readFileSync(target, "utf8")).toBe("secret\n");
		expect(await renameInFile(join(folder(), "gone.jsonl"), "Dates", WHEN)).toMatchObject({ ok: false });
	});

	test("a file without an entry gets one at the root", async () => {
		const path = placed(new SessionText().toString());
		await renameInFile(path, "Empty", WHEN);
		expect(nameOf(path)).toEqual({ name: "Empty", source: "manual" });
	});
});

test("a name is one clean line of bounded length", () => {
	expect(nameText(" \x1b[31mDates\n in\u202e UTC ")).toBe("Dates in UTC");
	expect(nameText("\u200b")).toBe("");
	expect(nameText("x ".repeat(500)).length).toBeLessThan(210);
});
