import { command, SESSION_ARGUMENT, sessionWords } from "../shell/command.ts";

export const ATTACH = command({
	name: "attach",
	description:
		"Bring the terminal of a live session to the front: its tmux pane, kitty window or WezTerm pane.",
	args: { ...SESSION_ARGUMENT },
	run: async (args, world) => (await import("../attach/attach.ts")).attach(sessionWords(args), world),
});
