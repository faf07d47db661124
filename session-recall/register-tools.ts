import type { ExtensionAPI, ToolDefinition } from "@mariozechner/pi-coding-agent";

/** Who provides the tools of session-recall. */
export type ToolState = { registered: true } | { registered: false; taken: readonly string[] };

/**
 * Registers the tools, unless another package has one of their names. The host refuses to start if two extensions register a tool of the same
 * name while they are loaded, so this is called when the session has started. The tools are useful only together: reading needs the
 * positions that the search returns, and the search refers to the reading tool.
 */
export function registerTools(
	pi: Pick<ExtensionAPI, "getAllTools" | "registerTool">,
	tools: readonly ToolDefinition[],
): ToolState {
	const others = new Set(pi.getAllTools().map(({ name }) => name));
	const taken = tools.map(({ name }) => name).filter((name) => others.has(name));
	if (taken.length > 0) return { registered: false, taken };
	for (const tool of tools) pi.registerTool(tool);
	return { registered: true };
}

/** Says which tools another package has, as the end of a sentence; undefined if the tools are ours. */
export function takenText(state: ToolState | undefined): string | undefined {
	return state?.registered === false ? `another package has ${state.taken.join(" and ")}` : undefined;
}
