import { describe, expect, test } from "vitest";
import { bindings } from "./board.test-support.ts";
import { boardKeyOf, keyNames } from "./keys.ts";

describe("keys", () => {
	test.each([
		["\x1b[1;5F", "end"],
		["\x03", "cancel"],
		["\x04", "delete"],
		["\x1bOP", "help"],
		["한", undefined],
		["\x7f", undefined],
	])("%j is %s by default", (data, key) => {
		expect(boardKeyOf(data, bindings())).toBe(key);
	});

	test.each([
		["cursor left", "\x02"],
		["line start", "\x1b[H"],
		["undo", "\x1f"],
	])("the input line keeps its key for %s", (_, data) => {
		expect(boardKeyOf(data, bindings())).toBeUndefined();
	});

	test("the input line also keeps keys that the user bound to it, and no hint names them", () => {
		const user = bindings({ "tui.editor.cursorRight": "ctrl+o" });
		expect(boardKeyOf("\x0f", user)).toBeUndefined();
		expect(keyNames(user).fork).toBe("");
	});

	test("the user's bindings win over the fixed keys", () => {
		const user = bindings({
			"tui.select.down": ["down", "ctrl+o"],
			"tui.select.cancel": "ctrl+g",
			"app.session.fork": "ctrl+k",
		});
		expect(boardKeyOf("\x0f", user)).toBe("down");
		expect(boardKeyOf("\x07", user)).toBe("cancel");
		expect(boardKeyOf("\x1b", user)).toBeUndefined();
		expect(boardKeyOf("\x0b", user)).toBe("fork");
		expect(keyNames(user)).toMatchObject({ cancel: "ctrl+g", fork: "ctrl+k", rename: "ctrl+r" });
	});

	test("no two actions share a key", () => {
		const names = Object.values(keyNames(bindings()));
		expect(new Set(names).size).toBe(names.length);
	});
});
