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
import { commonsOf } from "../../session-core/hub/commons.ts";
import type { Shared } from "../../session-core/hub/shared.ts";
import { outerTerminal } from "../../session-core/live/tmux.ts";
import { safeLine } from "../../session-core/text/quote.ts";

export { hostNamePorts, takeName } from "../../session-core/session-file/name-precedence.ts";
export { askOnArrival, mayFork, mayOpen } from "./gate.ts";
export { createTabTitle } from "./tab-title.ts";

/** The functions of a live session that are needed only after its first event. */

/** Whether the conversation ends with a question or request that the user has not answered, by the same rules as in recaps and cards. */
export function endsWithQuestion(shared: Shared, ctx: ExtensionContext): boolean {
	return commonsOf(shared, ctx).state()?.timeline.outcome === "waiting";
}

/** Whether the terminal's title shows the state. */
export function isTabTitleOn(shared: Shared, ctx: ExtensionContext): boolean {
	return commonsOf(shared, ctx).settings.current().settings.resume.tabTitle;
}

const KEY = "session-resume:notify";
/** Maximum length of a title in a notification, because terminals show only a line or two. */
const MAX_TITLE = 80;

export interface NotifyDeps {
	ctx: ExtensionContext;
	shared: Shared;
	env: NodeJS.ProcessEnv;
	/** What has happened, in words. */
	body: string;
	/** Whether the session has ended, or the user knows. */
	isOver(): boolean;
}

/**
 * Notifies the user that the session needs them, if they have turned notifications on.
 */
export async function notifyOfNeed({ ctx, shared, env, body, isOver }: NotifyDeps): Promise<void> {
	if (!commonsOf(shared, ctx).settings.current().settings.resume.notify) return;
	const asBytes = await bytesFor(env);
	if (isOver()) return;
	const name = ctx.sessionManager.getSessionName() ?? basename(ctx.cwd);
	const bytes = asBytes(notificationOf(name, body));
	// The bytes are written through the host's terminal, so that they do not interrupt a frame. In RPC mode there is no terminal.
	hostTui(ctx.ui, KEY)?.terminal.write(bytes);
}

/** Returns the notification. The name of a session is untrusted text. */
export function notificationOf(name: string, body: string): Notification {
	return { title: `pi: ${safeLine(name, MAX_TITLE)}`, body };
}

async function bytesFor(env: NodeJS.ProcessEnv): Promise<(notification: Notification) => string> {
	const outer = await outerTerminal(env);
	const way = outer === undefined ? undefined : wayByName(outer);
	if (way !== undefined) return (notification) => throughTmux(notificationBytes(way, notification));
	return (notification) => notificationIn(env, notification);
}
