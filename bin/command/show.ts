import { command, flag, SESSION_ARGUMENT, sessionWords } from "../shell/command.ts";

export const SHOW = command({
	name: "show",
	description:
		"Show a session's recap: the record of its last message, else one made by rules now. Writes nothing.",
	args: {
		...SESSION_ARGUMENT,
		json: flag("For programs: see docs/shell.md"),
		markdown: flag("For a document"),
	},
	run: async (args, world) => (await import("../show/show.ts")).show(sessionWords(args), args, world),
});
