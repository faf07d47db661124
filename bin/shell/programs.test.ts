import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { openWindow, startableInWindows } from "./programs.ts";

const folder = useTemporaryFolder();

/** Batch files written by npm, an older npm, pnpm and a user. */
const SHIMS = {
	npm: `@ECHO off\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\lib\\cli.js" %*\r\n`,
	"an older npm": `@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\lib\\cli.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\lib\\cli.js" %*\r\n)\r\n`,
	pnpm: `@SETLOCAL\r\n@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\lib\\cli.js" %*\r\n)\r\n`,
};

describe("on Windows", () => {
	test.each(Object.entries(SHIMS))(
		"the existing script that a batch file of %s names is run without a shell",
		(_, shim) => {
			const path = put(join(folder(), "pi.cmd"), shim);
			expect(startableInWindows("pi", folder())).toEqual({ path, words: [] });
			const script = put(join(folder(), "lib", "cli.js"), "");
			expect(startableInWindows("pi", folder())).toEqual({ path, words: [process.execPath, script] });
		},
	);

	test("a user's own batch file is refused, a program takes precedence, and the current folder is not searched", () => {
		const path = put(join(folder(), "pi.cmd"), "@echo off\r\ncall C:\\tools\\pi-real.cmd %*\r\n");
		expect(startableInWindows("pi", folder())).toEqual({ path, words: [] });
		expect(startableInWindows("pi", `:.:${relative(process.cwd(), folder())}`)).toBeUndefined();
		const program = put(join(folder(), "pi.exe"), "");
		expect(startableInWindows("pi", folder())).toEqual({ path: program, words: [program] });
	});
});

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

let endServer: (() => void) | undefined;

// Runs before the folder with the socket is removed, because hooks run in reverse order.
afterEach(() => {
	endServer?.();
	endServer = undefined;
});

describe("a window of tmux", () => {
	test("is not opened outside tmux or in a folder that does not exist", async () => {
		const opened = (cwd: string, env: Record<string, string>) =>
			openWindow(["pi"], cwd, { env, agentDir: "/agent" });
		expect(await opened("/", {})).toMatchObject({ reason: "no_tmux" });
		const inTmux = await opened("/nowhere/at/all", { TMUX: "/tmp/x,1,0" });
		expect(inTmux).toMatchObject({ reason: "no_folder" });
	});

	test.skipIf(!hasTmux)(
		"runs exactly the words of the command in the session's folder, with pi's variables of this process",
		async () => {
			const socket = join(folder(), "tmux.sock");
			const tmux = (...args: string[]) =>
				execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]).toString();
			const cwd = join(folder(), "it's #(touch owned) $(touch owned) ;");
			mkdirSync(cwd);
			tmux("new-session", "-d", "-x", "80", "-y", "24", "sh");
			endServer = () => void tmux("kill-server");
			const TMUX = tmux("display-message", "-p", "#{socket_path},#{pid},0").trim();
			const ours = { PI_DISABLE_AUTO_RECAP: "1", PI_CODING_AGENT_SESSION_DIR: "#{pane_id};" };
			const env = { ...process.env, TMUX, ...ours, PI_CODING_AGENT_DIR: "../a", PI_SESSION_ID: "1" };
			const words = [
				"#(touch owned)",
				"$(touch owned)",
				"a b;",
				"'",
				'"',
				"`touch owned`",
				"#{pane_id}",
				";",
			];
			const out = join(folder(), "out");
			const script =
				'pwd > "$0"; env | grep ^PI_ | sort >> "$0"; for word do printf "%s\\n" "$word"; done >> "$0"; mv "$0" "$0.done"';
			const command = ["sh", "-c", script, out, ...words];
			const opened = await openWindow(command, cwd, { env, agentDir: "/the/agent folder" });
			expect(opened).toEqual({ ok: true });
			await until(() => existsSync(`${out}.done`), "the command in the window");
			expect(readFileSync(`${out}.done`, "utf8").trimEnd().split("\n")).toEqual([
				cwd,
				"PI_CODING_AGENT_DIR=/the/agent folder",
				`PI_CODING_AGENT_SESSION_DIR=${resolve("#{pane_id};")}`,
				"PI_DISABLE_AUTO_RECAP=1",
				...words,
			]);
			expect([existsSync(join(cwd, "owned")), existsSync(join(folder(), "owned"))]).toEqual([false, false]);
		},
	);
});
