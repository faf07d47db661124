import { STATES } from "../sessions/state.ts";
import { command } from "../shell/command.ts";

export const LIST = command({
	name: "list",
	description: "List the sessions of this project, newest first; live ones with what they do.",
	args: {
		all: { type: "boolean", description: "Of all projects" },
		background: { type: "boolean", description: "Headless runs and child sessions too" },
		state: { type: "enum", options: [...STATES], description: "Only those in this state" },
		limit: { type: "string", description: "At most so many", valueHint: "number" },
		json: { type: "boolean", description: "For programs: see docs/shell.md" },
	},
	run: async (args, world) => (await import("../list/list.ts")).list(args, world),
});
