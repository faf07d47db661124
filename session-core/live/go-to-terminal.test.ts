import { execFileSync } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../test/host/until.ts";
import { canGo, goTo, goToPane, type LiveTarget, outerTerminal, whereItIs } from "./go-to-terminal.ts";
import type { TerminalPlace } from "./terminal-place.ts";

const HERE = { host: "laptop", pidSpace: "pid:[1]" };
const TTY = "/dev/pts/9";

let folder: string;
let socket: string;

beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "go-")));
	socket = join(folder, "sock");
	mkdirSync(join(folder, "bin"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A server that accepts nothing: only its socket counts. */
async function listen(): Promise<void> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(socket, resolve));
	onTestFinished(() => void server.close());
}

/** Puts a program on the PATH that writes down what it was given, and then does what its script says. */
function fake(name: string, script = ""): void {
	const path = join(folder, "bin", name);
	writeFileSync(path, `#!/bin/sh\necho ${name} "$@" >> "${folder}/log"\n${script}\n`);
	chmodSync(path, 0o755);
}

function ran(): string[] {
	try {
		return readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n");
	} catch {
		return [];
	}
}

const target = (terminal: TerminalPlace | undefined, fields: Partial<LiveTarget> = {}): LiveTarget => ({
	...{ ...HERE, pid: 4242, cwd: "/code/app" },
	...(terminal && { terminal }),
	...fields,
});
const viewer = (env: Record<string, string> = {}) => ({
	here: HERE,
	env: { ...env, PATH: join(folder, "bin") },
});
const tmux = () => ({ tty: TTY, tmux: { socket, pane: "%7" } });
/** Tmux as it answers when asked about the pane. */
function fakeTmux(answer: string, rest = ""): void {
	writeFileSync(join(folder, "answer"), answer);
	fake("tmux", `case "$*" in *display-message*) /bin/cat "${folder}/answer";; ${rest} esac`);
}

describe("going to a session in tmux", () => {
	test("from the same server: window, pane and client are switched", async () => {
		await listen();
		fakeTmux(`${TTY} $3 @5 1 work`);
		const went = await goTo(target(tmux()), viewer({ TMUX: `${socket},1,0`, TMUX_PANE: "%1" }));
		expect(went).toEqual({ ok: true, message: "Switched to its terminal." });
		expect(ran().slice(1)).toEqual([
			`tmux -S ${socket} select-window -t $3:@5 ; select-pane -t %7`,
			`tmux -S ${socket} switch-client -t $3`,
		]);
	});

	test("from another terminal while a third one shows it: it is in front there", async () => {
		await listen();
		fakeTmux(`${TTY} $3 @5 1 work`);
		const went = await goTo(target(tmux()), viewer({ TMUX: "/tmp/other,1,0", TMUX_PANE: "%1" }));
		expect(went).toEqual({
			ok: true,
			message: "Brought the session to the front in another terminal (tmux session work).",
		});
		expect(ran()).toHaveLength(2);
	});

	test("if no terminal shows it, the command that attaches it is returned", async () => {
		await listen();
		fakeTmux(`${TTY} $3 @5 0 my \x1b[2J work's`);
		expect(await goTo(target(tmux()), viewer())).toEqual({
			ok: false,
			reason: "detached",
			message: `pi is running in tmux session my work's, which is not attached. To attach it, run: tmux -S ${socket} attach -t '$3'`,
			command: ["tmux", "-S", socket, "attach", "-t", "$3"],
		});
		const nested = await goTo(target(tmux()), viewer({ TMUX: "/tmp/other,1,0", TMUX_PANE: "%1" }));
		expect(nested.message).toMatch(/run this in a terminal outside the current tmux: tmux/);
		fakeTmux(`${TTY} $3 @5 0 work`, "*switch-client*) exit 1;;");
		const unattached = await goTo(target(tmux()), viewer({ TMUX: `${socket},1,0`, TMUX_PANE: "%1" }));
		expect(unattached.message).toMatch(/session work, which is not attached/);
	});

	test.each([
		["a pane with another terminal: the variables were handed down", "/dev/pts/1 $3 @5 1 work"],
		["an answer that is none", "can't find pane"],
	])("%s is not gone to", async (_what, answer) => {
		await listen();
		fakeTmux(answer);
		const went = await goTo(target(tmux()), viewer());
		expect(went).toEqual({
			ok: false,
			reason: "no_way",
			message: `It is open in pid 4242, ${TTY}, in /code/app.`,
		});
		expect(ran()).toHaveLength(1);
	});

	test("what is no socket of this user is not connected to", async () => {
		fakeTmux(`${TTY} $3 @5 1 work`);
		writeFileSync(socket, "");
		expect(await goTo(target(tmux()), viewer())).toMatchObject({ ok: false, reason: "no_way" });
		expect(ran()).toEqual([]);
	});
});

