import { command, flag, SESSION_ARGUMENT, sessionWords } from "../shell/command.ts";

export const RECAP = command({
	name: "recap",
	description:
		"Write the recap of a session into its file, as /recap-card does, and print it. One for each last message.",
	args: {
		...SESSION_ARGUMENT,
		force: flag("Write a new one although there is one"),
		llm: flag("Let pi ask its model for it; costs what a recap costs"),
		json: flag("For programs: see docs/shell.md"),
	},
	run: async (args, world) => (await import("../recap/recap.ts")).recap(sessionWords(args), args, world),
});
