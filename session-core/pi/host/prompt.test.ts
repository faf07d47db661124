import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { holdPrompt, promptIsReady } from "./tui.ts";

/** A prompt editor. Typed text is in `editor.text`. After Enter, the text is in `sent`. */
function hostPrompt() {
	const listeners = new Set<(data: string) => { consume?: boolean } | undefined>();
	const sent: string[] = [];
	const editor = {
		text: "",
		getText: () => editor.text,
		onSubmit: (text: string) => void sent.push(text),
		handleInput(key: string) {
			if (key !== "\r") editor.text += key;
			else {
				sent.push(editor.text);
				editor.text = "";
			}
		},
	};
	const tui = {
		focusedComponent: editor as object | undefined,
		addInputListener(listener: (data: string) => { consume?: boolean } | undefined) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		requestRender: () => undefined,
	};
	const ui = {
		setWidget: (_key: string, factory: unknown) => {
			if (typeof factory === "function") factory(tui);
		},
		getEditorText: () => editor.text,
		setEditorText: (text: string) => {
			editor.text = text;
		},
	} as unknown as Parameters<typeof holdPrompt>[0];
	const type = (text: string) => {
		for (const key of text) {
			const isHeld = [...listeners].some((listener) => listener(key)?.consume);
			if (!isHeld) editor.handleInput(key);
		}
	};
	return { ui, tui, editor, sent, type };
}

const FORK = "/sessions --fork 42";

describe("what is typed while the session may be replaced", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test("goes to the session that replaces it, not to a late start of the one that is left", () => {
		const it = hostPrompt();
		const held = holdPrompt(it.ui, "old");
		it.type("plant ");
		expect(held.run(FORK, () => expect.unreachable())).toBe(true);
		promptIsReady("old");
		it.type("a rose\r");
		expect(it.sent).toEqual([FORK]);
		promptIsReady("fork");
		expect(it.sent).toEqual([FORK, "plant a rose"]);
		vi.runAllTimers();
	});

	test.each(["the command cannot be run", "no session opens in time"])(
		"returns to the prompt unsent if %s",
		(what) => {
			const it = hostPrompt();
			const held = holdPrompt(it.ui, "old");
			it.type("plant a rose\r");
			const failed = vi.fn();
			if (what === "the command cannot be run") {
				it.editor.onSubmit = undefined as never;
				expect(held.run(FORK, failed)).toBe(false);
			} else {
				held.handOver(failed);
				vi.runAllTimers();
				expect(failed).toHaveBeenCalledOnce();
				promptIsReady("another");
			}
			expect([it.sent, it.editor.text]).toEqual([[], "plant a rose"]);
		},
	);
});
