import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aRow } from "./board.test-support.ts";
import { type DeletePorts, deleteSession } from "./delete.ts";

/** A session's file, and a folder of programs in place of the system's. */
function world(programs: Record<string, string> = {}) {
	const folder = mkdtempSync(join(tmpdir(), "remove-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	}
	const path = join(folder, "one two.jsonl");
	writeFileSync(path, "session\n");
	const dropped: string[] = [];
	const deps: DeletePorts = {
		writer: () => undefined,
		trash: { platform: "linux", path: folder },
		dropMarks: ({ mark }) => void dropped.push(mark),
	};
	return { row: aRow("one", { path, size: 8 }), path, dropped, deps };
}

/** Runs with these programs found first, and the shell's own behind them. */
async function removing(
	it: ReturnType<typeof world>,
	how: "trash" | "for_good",
	more: Partial<DeletePorts> = {},
) {
	const before = process.env["PATH"];
	process.env["PATH"] = `${it.deps.trash.path}:${before}`;
	try {
		return await deleteSession(it.row, how, { ...it.deps, ...more });
	} finally {
		process.env["PATH"] = before;
	}
}

describe.skipIf(process.platform === "win32")("deleting a session", () => {
	test("moves its file to the trash and removes its marks", async () => {
		const it = world({ trash: 'mv "$1" "$1.trashed"' });
		expect(await removing(it, "trash")).toEqual({ ok: true, how: "trash" });
		expect(existsSync(`${it.path}.trashed`)).toBe(true);
		expect(it.dropped).toEqual([it.row.mark]);
	});

	test("uses the desktop's own trash if `trash` fails or is missing", async () => {
		const it = world({ trash: "exit 1", gio: 'test "$1" = trash && mv "$2" "$2.trashed"' });
		expect(await removing(it, "trash")).toEqual({ ok: true, how: "trash" });
	});

	test("never deletes another file, even if the program expands its argument", async () => {
		// As npm's trash-cli does. Unquoted, the shell splits and expands.
		const it = world({ trash: 'IFS=; for file in $1; do mv "$file" "$file.trashed"; done' });
		const folder = dirname(it.path);
		const others = ["[ab]", "a", "b"].map((name) => join(folder, name, "one.jsonl"));
		const named = ["[ab].jsonl", "a.jsonl"].map((name) => join(folder, "named", name));
		for (const path of [...others, ...named]) {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, "session\n");
		}
		const [chosen = "", ...kept] = others;
		expect(await removing({ ...it, row: aRow("one", { path: chosen, size: 8 }) }, "trash")).toMatchObject({
			ok: true,
		});
		expect(existsSync(chosen)).toBe(false);
		expect(kept.filter((path) => !existsSync(path))).toEqual([]);

		const [odd = ""] = named;
		expect(await removing({ ...it, row: aRow("odd", { path: odd, size: 8 }) }, "trash")).toMatchObject({
			reason: "no_trash",
			detail: "no trash program takes this file name",
		});
		expect(named.filter((path) => !existsSync(path))).toEqual([]);
	});

	test("deletes nothing if the trash refuses it, and says why", async () => {
		const it = world({ trash: "echo no room there >&2; exit 1", gio: "echo not on this disk >&2; exit 1" });
		expect(await removing(it, "trash")).toEqual({
			ok: false,
			reason: "no_trash",
			detail: "gio: not on this disk",
		});
		expect(existsSync(it.path)).toBe(true);
		expect(it.dropped).toEqual([]);
	});

	test("never deletes a session that was opened or written to since the question", async () => {
		const it = world({ trash: 'rm "$1"', gio: 'rm "$2"' });
		expect(await removing(it, "trash", { writer: () => "another pi" })).toEqual({
			ok: false,
			reason: "kept",
			detail: "it is open in another pi.",
		});
		writeFileSync(it.path, "session\nand more\n");
		for (const how of ["trash", "for_good"] as const)
			expect(await removing(it, how)).toMatchObject({ reason: "kept", detail: "it has changed just now." });
		expect(existsSync(it.path)).toBe(true);
	});
});
