import type { CommandTable } from "./shell/command.ts";

/** Every subcommand, as the overview lists them. */
export const COMMANDS = {
	list: {
		description: "List sessions: what they are about, and what live ones do",
		load: async () => (await import("./command/list.ts")).LIST,
	},
	show: {
		description: "Show a session's recap and where it stands",
		load: async () => (await import("./command/show.ts")).SHOW,
	},
	resume: {
		description: "Go on with a session, an earlier point of it, or a job",
		load: async () => (await import("./command/resume.ts")).RESUME,
	},
	recap: {
		description: "Write a session's recap into it, and print it",
		load: async () => (await import("./command/recap.ts")).RECAP,
	},
	today: {
		description: "What each session did today, for a stand-up",
		load: async () => (await import("./command/today.ts")).TODAY,
	},
	status: {
		description: "One line for a prompt or a status bar: what needs you",
		load: async () => (await import("./command/status.ts")).STATUS,
	},
	attach: {
		description: "Bring the terminal of a live session to the front",
		load: async () => (await import("./command/attach.ts")).ATTACH,
	},
	serve: {
		description: "The same over HTTP on this machine, with a page to glance at",
		load: async () => (await import("./command/serve.ts")).SERVE,
	},
	completion: {
		description: "Print the completion script of a shell",
		load: async () => (await import("./command/completion.ts")).COMPLETION,
	},
} as const satisfies CommandTable;

export type CommandName = keyof typeof COMMANDS;

export function isCommandName(name: string): name is CommandName {
	return Object.hasOwn(COMMANDS, name);
}
