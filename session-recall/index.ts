import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@mariozechner/pi-coding-agent";
import { registerOwnCommand } from "../session-core/host/register.ts";
import { lazily, startWork } from "../session-core/host/start-work.ts";
import { createHub, type Hub } from "../session-core/hub/hub.ts";
import { READ_TOOL, SEARCH_TOOL } from "./tool-definitions.ts";

/**
 * session-recall gives the agent tools that search and read earlier sessions. This module only wires the parts together. The tools are
 * registered when the session starts, because the first prompt may come from pi's command line. Their code is loaded after the host's first
 * paint.
 */
export function recall(pi: ExtensionAPI, hub: Hub): void {
	let tools: typeof import("./tool-calls.ts") | undefined;
	/** The names of our tools that another package has. The tools are useful only together, so in this case, neither is registered. */
	let taken: string[] = [];
	let isOver = false;

	const load = async () => {
		tools ??= await lazily(() => import("./tool-calls.ts"));
		return tools;
	};

	const definitions = [SEARCH_TOOL, READ_TOOL].map((definition) => {
		const tool = {
			...definition,
			execute: async (
				_id: string,
				request: unknown,
				signal: AbortSignal | undefined,
				_onUpdate: unknown,
				ctx: ExtensionContext,
			) => (await load()).runTool(definition.name, request, ctx, signal),
			// Until the renderers are loaded, the host uses its default rendering.
			get renderCall() {
				return tools?.renderCall(definition.name);
			},
			get renderResult() {
				return tools?.renderResult;
			},
		};
		// The host checks whether a renderer exists, but the type `ToolDefinition` does not allow a getter that may return undefined.
		return tool as ToolDefinition;
	});

	hub.follow("recall", {
		opened(_reason, { cwd }, { sections, starts }) {
			// Not earlier, because the host refuses to start if two extensions register a tool of the same name while they are loaded.
			const others = pi.getAllTools().map(({ name }) => name);
			taken = definitions.map(({ name }) => name).filter((name) => others.includes(name));
			if (taken.length === 0) for (const tool of definitions) pi.registerTool(tool);
			sections.push(async () => (await load()).recallSection(cwd, taken));
			starts.add(load);
		},
		closed() {
			isOver = true;
		},
	});
	pi.on("before_agent_start", async (_event, ctx) => {
		// The host's run may begin, or the code may be loaded, after the session was replaced, and its context is of no use then.
		if (isOver || taken.length > 0) return;
		const { cwd } = ctx;
		const { applySwitch } = await load();
		if (!isOver) applySwitch(pi, cwd);
	});

	registerOwnCommand(pi, "recall", {
		description: "Search earlier sessions, as the agent can (/recall <words>; --help for more)",
		needsUser: true,
		handler: async (args, ctx) => {
			const work = async () => (await load()).runRecall(ctx, args, { isOver: () => isOver, taken });
			return startWork(ctx, work, { name: "recall", isOver: () => isOver });
		},
	});
}

/** The extension alone, as a package of its own. */
export default function sessionRecall(pi: ExtensionAPI): void {
	recall(pi, createHub(pi));
}
