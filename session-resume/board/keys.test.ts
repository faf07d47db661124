import { type KeybindingsConfig, KeybindingsManager, TUI_KEYBINDINGS } from "@mariozechner/pi-tui";
import { describe, expect, test } from "vitest";
import { type Bindings, keyNames, keyOf } from "./keys.ts";

/** The host's bindings: those of its TUI and, of its own, the two that the board asks for. */
function bindings(user: KeybindingsConfig = {}): Bindings {
	const own = {
		"app.session.rename": { defaultKeys: "ctrl+r" as const },
		"app.session.fork": { defaultKeys: [] },
	};
	// The host's manager is this one with more names and a file; the board asks for nothing else of it.
	return new KeybindingsManager({ ...TUI_KEYBINDINGS, ...own }, user) as unknown as Bindings;
}

describe("keys", () => {
	test.each([
		["\x1b[A", "up"],
		["\x1b[B", "down"],
		["\x1b[5~", "page_up"],
		["\x1b[6~", "page_down"],
		["\x1b[H", "home"],
		["\x1b[F", "end"],
		["\r", "confirm"],
		["\x1b", "cancel"],
		["\x03", "cancel"],
		["\t", "scope"],
		["\x02", "fork"],
		["\x12", "rename"],
		["\x06", "search"],
		["a", undefined],
		["한", undefined],
		["\x7f", undefined],
	])("%j is %s by default", (data, key) => {
		expect(keyOf(data, bindings())).toBe(key);
	});

	test("the user's bindings hold, and win over the fixed keys", () => {
		const user = bindings({
			"tui.select.down": ["down", "ctrl+f"],
			"tui.select.cancel": "ctrl+g",
			"app.session.fork": "ctrl+k",
		});
		expect(keyOf("\x06", user)).toBe("down");
		expect(keyOf("\x07", user)).toBe("cancel");
		expect(keyOf("\x1b", user)).toBeUndefined();
		expect(keyOf("\x0b", user)).toBe("fork");
		expect(keyNames(user)).toMatchObject({ cancel: "ctrl+g", fork: "ctrl+k", rename: "ctrl+r" });
	});

	test("hints name keys as people do", () => {
		expect(keyNames(bindings())).toMatchObject({
			confirm: "enter",
			cancel: "esc",
			fork: "ctrl+b",
			scope: "tab",
		});
	});
});
