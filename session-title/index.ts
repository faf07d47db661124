import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type FlagTable, registerFlags, registerOwnCommand } from "../session-core/pi/host/register.ts";
import { lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, type Shared } from "../session-core/pi/hub.ts";
import type { TitleSession } from "./session.ts";

export const TITLE_FLAGS = {
	"title-model": {
		type: "string",
		description:
			"Model for session titles, as provider/id (default: title.model, fastModel, /recap model, the cheapest in your model list, the active model)",
	},
	"title-disable": {
		type: "boolean",
		description:
			"Disable automatic titles; /rename still works (before a prompt, write --title-disable=true)",
	},
} satisfies FlagTable;

const load = lazily(() => import("./session.ts"));

/**
 * session-title names each session once and never overwrites a name that a person chose. This module only wires things up. Everything
 * else is loaded during the agent's first run, which hides the loading time, or when `/rename` is typed, so the host's startup is not
 * delayed.
 */
export function title(pi: ExtensionAPI, hub: Hub): void {
	let starting: Promise<TitleSession | undefined> | undefined;
	let session: TitleSession | undefined;
	let shared: Shared | undefined;
	const isOver = () => shared?.isOver !== false;

	const flags = registerFlags(pi, TITLE_FLAGS);

	const start = async (ctx: ExtensionContext): Promise<TitleSession | undefined> => {
		const { startTitle } = await load();
		// The session may have been replaced during loading. Its host objects can then no longer be used.
		session = shared && !shared.isOver ? startTitle(pi, ctx, shared, flags()) : undefined;
		return session;
	};
	const doctor = async (ctx: ExtensionContext) => {
		starting ??= start(ctx);
		const running = await starting;
		if (!running) throw new Error("the session has ended");
		return running.doctor();
	};

	hub.follow("rename", {
		opened(_reason, ctx, opened) {
			shared = opened;
			shared.sections.push(() => (ctx.hasUI ? doctor(ctx) : undefined));
			const noted = () => {
				starting ??= start(ctx);
				starting.then(
					(running) => running?.noted(),
					() => undefined,
				);
			};
			if (ctx.hasUI) shared.title = { noted };
		},
		closed() {
			session?.end();
			session = undefined;
		},
		runStarted(ctx) {
			if (ctx.hasUI) starting ??= start(ctx);
			// A failure to load is reported only for a typed command.
			starting?.catch(() => undefined);
		},
		// If the provider failed for the agent, it would fail for a title, too.
		settled: (outcome) => {
			if (outcome !== "failed")
				starting?.then(
					(running) => running?.settled(),
					() => undefined,
				);
		},
		submitted: () => session?.submitted(),
		renamed: () => session?.renamed(),
	});

	registerOwnCommand(pi, "rename", {
		description: "Name this session (/rename --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeRename(prefix),
		handler: async (args, ctx) => {
			if (!ctx.hasUI) {
				const { printMode, startTitle } = await load();
				const mine = shared;
				if (!mine) return;
				return printMode(
					ctx,
					(printing) => startTitle(pi, printing, mine, flags()),
					(started) => started.command(args),
				);
			}
			starting ??= start(ctx);
			const started = starting;
			const work = async () => (await started)?.command(args);
			return startWork(ctx, work, { name: "rename", isOver });
		},
	});
}

export default function sessionTitle(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-title": title });
}
