import { basename } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { LeaseState } from "../../session-core/live/lease-files.ts";
import { safeLine } from "../../session-core/text/quote.ts";
import { STATE_LOOKS } from "../../session-core/words/state-looks.ts";

export interface TabTitleDeps {
	ui: Pick<ExtensionContext["ui"], "setTitle">;
	manager: Pick<ExtensionContext["sessionManager"], "getSessionName" | "getCwd">;
	/** Whether the setting is on. It is read again each time. */
	isOn(): boolean;
}

/** Longer names are cut, because tabs show only a few words. */
const MAX_NAME = 80;

/**
 * The state of the session in the terminal's title, such as `◆ Fix the date parser`. An idle session, and one that is closed, has the title
 * that the host gives it.
 */
export function createTabTitle({ ui, manager, isOn }: TabTitleDeps) {
	let isOurs = false;
	const show = (state: LeaseState): void => {
		const name = safeLine(manager.getSessionName() ?? "", MAX_NAME);
		const folder = safeLine(basename(manager.getCwd()), MAX_NAME);
		const isShown = state !== "idle" && isOn();
		if (isShown) ui.setTitle(`${STATE_LOOKS[state].glyph} ${name || folder}`);
		// The title that the host sets; it has no function that sets it again.
		else if (isOurs) ui.setTitle(["π", name, folder].filter(Boolean).join(" - "));
		isOurs = isShown;
	};
	return { show, end: () => show("idle") };
}
