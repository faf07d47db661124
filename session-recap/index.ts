import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type FlagTable,
	registerFlags,
	registerOwnCommand,
	registerShortcuts,
} from "../session-core/pi/host/register.ts";
import { lazily } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, SessionPart } from "../session-core/pi/hub.ts";
import { background } from "../session-core/text/background.ts";
import type { RecapSession } from "./session.ts";

export const RECAP_FLAGS = {
	"recap-model": [
		"string",
		"Model for recaps, as provider/id (default: recap.model, fastModel, /recap model, the cheapest in your model list, the active model)",
	],
	"recap-away-seconds": ["string", "Recap when you return after this long (default: 90)"],
	"recap-focus-min-seconds": [
		"string",
		"Recap when the agent finished while you were away at least this long (default: 3)",
	],
	"recap-idle-seconds": ["string", "Recap after this long without input or keystrokes (default: 120)"],
	"recap-disable-focus": ["boolean", "Do not ask the terminal for focus reports; only the idle time counts"],
	"recap-disable": ["boolean", "No recaps unless you type /recap"],
} satisfies FlagTable;

const loadRecap = lazily(() => import("./command.ts"));

/** Connects session-recap to pi. In print and JSON mode, only `/recap` has an effect. */
export function registerRecap(pi: ExtensionAPI, hub: Hub): void {
	const flags = registerFlags(pi, RECAP_FLAGS);
	const part = new SessionPart<RecapSession>({
		name: "recap",
		folders: [new URL("./", import.meta.url)],
		async load() {
			const { RecapSession } = await loadRecap();
			return (ctx, shared) => new RecapSession(ctx, shared, flags());
		},
	});
	/**
	 * Events that occur before the extension starts are ignored, because the extension reads the session
	 * when it starts.
	 */
	const dispatch = (type: "run_start" | "settled" | "submit") => part.started?.presence.dispatch({ type });
	const run = (ctx: ExtensionContext, argsOf: (recap: RecapSession) => string) =>
		part.run(ctx, async (recap) => (await loadRecap()).runRecap(argsOf(recap), recap, { pi, ctx }));

	hub.follow("recap", {
		opened(reason, ctx, shared) {
			part.open(ctx, shared, (recap) => {
				shared.offer({ recap });
				background("recap", () => recap.begin(reason));
			});
			if (!ctx.hasUI) return undefined;
			return registerShortcuts(pi, {
				recap: (keyCtx) => background("recap", () => run(keyCtx, ({ isShown }) => (isShown ? "clear" : ""))),
			});
		},
		closed: (why) => part.close(why),
		runStarted: () => dispatch("run_start"),
		settled: () => dispatch("settled"),
		submitted: () => dispatch("submit"),
		moved: () => dispatch("submit"),
	});

	registerOwnCommand(pi, "recap", {
		description: "Show a recap of this session (/recap --help for more)",
		getArgumentCompletions: async (prefix) => (await loadRecap()).completeRecap(prefix),
		handler: async (args, ctx) => run(ctx, () => args),
	});
}

export default function sessionRecap(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-recap": registerRecap });
}
