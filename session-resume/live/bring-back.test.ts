import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bringBack } from "./bring-back.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "bring-back-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = {
	type: "session",
	version: 3,
	id: "aaaa1111",
	timestamp: "2026-01-01T00:00:00.000Z",
	cwd: "/code",
};
const message = (id: string, parentId: string | null, role: string, text: string) => ({
	type: "message",
	id,
	parentId,
	timestamp: HEADER.timestamp,
	message: { role, content: [{ type: "text", text }] },
});

function opened(...entries: object[]): { manager: SessionManager; file: string; whole: string } {
	const file = join(folder, "a.jsonl");
	const whole = [HEADER, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
	writeFileSync(file, whole);
	return { manager: SessionManager.open(file), file, whole };
}

describe("a session that is deleted while it is opened", () => {
	const ASKED = message("e1", null, "user", "Port the scheduler");
	const ANSWERED = message("e2", "e1", "assistant", "Ported.");

	test("is written anew as it was, branches and all, and goes on", () => {
		const { manager, file, whole } = opened(
			ASKED,
			ANSWERED,
			message("e3", "e1", "assistant", "Another way."),
		);
		unlinkSync(file);
		expect(bringBack(manager)).toBe(true);
		expect(readFileSync(file, "utf8")).toBe(whole);
		manager.appendSessionInfo("Scheduler");
		const again = SessionManager.open(file);
		expect(
			again
				.getEntries()
				.map(({ id }) => id)
				.slice(0, 3),
		).toEqual(["e1", "e2", "e3"]);
		expect(again.getSessionName()).toBe("Scheduler");
	});

	test("is left as it is where a file stands there", () => {
		const { manager, file } = opened(ASKED, ANSWERED);
		writeFileSync(file, "somebody else's");
		expect(bringBack(manager)).toBe(false);
		expect(readFileSync(file, "utf8")).toBe("somebody else's");
	});

	test("is none where the host has written nothing so far", () => {
		const { manager, file } = opened(ASKED);
		unlinkSync(file);
		expect(bringBack(manager)).toBe(false);
		expect(existsSync(file)).toBe(false);
		expect(bringBack(SessionManager.inMemory("/code"))).toBe(false);
	});

	test("does no harm where its folder is gone, too", () => {
		const { manager } = opened(ASKED, ANSWERED);
		rmSync(folder, { recursive: true });
		expect(bringBack(manager)).toBe(false);
	});
});
