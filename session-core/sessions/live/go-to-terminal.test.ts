import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/host/until.ts";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { canGo, goTo, type LiveTarget, outerTerminal } from "./go-to-terminal.ts";
import type { TerminalPlace } from "./terminal-place.ts";

const TTY = "/dev/pts/9";

const folder = useTemporaryFolder();
const socket = () => join(folder(), "sock");
const viewer = (env: Record<string, string> = {}) => ({ ...env, PATH: join(folder(), "bin") });
const tmux = () => ({ tty: TTY, tmux: { socket: socket(), pane: "%7" } });
const target = (terminal: TerminalPlace | undefined, fields: Partial<LiveTarget> = {}): LiveTarget => ({
	...{ host: hostname(), pid: 4242, cwd: "/code/app" },
	...(terminal && { terminal }),
	...fields,
});

/** Starts a server that ignores all connections, because the tests need only its socket file. */
async function listen(): Promise<void> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(socket(), resolve));
	onTestFinished(() => void server.close());
}

/** Adds a program to the PATH. The program records its arguments and then runs a script. */
function fake(name: string, script = ""): void {
	const text = `#!/bin/sh\necho ${name} "$@" >> "${folder()}/log"\n${script}\n`;
	chmodSync(put(join(folder(), "bin", name), text), 0o755);
}

/** Creates a `tmux` program that gives this answer when it is asked about the pane. */
function fakeTmux(answer: string, rest = ""): void {
	const path = put(join(folder(), "answer"), answer);
	fake("tmux", `case "$*" in *display-message*) /bin/cat "${path}";; ${rest} esac`);
}

function ran(): string[] {
	const log = join(folder(), "log");
	return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
}

test("a tmux session that no terminal shows is attached by the returned command", async () => {
	await listen();
	fakeTmux(`${TTY} $3 @5 0 my \x1b[2J work's`);
	const command = ["tmux", "-S", socket(), "attach", "-t", "$3"];
	const message = `pi is running in tmux session my work's, which is not attached. To attach it, run this in a terminal: tmux -S ${socket()} attach -t \\$'3'`;
	expect(await goTo(target(tmux()), viewer())).toEqual({ ok: false, reason: "detached", message, command });
	const nested = await goTo(target(tmux()), viewer({ TMUX: "/tmp/other,1,0", TMUX_PANE: "%1" }));
	expect(nested.message).toMatch(/run this in a terminal outside the current tmux: tmux/);
	fakeTmux(`${TTY} $3 @5 0 work`, "*switch-client*) exit 1;;");
	const unattached = await goTo(target(tmux()), viewer({ TMUX: `${socket()},1,0`, TMUX_PANE: "%1" }));
	expect(unattached.message).toMatch(/session work, which is not attached/);
});

test("a tmux socket that is not this user's is not connected to", async () => {
	fakeTmux(`${TTY} $3 @5 1 work`);
	writeFileSync(socket(), "");
	expect(await goTo(target(tmux()), viewer())).toMatchObject({ ok: false, reason: "no_way" });
	expect(ran()).toEqual([]);
});

describe("going to a session in another terminal program", () => {
	const kitty = (listenOn?: string) => ({
		kitty: { window: "3", ...(listenOn !== undefined && { listenOn }) },
	});

	test("kitty, by its remote control", async () => {
		fake("kitten");
		const went = await goTo(target(kitty("unix:@k-1")), viewer());
		expect(went).toEqual({ ok: true, message: "Switched to the session's terminal." });
		expect(ran()).toEqual(["kitten @ --to unix:@k-1 focus-window --match id:3"]);
	});

	test("kitty that refuses, or has no remote control", async () => {
		fake("kitten", "exit 1");
		const refused = await goTo(target(kitty("unix:@k-1")), viewer());
		expect(refused.message).toBe("The session is open in pid 4242, in /code/app.");
		const off = await goTo(target(kitty()), viewer());
		expect(off.message).toMatch(/in \/code\/app\. To let pi switch to it, set .* in kitty\.conf/);
		expect(canGo(target(kitty()))).toBe(false);
	});

	test("WezTerm, by the socket of its own instance", async () => {
		await listen();
		fake("wezterm", `echo "$WEZTERM_UNIX_SOCKET" >> "${folder()}/log"`);
		const place = { program: "WezTerm", wezterm: { pane: "5", socket: socket() } };
		const went = await goTo(target(place), viewer({ WEZTERM_UNIX_SOCKET: "/other" }));
		expect(went).toEqual({ ok: true, message: "Switched to the session's terminal." });
		expect(ran()).toEqual(["wezterm cli --no-auto-start activate-pane --pane-id 5", socket()]);
	});

	test("a program that does not exist", async () => {
		expect(await goTo(target({ wezterm: { pane: "5" } }), viewer())).toMatchObject({ reason: "no_way" });
	});
});

