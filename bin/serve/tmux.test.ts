import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { openWindow, windowArguments } from "./tmux.ts";

const folder = useTemporaryFolder();
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

let endServer: (() => void) | undefined;

// Runs before the folder with the socket is removed, because hooks run in reverse order.
afterEach(() => {
	endServer?.();
	endServer = undefined;
});

describe("a window of tmux", () => {
	test("is not opened outside tmux or in a folder that does not exist", async () => {
		const run = async () => ({ code: 0, stderr: "" });
		expect(await openWindow(["pi"], "/", { env: {}, run })).toMatchObject({ reason: "no_tmux" });
		const env = { TMUX: "/tmp/x,1,0" };
		expect(await openWindow(["pi"], "/nowhere/at/all", { env, run })).toMatchObject({ reason: "no_folder" });
		expect(await openWindow(["pi"], "/", { env, run })).toEqual({ ok: true });
	});

	test("passes no text of a session where tmux expands options or formats", () => {
		const args = windowArguments(["pi", "--session", "/a/#(touch x)_;"], "/b/#{pane_id};");
		expect(args.slice(0, 6)).toEqual(["new-window", "--", "sh", "-c", args[4], "sh"]);
		expect(args[4]).not.toContain("/b/");
		expect(args.slice(6)).toEqual(["/b/#{pane_id}\\;", "pi", "--session", "/a/#(touch x)_\\;"]);
	});

	test.skipIf(!hasTmux)("runs exactly the words of the command in the session's folder", async () => {
		const socket = join(folder(), "tmux.sock");
		const tmux = (...args: string[]) =>
			execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]).toString();
		const cwd = join(folder(), "it's #(touch owned) $(touch owned) ;");
		mkdirSync(cwd);
		tmux("new-session", "-d", "-x", "80", "-y", "24", "sh");
		endServer = () => void tmux("kill-server");
		const env = { ...process.env, TMUX: tmux("display-message", "-p", "#{socket_path},#{pid},0").trim() };
		const words = ["#(touch owned)", "$(touch owned)", "a b;", "'", '"', "`touch owned`", "#{pane_id}", ";"];
		const out = join(folder(), "out");
		const command = [
			"sh",
			"-c",
			'pwd > "$0"; for word do printf "%s\\n" "$word"; done >> "$0"; mv "$0" "$0.done"',
			out,
		];
		const run = async (file: string, args: readonly string[]) => {
			const { status, stderr } = spawnSync(file, [...args], { env });
			return { code: status ?? 1, stderr: stderr.toString() };
		};
		expect(await openWindow([...command, ...words], cwd, { env, run })).toEqual({ ok: true });
		await until(() => existsSync(`${out}.done`), { what: "the command in the window" });
		expect(readFileSync(`${out}.done`, "utf8").trimEnd().split("\n")).toEqual([cwd, ...words]);
		expect([existsSync(join(cwd, "owned")), existsSync(join(folder(), "owned"))]).toEqual([false, false]);
	});
});
