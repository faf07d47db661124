import { takeName } from "../../session-core/log/index.ts";
import {
	commonsOf,
	type ExtensionAPI,
	type ExtensionContext,
	hostBrand,
	hostTui,
	isInTerminal,
	type Notification,
	notificationBytes,
	notificationIn,
	type Shared,
	throughTmux,
	wayByName,
} from "../../session-core/pi/index.ts";
import { openOf } from "../../session-core/recap/index.ts";
import {
	type Lease,
	liveLeases,
	liveTitle,
	outerTerminal,
	type SessionView,
	STATE_LOOKS,
} from "../../session-core/sessions/index.ts";
import { baseName, shownLine } from "../../session-core/text/index.ts";
import { createAnswering } from "./answering.ts";
import { greet } from "./gate.ts";

export type Attention = ReturnType<typeof createAttention>;

export function createAttention(
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName" | "sendUserMessage">,
	ctx: ExtensionContext,
	shared: Shared,
) {
	const { agentDir, settings, prepared } = commonsOf(shared, ctx);
	const { ui, sessionManager: manager } = ctx;
	const current = () => settings.current().settings;
	const hasTerminal = isInTerminal(ctx);
	return {
		title: createTabTitle(ui, manager, () => hasTerminal && current().resume.tabTitle),
		isAsked() {
			const state = prepared();
			return state !== undefined && openOf(state.shown).waits;
		},
		async notify(body: string, isOver: () => boolean) {
			if (!current().resume.notify) return;
			const outer = await outerTerminal(process.env);
			if (isOver()) return;
			// A session without a name is identified by its folder, as in the terminal's title.
			const called = ({ title, titleSource, cwd }: SessionView) =>
				titleSource === "manual" || titleSource === "auto" ? title : baseName(cwd);
			const name = liveTitle(manager.getSessionId(), liveLeases(agentDir, Date.now()), called);
			const notification = notificationOf(name ?? manager.getSessionName() ?? baseName(ctx.cwd), body);
			const way = outer === undefined ? undefined : wayByName(outer);
			const bytes = way
				? throughTmux(notificationBytes(way, notification))
				: notificationIn(process.env, notification);
			// The host's terminal writes the bytes between two frames, so they do not interrupt a frame.
			hostTui(ui)?.terminal.write(bytes);
		},
		greet: (lease: Lease, signal: AbortSignal) => greet(ctx, lease, signal),
		/** Without a terminal, there is no user who could answer, so the result is undefined. */
		answering(isRunning: () => boolean) {
			const isOn = () => current().live.answers;
			const stamp = () => prepared()?.reading.stamp;
			return hasTerminal ? createAnswering({ pi, ctx, isOn, stamp, isRunning }) : undefined;
		},
		warnsOfOverlaps: () => current().live.overlaps,
		takeName: () => takeName({ pi, manager }),
	};
}

/** Tabs and notifications show only a few words, so longer names are cut. */
const MAX_NAME = 80;

/** Sets the title of the terminal tab unless the session is idle or closed. In these states, the host sets the title. */
export function createTabTitle(
	ui: Pick<ExtensionContext["ui"], "setTitle">,
	manager: Pick<ExtensionContext["sessionManager"], "getSessionName" | "getCwd">,
	isOn: () => boolean,
) {
	let isOurs = false;
	return (state: keyof typeof STATE_LOOKS): void => {
		const name = shownLine(manager.getSessionName() ?? "", MAX_NAME);
		const folder = shownLine(baseName(manager.getCwd()), MAX_NAME);
		const isShown = state !== "idle" && isOn();
		if (isShown) ui.setTitle(`${STATE_LOOKS[state].glyph} ${name || folder}`);
		// The host cannot restore its own title, so this code sets the title that the host would show.
		else if (isOurs) ui.setTitle([hostBrand().title, name, folder].filter(Boolean).join(" - "));
		isOurs = isShown;
	};
}

export function notificationOf(name: string, body: string): Notification {
	return { title: `pi: ${shownLine(name, MAX_NAME)}`, body };
}