describe("a session whose terminal cannot be brought to the front", () => {
	test("is described by its place if its terminal offers no way", async () => {
		const bare = target({ tty: "/dev/ttys004", program: "iTerm.app" });
		expect(canGo(bare)).toBe(false);
		expect((await goTo(bare, viewer())).message).toBe(
			"The session is open in pid 4242, /dev/ttys004 (iTerm.app), in /code/app.",
		);
	});

	test("is not tried on another machine", async () => {
		await listen();
		fakeTmux(`${TTY} $3 @5 1 work`);
		const there = target(tmux(), { host: "b\x1b[2Jox" });
		expect([canGo(target(tmux())), canGo(there)]).toEqual([true, false]);
		expect((await goTo(there, viewer())).message).toMatch(/^The session is open in pid 4242, on box, /);
		expect(ran()).toEqual([]);
	});

	test("long folders are shortened, control characters removed, and the home folder is shown as ~", async () => {
		const messageFor = async (cwd: string) => (await goTo(target(undefined, { cwd }), viewer())).message;
		const long = await messageFor(`/home/me/\x1b[2J${"x".repeat(300)}`);
		expect([long.length < 120, long.includes("\x1b")]).toEqual([true, false]);
		expect(await messageFor(join(homedir(), "app"))).toBe("The session is open in pid 4242, in ~/app.");
	});
});

const { TMUX: _tmux, TMUX_PANE: _pane, ...OUTSIDE } = process.env;

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/**
 * Starts a private tmux server with two sessions. In the session `my work`, the first pane is not
 * active.
 */
function server() {
	const own = mkdtempSync(join(tmpdir(), "tmux-"));
	const socket = join(own, "s");
	const tmux = (...args: string[]) =>
		execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).trim();
	onTestFinished(() => {
		tmux("kill-server");
		rmSync(own, { recursive: true });
	});
	tmux("new-session", "-d", "-s", "my work", "-x", "80", "-y", "24", "sleep 600");
	const [pane = "", tty = ""] = tmux("display-message", "-p", "#{pane_id} #{pane_tty}").split(" ");
	tmux("split-window", "-t", "my work", "sleep 600");
	tmux("new-window", "-t", "my work", "sleep 600");
	tmux("new-session", "-d", "-s", "viewer", "sleep 600");
	const viewer = tmux("display-message", "-p", "-t", "viewer", "#{pane_id}");
	const inFront = () => tmux("display-message", "-p", "-t", "my work", "#{pane_id}");
	return { socket, pane, tty, tmux, viewer, inFront };
}

test.skipIf(!hasTmux)(
	"a real tmux brings the pane to the front, and only the one with that terminal",
	async () => {
		const { socket, pane, tty, inFront } = server();
		const go = (where: TerminalPlace) => goTo(target(where), OUTSIDE);
		expect(await go({ tty: "/dev/pts/99999", tmux: { socket, pane } })).toMatchObject({ reason: "no_way" });
		expect(await go({ tmux: { socket, pane: "%4711" } })).toMatchObject({ reason: "no_way" });
		expect(inFront()).not.toBe(pane);

		const command = ["tmux", "-S", socket, "attach", "-t", "$0"];
		expect(await go({ tty, tmux: { socket, pane } })).toMatchObject({ reason: "detached", command });
		expect(inFront()).toBe(pane);
	},
);

test.skipIf(!hasTmux)(
	"a viewer in the same tmux sees the pane; one outside is told that another does",
	async () => {
		const { socket, pane, tty, tmux, viewer, inFront } = server();
		const client = spawn("tmux", ["-S", socket, "attach", "-t", "viewer"], {
			env: { ...OUTSIDE, TERM: "xterm" },
		});
		onTestFinished(() => client.kill());
		const shown = () => tmux("list-clients", "-F", "#{client_session}");
		await until(() => shown() === "viewer", "the client", { detail: shown });

		const env = { ...OUTSIDE, TMUX: `${socket},1,0`, TMUX_PANE: viewer };
		const place = target({ tty, tmux: { socket, pane } });
		expect((await goTo(place, env)).message).toBe("Switched to the session's terminal.");
		expect([shown(), inFront()]).toEqual(["my work", pane]);
		expect((await goTo(place, OUTSIDE)).message).toContain("another terminal (tmux session my work)");
	},
);

test.skipIf(!hasTmux)(
	"the terminal around tmux is named where it gets what is passed on, from the window in front",
	async () => {
		const { socket, pane, tmux, viewer } = server();
		const outer = (one: string) => outerTerminal({ ...OUTSIDE, TMUX: `${socket},1,0`, TMUX_PANE: one });
		tmux("set-option", "-g", "allow-passthrough", "on");
		expect(await outer(viewer)).toBeUndefined();
		const client = spawn("tmux", ["-S", socket, "attach", "-t", "viewer"], {
			env: { ...OUTSIDE, TERM: "rxvt-unicode" },
		});
		onTestFinished(() => client.kill());
		await until(async () => (await outer(viewer))?.startsWith("rxvt-unicode"), "the terminal's name");
		expect(await outer(pane)).toBeUndefined();
		tmux("set-option", "-g", "allow-passthrough", "off");
		expect(await outer(viewer)).toBeUndefined();
		expect(await outerTerminal(OUTSIDE)).toBeUndefined();
	},
);
