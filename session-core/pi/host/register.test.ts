import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import {
	configuredKeys,
	registerOwnCommand,
	registerShortcuts,
	SHORTCUTS,
	swallowedWords,
} from "./register.ts";

const DEFAULTS = { recap: ["alt+r"], card: ["alt+c"], next: ["alt+n"], board: ["alt+s"], waiting: ["alt+w"] };

test("the default keys are bound to nothing in the host", () => {
	const index = fileURLToPath(import.meta.resolve("@mariozechner/pi-coding-agent"));
	const bound = readFileSync(join(dirname(index), "../docs/keybindings.md"), "utf8");
	for (const { key } of Object.values(SHORTCUTS)) expect(bound).not.toContain(`\`${key}\``);
	expect(configuredKeys({ "app.clear": "ctrl+x" })).toEqual({ keys: DEFAULTS, problems: [] });
});

test("a default key is dropped if the user has bound it to something else", () => {
	const bindings = { "tui.editor.cursorDown": ["down", "Alt+N"], "app.clear": "alt+c" };
	expect(configuredKeys(bindings)).toEqual({ keys: { ...DEFAULTS, next: [], card: [] }, problems: [] });
});

test.each([["ctrl+alt+r"], ["F5"], [["alt+1", "shift+f2"]], [[]]])("%j replaces the default", (value) => {
	const recap = [value].flat().map((key) => key.toLowerCase());
	expect(configuredKeys({ "session-suite.recap": value })).toEqual({
		keys: { ...DEFAULTS, recap },
		problems: [],
	});
});

test.each(["r", "enter", "shift+r", "hyper+r", "", ["alt+b", "zzz+1"], 5])(
	"%j would type text, so one line says what is expected, and the default is kept",
	(value) => {
		const { keys, problems } = configuredKeys({ "session-suite.recap": value });
		expect(keys).toEqual(DEFAULTS);
		expect(problems).toEqual([
			expect.stringMatching(
				/^keybindings\.json: "session-suite\.recap" is .*, which is not valid\. .+ alt\+r is used\.$/,
			),
		]);
	},
);

test("an unknown name is reported, with the valid ones", () =>
	expect(configuredKeys({ "session-suite.crad": "alt+x" }).problems).toEqual([
		'keybindings.json: unknown name "session-suite.crad". Valid names: session-suite.recap, session-suite.card, session-suite.next, session-suite.board, session-suite.waiting.',
	]));

const TABLE = { "x-disable": ["boolean", ""], "x-model": ["string", ""] } as const;

test.each<[string[], string[]]>([
	[["-p", "--x-disable", "task"], ["task"]],
	[
		["--x-disable", "task", "--x-disable", "more"],
		["task", "more"],
	],
	[["-p", "--x-disable=true", "task"], []],
	[["-p", "--x-disable", "true", "task"], []],
	[["-p", "task", "--x-disable"], []],
	[["--x-disable", "-p", "task"], []],
	[["--x-disable", "@file", "task"], []],
	[["--x-model", "p/m", "task"], []],
	[["--", "--x-disable", "task"], []],
])("the words that boolean flags take in %j: %j", (args, words) => {
	expect(swallowedWords(args, TABLE).map(({ word }) => word)).toEqual(words);
});

test("commands and shortcuts do not run in a session that the host has already replaced", async () => {
	const stale = Object.defineProperty({}, "hasUI", {
		get: () => {
			throw new Error("This extension ctx is stale");
		},
	});
	const handlers: ((...args: unknown[]) => unknown)[] = [];
	const register = (_name: string, { handler }: { handler: (typeof handlers)[number] }) => {
		handlers.push(handler);
	};
	// Only these methods of the host are called.
	const pi = { registerCommand: register, registerShortcut: register, on: () => undefined } as never;
	const run = vi.fn(async () => undefined);
	registerOwnCommand(pi, "recap", { handler: run });
	registerShortcuts(pi, { recap: run });
	const [command, shortcut] = handlers;
	await command?.("", stale);
	shortcut?.(stale);
	expect(run).not.toHaveBeenCalled();
	await command?.("", { hasUI: true });
	shortcut?.({ hasUI: true });
	expect(run).toHaveBeenCalledTimes(2);
});
