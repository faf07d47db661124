import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setSetting } from "./edit.ts";
import { loadSettings } from "./load.ts";

let agentDir: string;
let file: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "settings-edit-"));
	file = join(agentDir, "session-suite.json");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const switchRecap = (value: boolean) => setSetting({ agentDir, path: ["recap", "enabled"], value });

describe("a change of one setting", () => {
	it("makes a new file that only its owner reads", async () => {
		agentDir = join(agentDir, "not-yet");
		file = join(agentDir, "session-suite.json");
		expect(await switchRecap(false)).toEqual({ ok: true });
		expect(readFileSync(file, "utf8")).toBe('{\n  "recap": {\n    "enabled": false\n  }\n}\n');
		expect(statSync(file).mode & 0o777).toBe(0o600);
		agentDir = join(agentDir, "..");
	});

	it("keeps comments, layout, order and unknown keys", async () => {
		const text =
			'// my settings\n{\n\t"theirs": [1,2],   // not ours\n\t"recap": {\n\t\t/* quiet at night */\n\t\t"enabled": true,\n\t\t"awaySeconds": 30,\n\t},\n}\n';
		writeFileSync(file, text);
		expect(await switchRecap(false)).toEqual({ ok: true });
		expect(readFileSync(file, "utf8")).toBe(text.replace('"enabled": true', '"enabled": false'));
	});

	it("is laid out like its surroundings", async () => {
		writeFileSync(file, '{\r\n    "debug": true\r\n}\r\n');
		await switchRecap(false);
		expect(readFileSync(file, "utf8")).toBe(
			'{\r\n    "debug": true,\r\n    "recap": {\r\n        "enabled": false\r\n    }\r\n}\r\n',
		);
	});

	it.each(["", "\n", "// only a comment\n", "{}", "{\n}\n"])(
		"works on a file that says nothing: %j",
		async (text) => {
			writeFileSync(file, text);
			expect(await switchRecap(false)).toEqual({ ok: true });
			expect((await loadSettings({ agentDir, cwd: agentDir })).settings.recap.enabled).toBe(false);
			expect(readFileSync(file, "utf8")).toContain(
				text
					.trim()
					.slice(0, 17)
					.replace(/[{}\n]/g, ""),
			);
		},
	);

	it("keeps the mode of the file, and leaves nothing else behind", async () => {
		writeFileSync(file, "{}");
		chmodSync(file, 0o640);
		await switchRecap(true);
		expect(statSync(file).mode & 0o777).toBe(0o640);
		expect(readdirSync(agentDir).sort()).toEqual([
			"session-suite",
			"session-suite.json",
			"session-suite.json.last-good",
		]);
		expect(readdirSync(join(agentDir, "session-suite", "turns", "settings"))).toEqual([]);
	});

	it("is kept, so that the file may break right after", async () => {
		await switchRecap(false);
		writeFileSync(file, "{");
		expect((await loadSettings({ agentDir, cwd: agentDir })).settings.recap.enabled).toBe(false);
	});

	it("brings back what a file said that has lost its content", async () => {
		writeFileSync(file, '{"title":{"enabled":false}}');
		await loadSettings({ agentDir, cwd: agentDir });
		writeFileSync(file, "");
		expect(await switchRecap(false)).toEqual({ ok: true });
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
			title: { enabled: false },
			recap: { enabled: false },
		});
	});

	it("loses no other that is made at the same time", async () => {
		const paths = ["awaySeconds", "idleSeconds", "focusMinSeconds"].map((name) => ["recap", name]);
		const changes = [...paths, ["debug"], ["recap", "enabled"], ["title", "enabled"]].map((path) =>
			setSetting({ agentDir, path, value: path[1]?.endsWith("Seconds") ? 7 : false }),
		);
		expect(await Promise.all(changes)).toEqual(Array(6).fill({ ok: true }));
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
			debug: false,
			recap: { awaySeconds: 7, idleSeconds: 7, focusMinSeconds: 7, enabled: false },
			title: { enabled: false },
		});
	});

	it("goes through a link to the file behind it", async () => {
		const dotfiles = join(agentDir, "dotfiles");
		mkdirSync(dotfiles);
		writeFileSync(join(dotfiles, "suite.json"), "{}");
		symlinkSync(join(dotfiles, "suite.json"), file);
		await switchRecap(false);
		expect(lstatSync(file).isSymbolicLink()).toBe(true);
		expect(readFileSync(join(dotfiles, "suite.json"), "utf8")).toContain('"enabled": false');
	});
});

describe("a change is refused with a reason", () => {
	it.each([
		["of a broken file", '{ "recap": ', "FILE:1:12: value expected"],
		["of a list", "[]", "FILE: expected an object in braces"],
		["where the group is none", '{"recap": 5}', "FILE: recap is not an object in braces"],
	])("%s, which stays as it is", async (_name, text, reason) => {
		writeFileSync(file, text);
		const outcome = await switchRecap(false);
		expect(outcome).toEqual({ ok: false, reason: reason.replace("FILE", file) });
		expect(readFileSync(file, "utf8")).toBe(text);
	});

	it("of a folder", async () => {
		mkdirSync(file);
		expect(await switchRecap(false)).toMatchObject({
			ok: false,
			reason: expect.stringContaining("is not a file"),
		});
	});

	it("where nothing can be written", async () => {
		writeFileSync(join(agentDir, "blocker"), "");
		const inside = join(agentDir, "blocker", "agent");
		const outcome = await setSetting({ agentDir: inside, path: ["debug"], value: true });
		expect(outcome).toMatchObject({ ok: false });
		expect(existsSync(inside)).toBe(false);
	});
});
