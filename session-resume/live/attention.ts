import { basename } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type Notification,
	notificationBytes,
	notificationIn,
	throughTmux,
	wayByName,
} from "../../session-core/host/notification.ts";
import { hostTui } from "../../session-core/host/tui.ts";
import { outerTerminal } from "../../session-core/live/go-to-terminal.ts";
import { safeLine } from "../../session-core/text/quote.ts";
import { STATE_LOOKS } from "../../session-core/words/state-looks.ts";

/** How a session draws attention outside of pi: by the title of its terminal, and by notifications. */

/** Longer names are cut, because tabs and notifications show only a few words. The name of a session is untrusted text. */
const MAX_NAME = 80;

interface TabTitleDeps {
	ui: Pick<ExtensionContext["ui"], "setTitle">;
	manager: Pick<ExtensionContext["sessionManager"], "getSessionName" | "getCwd">;
	/** Whether the setting is on. It is read again each time. */
	isOn(): boolean;
}

/**
 * The state of the session in the terminal's title, such as `◆ Fix the date parser`. An idle session, and one that is closed, has the title
 * that the host gives it.
 */
export function createTabTitle({ ui, manager, isOn }: TabTitleDeps) {
	let isOurs = false;
	const show = (state: keyof typeof STATE_LOOKS): void => {
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

const KEY = "session-resume:notify";

/** Notifies the user that the session needs them. `isOver`: whether the session has ended, or the user knows. */
export async function notifyOfNeed(
	ctx: ExtensionContext,
	body: string,
	isOver: () => boolean,
): Promise<void> {
	const outer = await outerTerminal(process.env);
	if (isOver()) return;
	const notification = notificationOf(ctx.sessionManager.getSessionName() ?? basename(ctx.cwd), body);
	const way = outer === undefined ? undefined : wayByName(outer);
	const bytes = way
		? throughTmux(notificationBytes(way, notification))
		: notificationIn(process.env, notification);
	// The bytes are written through the host's terminal, so that they do not interrupt a frame. In RPC mode there is no terminal.
	hostTui(ctx.ui, KEY)?.terminal.write(bytes);
}

export function notificationOf(name: string, body: string): Notification {
	return { title: `pi: ${safeLine(name, MAX_NAME)}`, body };
}
