import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { session } from "../../test/host/fixtures.ts";
import { fillDisk } from "../../test/support/full-disk.ts";
import { appendBelow, appendCarefully, fileLeafId } from "./append.ts";
import { hostSource } from "./entry.ts";
import { useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
let file: string;
let manager: SessionManager;

beforeEach(() => {
	file = join(folder(), "session.jsonl");
	writeFileSync(file, session({ cwd: folder() }).user("hello there").assistant("Hi.").build());
	manager = SessionManager.open(file, folder());
});

const target = () => hostSource(manager);
const record = () => void manager.appendCustomEntry("session-suite:recap", { headline: "x" });

/** A name is appended wherever the user is in the tree. */
const appendName = () =>
	appendCarefully(target(), () => void manager.appendSessionInfo("Plants"), { anywhere: true });

/**
 * Makes this host behave like host version 1.5: if an entry could not be written, it is removed from
 * memory.
 */
function forgetFailures(of: SessionManager): void {
	// These members are private in the host's types.
	const inner = of as unknown as {
		fileEntries: unknown[];
		byId: Map<string, unknown>;
		leafId: string | null;
		_appendEntry(entry: { id: string }): void;
	};
	const append = inner._appendEntry.bind(inner);
	inner._appendEntry = (entry) => {
		const { leafId } = inner;
		try {
			append(entry);
		} catch (error) {
			inner.fileEntries.pop();
			inner.byId.delete(entry.id);
			inner.leafId = leafId;
			throw error;
		}
	};
}

describe("appending to a session", () => {
	test("adds the entry below the leaf, in memory and in the file", () => {
		expect(appendCarefully(target(), record)).toEqual({ ok: true });
		expect(fileLeafId(file)).toBe(manager.getLeafId());
	});

	/** Appends to the file in another process that has the session open. */
	const elsewhere = (append: (other: SessionManager) => void) => append(SessionManager.open(file, folder()));

	test("is refused if another process has continued the session", () => {
		elsewhere((other) => {
			other.appendSessionInfo("elsewhere");
			other.appendMessage({ role: "user", content: "go on", timestamp: 0 });
			other.appendSessionInfo("again");
		});
		const before = readFileSync(file, "utf8");
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason: "moved_on" });
		expect(readFileSync(file, "utf8")).toBe(before);
	});

	test("is allowed if another process has only named the session, and keeps that name", () => {
		elsewhere((other) => {
			other.appendCustomEntry("session-suite:title", { title: "Plants", source: "auto" });
			other.appendSessionInfo("Plants");
		});
		expect(appendCarefully(target(), record)).toEqual({ ok: true });
		const next = SessionManager.open(file, folder());
		expect(next.getSessionName()).toBe("Plants");
		expect(next.getBranch().at(-1)).toMatchObject({ customType: "session-suite:recap" });
		expect(next.getBranch().filter(({ type }) => type === "message")).toHaveLength(2);
	});

	test("at an earlier point of the tree happens only on request, and does not move the point at which the session reopens", () => {
		const conversation = manager.getBranch().map(({ id }) => id);
		manager.branch(conversation[0] ?? "");
		const before = readFileSync(file, "utf8");
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason: "earlier_point" });
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(appendCarefully(target(), record, { anywhere: true })).toEqual({ ok: true });
		appendName();
		const types = manager.getBranch().map(({ type }) => type);
		expect(types.slice(1)).toEqual(["custom", "session_info"]);
		const reopened = SessionManager.open(file, folder());
		expect(reopened.getBranch().map(({ id }) => id)).toEqual(expect.arrayContaining(conversation));
		expect(reopened.getSessionName()).toBe("Plants");
		// As usual, the leaf moves to a message that the user sends from this point.
		manager.appendMessage({ role: "user", content: "another way", timestamp: 0 });
		expect(SessionManager.open(file, folder()).getBranch()).toHaveLength(4);
	});

	test("at an earlier point of the tree does not prevent another process from appending", () => {
		const other = SessionManager.open(file, folder());
		manager.branch(manager.getEntries()[0]?.id ?? "");
		appendName();
		const append = () => void other.appendCustomEntry("session-suite:recap", {});
		expect(appendCarefully(hostSource(other), append)).toEqual({ ok: true });
	});

	test.each([
		["the file was deleted", () => rmSync(file)],
		["the file was emptied", () => writeFileSync(file, "")],
		["its last line is torn", () => appendFileSync(file, '{"type":"mess')],
		["a folder is in its place", () => [rmSync(file), mkdirSync(file)]],
	] as const)("is refused if %s, even for a name", (_, happens) => {
		happens();
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason: "unreadable" });
		expect(appendName()).toMatchObject({ ok: false, reason: "unreadable" });
	});

	describe.each(["0.73", "1.5"] as const)("on a full disk, with pi %s", (generation) => {
		beforeEach(() => {
			if (generation === "1.5") forgetFailures(manager);
		});

		test.each<[string, () => unknown, boolean]>([
			["a record", () => appendCarefully(target(), record), false],
			["a record at an earlier point", () => appendCarefully(target(), record, { anywhere: true }), true],
			["a name", appendName, false],
		])("%s leaves file and leaf as they were", (_, append, isEarlierPoint) => {
			if (isEarlierPoint) manager.branch(manager.getEntries()[0]?.id ?? "");
			const before = readFileSync(file, "utf8");
			const leaf = manager.getLeafId();
			const length = manager.getBranch().length;
			const makeRoom = fillDisk((path) => path === file);
			expect(append()).toMatchObject({ ok: false, detail: expect.stringContaining("ENOSPC") });
			makeRoom();
			expect(readFileSync(file, "utf8")).toBe(before);
			expect(manager.getLeafId()).toBe(leaf);
			manager.appendMessage({ role: "user", content: "still here", timestamp: 0 });
			expect(SessionManager.open(file, folder()).getBranch()).toHaveLength(length + 1);
		});

		test("removes the first of two entries, too, if there is no room for the second", () => {
			const before = readFileSync(file, "utf8");
			const leaf = manager.getLeafId();
			const append = () => {
				record();
				const makeRoom = fillDisk((path) => path === file);
				try {
					record();
				} finally {
					makeRoom();
				}
			};
			expect(appendCarefully(target(), append)).toMatchObject({ reason: "unwritable" });
			expect(readFileSync(file, "utf8")).toBe(before);
			expect(manager.getLeafId()).toBe(leaf);
		});

		test.each(['{"type":"message","id":"f0f0f0f0"}\n', '{"type":"session_info","id":"f0f0f0f0"}\n'])(
			"never removes an entry that another process wrote",
			(theirs) => {
				const before = readFileSync(file, "utf8");
				appendCarefully(target(), () => {
					appendFileSync(file, theirs);
					const makeRoom = fillDisk((path) => path === file, undefined, 0);
					try {
						record();
					} finally {
						makeRoom();
					}
				});
				expect(readFileSync(file, "utf8")).toBe(`${before}${theirs}`);
			},
		);
	});

	test("only changes memory if the session has no file", () => {
		manager = SessionManager.inMemory(folder());
		expect(appendCarefully(target(), record)).toEqual({ ok: true });
	});
});

test.runIf(process.platform === "linux")(
	"removes the partly written entry from an existing file if the disk is full",
	() => {
		for (const before of ['{"a":1}\n', '{"a":1}\n{"tor']) {
			const path = join(folder(), "s.jsonl");
			writeFileSync(path, before);
			const makeRoom = fillDisk((written) => written === path);
			const entry = { type: "custom", customType: "b", data: "x".repeat(100) };
			expect(() => appendBelow(path, "a", [entry])).toThrow(/ENOSPC/);
			makeRoom();
			expect(readFileSync(path, "utf8")).toBe(before);
		}
	},
);
