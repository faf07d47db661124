import type { TSchema } from "typebox";

/** Plain JSON Schema, so that no schema library has to be loaded. */
function parameters(properties: Record<string, object>, required: string[]): TSchema {
	return { type: "object", properties, required };
}

export const SEARCH_TOOL = {
	name: "session_search",
	label: "Search sessions",
	description:
		'Search earlier sessions with this user: messages, commands, edits and output. Use it when the user refers to earlier work that is not in this conversation ("as we did last week", "what did we decide about X"), and only then. Not all words must match; if nothing fits, try other words.',
	parameters: parameters(
		{
			query: {
				type: "string",
				maxLength: 1000,
				description: "Words, names or paths",
			},
			project: { type: "string", enum: ["this", "all"], description: "Default: all" },
			since: { type: "string", description: "7d, 12h or 2026-01-31" },
			until: { type: "string", description: "A date includes that day" },
			limit: { type: "integer", minimum: 1, maximum: 10, description: "Default: the 3 to 6 best" },
		},
		["query"],
	),
} as const;

export const READ_TOOL = {
	name: "session_read",
	label: "Read session",
	description:
		"Read an earlier session: its recap and its timeline; with `at`, the entries around that place.",
	parameters: parameters(
		{
			session: { type: "string", description: "Id or its beginning, or title" },
			at: { type: "string", description: "Position of a hit (@…), or entry id" },
			around: { type: "integer", minimum: 0, maximum: 20, description: "Entries on either side" },
		},
		["session"],
	),
} as const;

export type ToolName = typeof SEARCH_TOOL.name | typeof READ_TOOL.name;

export interface SearchRequest {
	query: string;
	project?: "this" | "all";
	since?: string;
	until?: string;
	limit?: number;
}

export interface ReadRequest {
	session: string;
	at?: string;
	around?: number;
}
