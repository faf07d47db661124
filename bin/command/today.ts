import { command, flag, option } from "../shell/command.ts";

export const TODAY = command({
	name: "today",
	description:
		"What each session of this project did since midnight, for a stand-up: from its record, else by rules now.",
	args: {
		since: option("Not since midnight: 90m, 8h, 2d, or a date", "time"),
		all: flag("Of all projects"),
		markdown: flag("For a document"),
	},
	run: async (args, world) => (await import("../today/today.ts")).today(args, world),
});
