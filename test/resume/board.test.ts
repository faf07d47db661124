import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHost, testOnce, testRpc, testWorld } from "../host/in-test.ts";
import { readSession } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { FULL_DISK } from "../support/full-disk.ts";
import { about, BOARD, closeBoard, placeElsewhere } from "./board-sessions.ts";

const CTRL_G = "\x07";

async function atBoard(options: TerminalOptions = {}, command = "/sessions"): Promise<TerminalHost> {
	const host = await testHost({ ...BOARD, rows: 30, ...options });
	await host.submit(command, /^ Sessions/m);
	return host;
}

const chosen = (host: TerminalHost) => host.screen.rows().find((row) => row.startsWith("›")) ?? "";

describe("the board", () => {
	test("filters, shows the card, and resumes in the session's own folder, in any project, or asks where if the folder is gone", async () => {
		const { model, sandbox } = await testWorld({ sessions: [about("Water the plants", 2).build()] });
		const other = placeElsewhere(sandbox, "greenhouse", about("Repair the greenhouse door", 5).build());
		const gone = placeElsewhere(sandbox, "demolished", about("Repair the barn", 7).build());
		rmSync(gone.cwd, { recursive: true });
		const host = await atBoard({ model, sandbox });
		await host.screen.waitFor(/Water the plants .*2h/);
		expect(host.screen.text()).not.toContain("greenhouse door");
		await host.key("tab", /Repair the greenhouse door .*greenhouse .*5h/);
		await host.type("barn", /^› .*Repair the barn/m);
		await host.key("ctrl+o", /demolished is gone. A fork would continue in/);
		await host.key("escape", /enter resume/);
		await host.key("enter", /cwd from session file does not exist|Session cwd does not exist/);
		await host.key("enter", /Resumed session/);
		await host.submit("/sessions --all", /Repair the greenhouse door/);
		host.type("door");
		await host.screen.waitUntilGone("Water the plants");
		await host.screen.waitFor(/5 hours ago[\s\S]*[\s·]\s?scripted\/scripted-large/);
		await host.key("enter", /Done with it: Repair the greenhouse door[\s\S]*Resumed session/);
		host.submit("!pwd");
		await host.screen.waitFor((text) => text.includes(`\n ${other.cwd}`), "the folder of that session");
	});

	testOnce("searches messages; Esc leaves step by step; Home and End edit the filter", async () => {
		const deep = about("Sort the shelves", 3).user("where is the brass compass?").assistant("Behind it.");
		for (let turn = 0; turn < 40; turn++) deep.user(`shelf ${turn}`).assistant("Sorted.");
		const host = await atBoard({ sessions: [deep.build(), about("Water the plants", 2).build()] });
		await host.screen.waitFor(/Water the plants/);
		host.key("end");
		await until(() => chosen(host).includes("Sort the shelves"), "the last session");
		host.key("home");
		await until(() => chosen(host).includes("Water the plants"), "the first session");
		host.type("rass");
		host.key("home");
		await host.type("b", /^> brass/m);
		host.key("end");
		await host.type(" compass", /Search all messages for “brass compass”/);
		await host.type(CTRL_G, /1 found for “brass compass” in 2/);
		expect(chosen(host)).toMatch(/Sort the shelves\s+you: where is the brass compass\?/);
		await host.key("escape", /Search all messages for/);
		await host.key("escape", /Water the plants/);
		await closeBoard(host);
		await host.type("still-here", /still-here/);
	});

	test("renames another session in its file, and the open one through the host", async () => {
		const host = await atBoard({
			args: ["-c"],
			sessions: [about("Water the plants", 2).build(), about("Sort the shelves", 9).build()],
			// The terminal is wide enough to show the name after the project's folder, whose path is long on
			// some systems.
			cols: 160,
		});
		const [, other = ""] = host.sandbox.placed;
		await host.screen.waitFor(/Sort the shelves/);
		expect(chosen(host)).toContain("Sort the shelves");
		await host.key("ctrl+r", /save name/);
		await host.type("책장 정리\r", /Renamed/);
		expect(readSession(other).slice(-2)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ type: "session_info", name: "책장 정리" }),
				expect.objectContaining({ data: expect.objectContaining({ title: "책장 정리", source: "manual" }) }),
			]),
		);
		await host.screen.waitFor(/책장 정리 /);
		host.key("up");
		await host.key("ctrl+r", /save name/);
		// A line break in a paste separates words.
		await host.type("\x1b[200~Green\nplants\n\x1b[201~", /Green\s?plants/);
		host.type("\r");
		await until(() => host.screen.title.includes("Green plants"), "the host to know the name");
		await host.key("escape", /• Green plants/);
	});

	test("opens no other session while the disk is full: pi would exit", async () => {
		// pi appends the thinking level when it opens a session without one.
		const level = /^.*"type":"thinking_level_change","id":"(.*?)","parentId":"(.*?)".*\n/m;
		const whole = about("Sort the shelves", 9).build();
		const [line = "", id = "", parent = ""] = level.exec(whole) ?? [];
		const other = whole.replace(line, "").replaceAll(id, parent);
		const host = await testHost({
			...BOARD,
			rows: 30,
			args: ["-c"],
			sessions: [other, about("Water the plants", 2).build()],
			files: { ".pi/extensions/full-disk.ts": FULL_DISK },
		});
		await host.submit("/sessions", /Sort the shelves/);
		await host.key("down", /^› .*Sort the shelves/m);
		await host.key("enter", /not writable.*ENOSPC/s);
		await closeBoard(host);
		await host.submit("/clone", /Not opened: .*not writable.*ENOSPC/s);
		await host.type("still-here", /still-here/);
	});
});

