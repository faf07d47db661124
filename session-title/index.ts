import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { type FlagTable, registerFlags, registerOwnCommand } from "../session-core/pi/host/register.ts";
import { lazily } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, SessionPart } from "../session-core/pi/hub.ts";
import { background } from "../session-core/text/background.ts";
import type { TitleSession } from "./session.ts";

export const TITLE_FLAGS = {
	"title-model": [
		"string",
		"Model for session titles, as provider/id (default: title.model, fastModel, /recap model, the cheapest in your model list, the active model)",
	],
	"title-disable": ["boolean", "Disable automatic titles; /rename still works"],
} satisfies FlagTable;

const loadTitle = lazily(() => import("./command.ts"));

/** Connects session-title to pi. A name that a person chose is never overwritten. */
export function registerTitle(pi: ExtensionAPI, hub: Hub): void {
	const flags = registerFlags(pi, TITLE_FLAGS);
	const part = new SessionPart<TitleSession>({
		name: "rename",
		folders: [new URL("./", import.meta.url)],
		async load() {
			const { TitleSession } = await loadTitle();
			return (ctx, shared) => new TitleSession(pi, ctx, shared, flags());
		},
	});

	hub.follow("rename", {
		opened(_reason, ctx, shared) {
			part.open(ctx, shared);
			if (!ctx.hasUI) return;
			const noted = async () => (await part.loaded())?.noted();
			shared.offer({
				title: {
					noted: () => background("rename", noted),
					doctor: async () => (await part.loaded())?.doctor(),
				},
			});
		},
		closed: (why) => part.close(why),
		async settled(outcome) {
			// If the provider has just failed to answer the agent, a title request would probably fail too.
			if (outcome !== "failed") (await part.loaded())?.settled();
		},
		submitted: () => part.started?.submitted(),
		renamed: () => part.started?.renamed(),
	});

	registerOwnCommand(pi, "rename", {
		description: "Name this session (/rename --help for more)",
		getArgumentCompletions: async (prefix) => (await loadTitle()).completeRename(prefix),
		handler: async (args, ctx) =>
			part.run(ctx, async (session) => (await loadTitle()).runRename(args, session)),
	});
}

export default function sessionTitle(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-title": registerTitle });
}
