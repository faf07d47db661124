import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../test/host/until.ts";
import { goToPane, outerTerminal } from "./tmux.ts";

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
