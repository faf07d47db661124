import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configuredKeys, isShortcutKey } from "./key-bindings.ts";
import { SHORTCUTS } from "./shortcuts.ts";

const DEFAULTS = { recap: ["alt+r"], card: ["alt+c"], next: ["alt+n"], board: ["alt+s"], waiting: ["alt+w"] };
const keysOf = (config: unknown) => configuredKeys(JSON.stringify(config));

describe("the keys by default", () => {
	test("are those of the table, where there is no file or it says nothing of them", () => {
		expect(configuredKeys(undefined)).toEqual({ keys: DEFAULTS, problems: [] });
		expect(keysOf({ "app.clear": "ctrl+x" })).toEqual({ keys: DEFAULTS, problems: [] });
	});

	test("are bound to nothing in the host, and to nothing that would be text", () => {
		const index = fileURLToPath(import.meta.resolve("@mariozechner/pi-coding-agent"));
		const bound = readFileSync(join(dirname(index), "../docs/keybindings.md"), "utf8");
		for (const { key } of Object.values(SHORTCUTS)) {
			expect(bound).not.toContain(`\`${key}\``);
			expect(isShortcutKey(key)).toBe(true);
		}
	});

	test("give way to what the user has bound otherwise", () => {
		const { keys, problems } = keysOf({ "tui.editor.cursorDown": ["down", "Alt+N"], "app.clear": "alt+c" });
		expect(keys).toEqual({ ...DEFAULTS, next: [], card: [] });
		expect(problems).toEqual([]);
	});
});

describe("what the user binds", () => {
	test.each([
		["ctrl+alt+r", ["ctrl+alt+r"]],
		["F5", ["f5"]],
		[
			["alt+1", "shift+f2"],
			["alt+1", "shift+f2"],
		],
		[[], []],
	])("%j takes the place of the default", (value, expected) => {
		const { keys, problems } = keysOf({ "session-suite.recap": value });
		expect(keys).toEqual({ ...DEFAULTS, recap: expected });
		expect(problems).toEqual([]);
	});

	test.each([["r"], ["enter"], ["hyper+r"], ["alt+alt+r"], [null], [["alt+r", 3]]])(
		"%j is no key: one line says what is expected, and the default stays",
		(value) => {
			const { keys, problems } = keysOf({ "session-suite.recap": value });
			expect(keys).toEqual(DEFAULTS);
			expect(problems).toEqual([
				expect.stringMatching(
					/^keybindings\.json: "session-suite\.recap" is .+, which is not valid\. .+ Until this is fixed, alt\+r is used\.$/,
				),
			]);
		},
	);

	test("an id that there is not is named, with those that there are", () => {
		const { problems } = keysOf({ "session-suite.crad": "alt+x" });
		expect(problems).toEqual([
			'keybindings.json: unknown name "session-suite.crad". Valid names: session-suite.recap, session-suite.card, session-suite.next, session-suite.board, session-suite.waiting.',
		]);
	});

	test.each(["", "{", "[]", "null", '"x"'])("a file that is no object (%j) is said", (text) => {
		const { keys, problems } = configuredKeys(text);
		expect(keys).toEqual(DEFAULTS);
		expect(problems).toHaveLength(1);
	});

	test("a byte order mark is no fault", () => {
		expect(configuredKeys('\uFEFF{ "session-suite.recap": "f9" }').keys.recap).toEqual(["f9"]);
	});

	test("each message is one line without escape sequences, whatever the file contains", () => {
		fc.assert(
			fc.property(
				fc.dictionary(
					fc.string().map((id) => `session-suite.${id}`),
					fc.jsonValue(),
				),
				(config) => {
					for (const problem of keysOf(config).problems) expect(problem).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
				},
			),
		);
	});
});
