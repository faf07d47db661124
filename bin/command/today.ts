import { command } from "../shell/command.ts";

export const TODAY = command({
	name: "today",
	description:
		"What each session of this project did since midnight, for a stand-up: from its record, else by rules now.",
	args: {
		since: { type: "string", description: "Not since midnight: 90m, 8h, 2d, or a date", valueHint: "time" },
		all: { type: "boolean", description: "Of all projects" },
		markdown: { type: "boolean", description: "For a document" },
	},
	run: async (args, world) => (await import("../today/today.ts")).today(args, world),
});