test("sorts, pins, archives, reads and deletes, and keeps marks when the index is rebuilt", async () => {
	const { model, sandbox } = await testWorld({
		sessions: [
			about("Water the plants", 2).build(),
			about("Sort the shelves", 9).build(),
			about("Repair the door", 20).build(),
		],
	});
	const [, shelves = ""] = sandbox.placed;
	const programs = join(sandbox.root, "programs");
	mkdirSync(programs);
	writeFileSync(join(programs, "trash"), `#!/bin/sh\nmv "$1" ${programs}/trashed\n`, { mode: 0o755 });
	const host = await atBoard({ model, sandbox, env: { PATH: `${programs}:${process.env["PATH"]}` } });
	await host.screen.waitFor(/Repair the door/);
	const titles = () =>
		host.screen.rows().flatMap((row) => /^.{4}((?:Water|Sort|Repair) the \w+) .*\dh/.exec(row)?.[1] ?? []);
	const listed = (...expected: string[]) =>
		until(() => JSON.stringify(titles()) === JSON.stringify(expected), `the list ${expected.join(", ")}`, {
			detail: () => host.screen.picture(),
		});
	await host.screen.waitFor(/started .* 2 messages/);
	await host.key("ctrl+l", /★ Water the plants/);
	for (const order of ["newest first", "threads", "by name"]) {
		await host.key("ctrl+s", new RegExp(order));
	}
	await listed("Water the plants", "Repair the door", "Sort the shelves");
	host.key("down");
	await host.key("ctrl+x", /1 archived session/);
	await listed("Water the plants", "Sort the shelves");
	await host.key("ctrl+t", /Done with it: Sort the shelves\.[\s\S]*esc back/);
	await host.key("escape", /f1 keys/);
	await host.type("xSort", /Search all messages for “xSort”/);
	host.key("ctrl+a");
	await host.key("ctrl+d", /Search all messages for “Sort”/);
	host.type("\x05");
	await host.key("ctrl+d", /Move “Sort the shelves” to the trash\?/);
	await host.key("enter", /Moved to the trash/);
	expect(existsSync(shelves)).toBe(false);
	expect(readFileSync(join(programs, "trashed"), "utf8")).toContain("Sort the shelves");
	host.key("escape");
	await listed("Water the plants");
	await closeBoard(host);
	const index = join(sandbox.agentDir, "session-suite", "index");
	for (const name of readdirSync(index)) if (name.endsWith(".index")) rmSync(join(index, name));
	await host.submit("/sessions", /★ Water the plants/);
	await host.screen.waitFor(/1 archived session/);
});

test("in RPC mode, the board is a plain choice of titles", async () => {
	const sessions = [
		about("Water the plants", 2).build(),
		about("Sort the shelves", 9).name("Shelves").build(),
	];
	const rpc = await testRpc({ ...BOARD, sessions });
	const [file = ""] = rpc.sandbox.placed;
	utimesSync(file, new Date(), new Date());
	rpc.send({ type: "prompt", message: "/sessions" });
	const asked = await rpc.waitFor(({ method }) => method === "select", "the choice");
	const options = asked.options as string[];
	expect(options[0]).toMatch(/^Water the plants · 2h · 00000002$/);
	expect(options[1]).toMatch(/^Shelves · 9h · 00000009$/);
	rpc.send({ type: "extension_ui_response", id: asked.id, value: options[1] });
	await until(async () => {
		const { data } = await rpc.request({ type: "get_state" });
		return (data as { sessionFile?: string }).sessionFile === rpc.sandbox.placed[1];
	}, "the other session");
	expect(rpc.lines.filter(({ type }) => type === "extension_error")).toEqual([]);
});
