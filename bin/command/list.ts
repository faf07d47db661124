import { STATES } from "../sessions/state.ts";
import { command, flag, option } from "../shell/command.ts";

export const LIST = command({
	name: "list",
	description: "List the sessions of this project, newest first; live ones with what they do.",
	args: {
		all: flag("Of all projects"),
		background: flag("Headless runs and child sessions too"),
		state: { type: "enum", options: [...STATES], description: "Only those in this state" },
		limit: option("At most so many", "number"),
		json: flag("For programs: see docs/shell.md"),
	},
	run: async (args, world) => (await import("../list/list.ts")).list(args, world),
});
