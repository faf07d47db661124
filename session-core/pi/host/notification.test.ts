import { describe, expect, test } from "vitest";
import {
	type NotificationWay,
	notificationBytes,
	notificationIn,
	notificationWay,
	throughTmux,
} from "./notification.ts";

describe("how a terminal is asked for a notification", () => {
	test.each<[string, Record<string, string>, NotificationWay]>([
		["kitty", { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "osc99"],
		["Ghostty", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "osc777"],
		["WezTerm", { TERM: "xterm-256color", TERM_PROGRAM: "WezTerm", WEZTERM_PANE: "0" }, "osc777"],
		["iTerm2", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "osc9"],
		["an editor in kitty", { TERM: "xterm", TERM_PROGRAM: "vscode", KITTY_WINDOW_ID: "1" }, "bell"],
		["none", {}, "bell"],
		["tmux in kitty", { TERM: "tmux-256color", TMUX: "/tmp/s,1,0", KITTY_WINDOW_ID: "1" }, "bell"],
	])("%s", (_what, env, way) => expect(notificationWay(env)).toBe(way));
});

describe("the bytes of a notification", () => {
	const text = { title: "pi: a;b", body: "Waiting; for you" };

	test.each<[NotificationWay, string]>([
		["osc9", "\x1b]9;pi: a,b: Waiting, for you\x1b\\"],
		[
			"osc99",
			"\x1b]99;i=pi-session-suite:d=0:o=unfocused;pi: a,b\x1b\\\x1b]99;i=pi-session-suite:d=1:p=body;Waiting, for you\x1b\\",
		],
		["osc777", "\x1b]777;notify;pi: a,b;Waiting, for you\x1b\\"],
		["bell", "\x07"],
	])("%s", (way, bytes) => expect(notificationBytes(way, text)).toBe(bytes));

	test("in zellij, which shows no notifications, include the bell", () => {
		const [bytes, inZellij] = [{}, { ZELLIJ: "0" }].map((more) =>
			notificationIn({ TERM: "xterm-kitty", ...more }, text),
		);
		expect(inZellij).toBe(`${bytes}\x07`);
	});

	test("every escape is doubled for the terminal in which tmux runs", () =>
		expect(throughTmux("\x1b]9;x\x1b\\")).toBe("\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\"));
});
