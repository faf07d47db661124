import { describe, expect, test } from "vitest";
import { placeFrom, readPlace } from "./terminal-place.ts";

const TMUX = { TMUX: "/tmp/tmux-1000/default,4242,0", TMUX_PANE: "%7" };
const KITTY = { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:@mykitty-99" };
const WEZTERM = { WEZTERM_PANE: "5", WEZTERM_UNIX_SOCKET: "/run/user/1000/wezterm/gui-sock-1" };
const tmux = { socket: "/tmp/tmux-1000/default", pane: "%7" };
const kitty = { window: "3", listenOn: "unix:@mykitty-99" };
const wezterm = { pane: "5", socket: "/run/user/1000/wezterm/gui-sock-1" };

describe("the place of a terminal, by its environment", () => {
	test.each<[string, Record<string, string>, object]>([
		["a bare terminal", { TERM: "xterm" }, {}],
		["one with a name", { TERM_PROGRAM: "iTerm.app" }, { program: "iTerm.app" }],
		["tmux", { ...TMUX, TERM_PROGRAM: "tmux" }, { program: "tmux", tmux }],
		["kitty", { ...KITTY, TERM: "xterm-kitty" }, { kitty }],
		["kitty without remote control", { KITTY_WINDOW_ID: "3" }, { kitty: { window: "3" } }],
		["WezTerm", { ...WEZTERM, TERM_PROGRAM: "WezTerm" }, { program: "WezTerm", wezterm }],
		["an editor that was started in kitty", { ...KITTY, TERM_PROGRAM: "vscode" }, { program: "vscode" }],
		["tmux in kitty", { ...TMUX, ...KITTY, TERM_PROGRAM: "tmux" }, { program: "tmux", tmux }],
		["an older tmux in kitty, which is asked later", { ...TMUX, ...KITTY, TERM: "screen" }, { tmux, kitty }],
		["half of it", { TMUX: "/tmp/s,1,2", WEZTERM_PANE: "5" }, {}],
	])("%s", (_what, env, place) => expect(placeFrom(env, undefined)).toEqual(place));

	test("the terminal device is stored, too", () =>
		expect(placeFrom(TMUX, "/dev/pts/3")).toEqual({ tty: "/dev/pts/3", tmux }));
});

describe("a stored place", () => {
	test("is read back unchanged", () => {
		const place = placeFrom({ ...TMUX, ...KITTY, TERM: "screen" }, "/dev/ttys004");
		expect(readPlace(JSON.parse(JSON.stringify(place)))).toEqual(place);
	});

	test.each<[string, unknown, object | undefined]>([
		["no object", "tmux", undefined],
		["an option in a pane's place", { tmux: { ...tmux, pane: "-x" } }, {}],
		["a target that is more than a pane", { tmux: { ...tmux, pane: "%7;kill-server" } }, {}],
		["a relative socket", { tmux: { ...tmux, socket: "sock" } }, {}],
		["a socket with a line break", { tmux: { ...tmux, socket: "/tmp/a\nb" } }, {}],
		["kitty on the network", { kitty: { window: "3", listenOn: "tcp:evil.example:80" } }, {}],
		["kitty on a relative path", { kitty: { window: "3", listenOn: "unix:x" } }, {}],
		["escapes in a device", { tty: "/dev/pts/3\x1b[2J" }, {}],
		["a device outside /dev", { tty: "/dev/../etc/passwd" }, {}],
	])("%s is left out", (_what, stored, place) => expect(readPlace(stored)).toEqual(place));
});
