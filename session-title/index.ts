import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type FlagTable, registerFlags, registerOwnCommand } from "../session-core/pi/host/register.ts";
import { type Deferred, lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, type Shared } from "../session-core/pi/hub.ts";
import type { TitleSession } from "./session.ts";

export const TITLE_FLAGS = {
	"title-model": [
		"string",
		"Model for session titles, as provider/id (default: title.model, fastModel, /recap model, the cheapest in your model list, the active model)",
	],
	"title-disable": ["boolean", "Disable automatic titles; /rename still works"],
} satisfies FlagTable;

const load = lazily(() => import("./session.ts"));

/** This module only connects session-title to the host. The extension never overwrites a name that a person chose. */
export function title(pi: ExtensionAPI, hub: Hub): void {
	let running: Deferred<TitleSession> | undefined;
	let shared: Shared | undefined;

	const flags = registerFlags(pi, TITLE_FLAGS);

	const pass = async (event: (session: TitleSession) => void): Promise<void> => {
		const mine = running;
		await mine?.begin();
		if (mine?.started && mine === running) event(mine.started);
	};

	hub.follow("rename", {
		opened(_reason, ctx, opened) {
			shared = opened;
			if (!ctx.hasUI) return;
			const mine = opened.starts.add(
				async (isOver) => {
					const { TitleSession } = await load();
					return isOver() ? undefined : new TitleSession(pi, ctx, opened, flags());
				},
				{
					module: new URL("./session.ts", import.meta.url),
					failed: (why) => ctx.ui.notify(`rename: cannot start (${why}). Reinstall the package.`, "warning"),
				},
			);
			running = mine;
			opened.offer({
				title: {
					noted: () => void pass((session) => session.noted()),
					doctor: () => mine.begin().then(() => mine.started?.doctor()),
				},
			});
		},
		closed() {
			running?.started?.end();
			running = undefined;
		},
		settled(outcome) {
			// If the provider has just failed for the agent, a request for a title would fail as well.
			if (outcome !== "failed") void pass((session) => session.settled());
		},
		submitted: () => running?.started?.submitted(),
		renamed: () => running?.started?.renamed(),
	});

	registerOwnCommand(pi, "rename", {
		description: "Name this session (/rename --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeRename(prefix),
		handler: async (args, ctx) => {
			const mine = running;
			const work = async () => {
				await mine?.begin();
				await mine?.started?.command(args);
			};
			if (ctx.hasUI) return startWork(ctx, work, { name: "rename", isOver: () => running !== mine });
			const { printMode, TitleSession } = await load();
			const current = shared;
			if (!current) return;
			const start = (printing: ExtensionContext) => new TitleSession(pi, printing, current, flags());
			await printMode(ctx, start, (started) => started.command(args));
		},
	});
}

export default function sessionTitle(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-title": title });
}