describe("going to a session in another terminal program", () => {
	const kitty = (listenOn?: string) => ({
		kitty: { window: "3", ...(listenOn !== undefined && { listenOn }) },
	});

	test("kitty, by its remote control", async () => {
		fake("kitten");
		const went = await goTo(target(kitty("unix:@k-1")), viewer());
		expect(went).toEqual({ ok: true, message: "Switched to its terminal." });
		expect(ran()).toEqual(["kitten @ --to unix:@k-1 focus-window --match id:3"]);
	});

	test("kitty that refuses, or has no remote control", async () => {
		fake("kitten", "exit 1");
		const refused = await goTo(target(kitty("unix:@k-1")), viewer());
		expect(refused.message).toBe("It is open in pid 4242, in /code/app.");
		const off = await goTo(target(kitty()), viewer());
		expect(off.message).toMatch(/in \/code\/app\. To let pi switch there, set .* in kitty\.conf/);
		expect(canGo(target(kitty()), HERE)).toBe(false);
	});

	test("WezTerm, by the socket of its own instance", async () => {
		await listen();
		fake("wezterm", `echo "$WEZTERM_UNIX_SOCKET" >> "${folder}/log"`);
		const place = { program: "WezTerm", wezterm: { pane: "5", socket } };
		const went = await goTo(target(place), viewer({ WEZTERM_UNIX_SOCKET: "/other" }));
		expect(went).toEqual({ ok: true, message: "Switched to its terminal." });
		expect(ran()).toEqual(["wezterm cli --no-auto-start activate-pane --pane-id 5", socket]);
	});

	test("a program that does not exist", async () => {
		expect(await goTo(target({ wezterm: { pane: "5" } }), viewer())).toMatchObject({ reason: "no_way" });
	});
});

describe("a session that cannot be gone to", () => {
	test("in a terminal without a way is said where it is", async () => {
		const bare = target({ tty: "/dev/ttys004", program: "iTerm.app" });
		expect(canGo(bare, HERE)).toBe(false);
		expect((await goTo(bare, viewer())).message).toBe(
			"It is open in pid 4242, /dev/ttys004 (iTerm.app), in /code/app.",
		);
	});

	test.each<[string, Partial<LiveTarget>]>([
		["on another machine", { host: "b\x1b[2Jox" }],
		["in a container", { pidSpace: "pid:[2]" }],
	])("%s is not tried", async (_what, fields) => {
		await listen();
		fakeTmux(`${TTY} $3 @5 1 work`);
		const there = target(tmux(), fields);
		expect(canGo(target(tmux()), HERE)).toBe(true);
		expect(canGo(there, HERE)).toBe(false);
		expect((await goTo(there, viewer())).message).toMatch(/^It is open in pid 4242, on (box|laptop), /);
		expect(ran()).toEqual([]);
	});

	test("hostile and long folders are shown plain and short, the home folder as ~", () => {
		const message = whereItIs(target(undefined, { cwd: `/home/me/\x1b[2J${"x".repeat(300)}` }), {
			isHere: true,
		});
		expect(message.length).toBeLessThan(110);
		expect(message).not.toContain("\x1b");
		const home = whereItIs(target(undefined, { cwd: "/home/me/app" }), {
			isHere: true,
			home: "/home/me",
		});
		expect(home).toBe("pid 4242, in ~/app");
	});
});

const { TMUX: _tmux, TMUX_PANE: _pane, ...OUTSIDE } = process.env;

function hasTmux(): boolean {
	try {
		execFileSync("tmux", ["-V"]);
		return true;
	} catch {
		return false;
	}
}

/** An own tmux server with two sessions; the first pane of `my work` is not the one in front. */
function server() {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "tmux-")));
	const socket = join(folder, "s");
	const tmux = (...args: string[]) =>
		execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).trim();
	onTestFinished(() => {
		tmux("kill-server");
		rmSync(folder, { recursive: true, force: true });
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

test.skipIf(!hasTmux())(
	"a real tmux brings the pane to the front, and only the one with that terminal",
	async () => {
		const { socket, pane, tty, inFront } = server();
		expect(await goToPane({ socket, pane }, "/dev/pts/99999", OUTSIDE)).toEqual({ type: "not_there" });
		expect(await goToPane({ socket, pane: "%4711" }, undefined, OUTSIDE)).toEqual({ type: "not_there" });
		expect(inFront()).not.toBe(pane);

		const command = ["tmux", "-S", socket, "attach", "-t", "$0"];
		expect(await goToPane({ socket, pane }, tty, OUTSIDE)).toEqual({
			type: "detached",
			session: "my work",
			command,
			isNested: false,
		});
		expect(inFront()).toBe(pane);
	},
);

test.skipIf(!hasTmux())(
	"a viewer in the same tmux sees the pane; one outside is told that another does",
	async () => {
		const { socket, pane, tty, tmux, viewer, inFront } = server();
		const client = spawn("tmux", ["-S", socket, "attach", "-t", "viewer"], {
			env: { ...OUTSIDE, TERM: "xterm" },
		});
		onTestFinished(() => client.kill());
		const shown = () => tmux("list-clients", "-F", "#{client_session}");
		await until(() => shown() === "viewer", { what: "the client", detail: shown });

		const env = { ...OUTSIDE, TMUX: `${socket},1,0`, TMUX_PANE: viewer };
		expect(await goToPane({ socket, pane }, tty, env)).toEqual({ type: "here" });
		expect([shown(), inFront()]).toEqual(["my work", pane]);
		expect(await goToPane({ socket, pane }, tty, OUTSIDE)).toEqual({ type: "elsewhere", session: "my work" });
	},
);

test.skipIf(!hasTmux())(
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
		await until(async () => (await outer(viewer))?.startsWith("rxvt-unicode"), {
			what: "the terminal's name",
		});
		expect(await outer(pane)).toBeUndefined();
		tmux("set-option", "-g", "allow-passthrough", "off");
		expect(await outer(viewer)).toBeUndefined();
		expect(await outerTerminal(OUTSIDE)).toBeUndefined();
	},
);
