import type { ExtensionAPI, ToolDefinition } from "@mariozechner/pi-coding-agent";
import type { TSchema } from "typebox";
import { registerOwnCommand } from "../session-core/pi/host/register.ts";
import { lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions } from "../session-core/pi/hub.ts";

const loadTools = lazily(() => import("./tool-calls.ts"));

/** The parameters are plain JSON Schema, so that pi need not load a schema library at startup. */
const parameters = (required: string, properties: Record<string, object>): TSchema => ({
	type: "object",
	properties,
	required: [required],
});
const text = (description: string, more = {}) => ({ type: "string", description, ...more });
const integer = (minimum: number, maximum: number, description: string) => ({
	...{ type: "integer", minimum, maximum, description },
});

const TOOLS = [
	{
		name: "session_search",
		label: "Search sessions",
		description:
			'Search earlier sessions with this user: messages, commands, edits and output. Use it when the user refers to earlier work that is not in this conversation ("as we did last week", "what did we decide about X"), and only then. Not all words must match; if nothing fits, try other words.',
		parameters: parameters("query", {
			query: text("Words, names or paths", { maxLength: 1000 }),
			project: text("Default: all", { enum: ["this", "all"] }),
			since: text("7d, 12h or 2026-01-31"),
			until: text("A date includes that day"),
			limit: integer(1, 10, "Default: the 3 to 6 best"),
		}),
	},
	{
		name: "session_read",
		label: "Read session",
		description:
			"Read an earlier session: its recap and its timeline; with `at`, the entries around that place.",
		parameters: parameters("session", {
			session: text("Id or its beginning, or title"),
			at: text("Position of a hit (@…), or entry id"),
			around: integer(0, 20, "Entries on either side"),
		}),
	},
] as const;

/**
 * The search tools must be registered when the session starts, because a prompt on pi's command line is
 * sent immediately afterwards.
 */
export function registerRecall(pi: ExtensionAPI, hub: Hub): void {
	let tools: typeof import("./tool-calls.ts") | undefined;
	/**
	 * If another package has already registered one of the two search tools, neither tool is registered,
	 * because one tool is useless without the other.
	 */
	let taken: string[] = [];

	const load = async () => {
		tools = await loadTools();
		return tools;
	};

	const definitions = TOOLS.map((definition) => {
		const tool: Omit<ToolDefinition, "renderCall" | "renderResult"> = {
			...definition,
			execute: async (_id, request, signal, _onUpdate, ctx) =>
				(await load()).runTool(definition.name, request, ctx, signal),
			// Until the renderers' code has been loaded, pi renders tool calls in its default style.
			get renderCall() {
				return tools?.renderCall(definition.name);
			},
			get renderResult() {
				return tools?.renderResult;
			},
		};
		// The cast is needed, because `ToolDefinition` does not accept undefined renderers, although pi does.
		return tool as ToolDefinition;
	});

	hub.follow("recall", {
		opened(_reason, { cwd }, shared) {
			// If two extensions register the same tool while they are loaded, pi refuses to start.
			const others = pi.getAllTools().map(({ name }) => name);
			taken = definitions.map(({ name }) => name).filter((name) => others.includes(name));
			if (taken.length === 0) for (const tool of definitions) pi.registerTool(tool);
			shared.offer({ recall: { doctor: async () => (await load()).recallSection(cwd, taken) } });
			shared.starts.add(load);
		},
	});
	pi.on("before_agent_start", async (_event, ctx) => {
		const { over } = hub;
		if (over.aborted || taken.length > 0) return;
		const { cwd } = ctx;
		const { applySwitch } = await load();
		if (!over.aborted) applySwitch(pi, cwd);
	});

	registerOwnCommand(pi, "recall", {
		description: "Search your earlier sessions (/recall <words>; --help for more)",
		needsUser: true,
		handler: async (args, ctx) => {
			const { over } = hub;
			const work = async () => (await load()).runRecall(ctx, args, { over, taken });
			return startWork(ctx, work, { name: "recall", over });
		},
	});
}

export default function sessionRecall(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-recall": registerRecall });
}
