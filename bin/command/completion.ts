import { command, flag } from "../shell/command.ts";

export const COMPLETION = command({
	name: "completion",
	description:
		"Print the completion script of a shell. It completes commands, options, and titles of sessions.",
	args: {
		shell: {
			type: "positional",
			required: false,
			description: "The shell that it is for",
			valueHint: "bash|zsh|fish",
		},
		titles: flag("Print what a session can be called, one a line: for the scripts"),
	},
	run: async (args, world, commands) =>
		(await import("../completion/completion.ts")).completion(args, world, commands),
});
