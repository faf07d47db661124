import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { sayOnce } from "../say-once.ts";
import type { Trigger } from "./asked.ts";

const KEY = "calls cannot be counted";

/** Tells the user that calls cannot be counted: once where nobody asked for one, each time where a command did. */
export function uncountedNotice(
	ui: Pick<ExtensionUIContext, "notify">,
): (problem: string, by: Trigger) => void {
	return (problem, by) => {
		if (by === "typed") ui.notify(`This call is not counted by other tabs: ${problem}`, "warning");
		else sayOnce(ui, KEY, () => ui.notify(uncountedText(problem), "warning"));
	};
}

/** What stops, why, and what to do about it. */
export function uncountedText(problem: string): string {
	return `No model is asked by itself, because calls cannot be counted: ${problem} Commands that you type still ask.`;
}
