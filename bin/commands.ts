import { type CommandTable, command, SESSION_WORDS } from "./shell/command.ts";
import { LIST, READ, RECAP, RESTORE, RESUME, SEARCH, SERVE, SHOW, STATUS, TODAY } from "./shell/options.ts";
import type { World } from "./shell/world.ts";

/** All subcommands, in the order in which the overview lists them. A command's module is loaded only when the command runs. */
export const COMMANDS: CommandTable = {
	list: command({
		summary: "List sessions and the state of live ones",
		description:
			"List the sessions of this project, newest first. Live sessions are shown with their state: needs you, failed, working or idle.",
		examples: ["", "--all --state needs-you", "--all --json | jq -r '.sessions[].title'"],
		options: LIST,
		run: async (values, _words, world) => (await import("./command/list.ts")).list(values, world),
	}),
	show: command({
		summary: "Show the recap of a session",
		description:
			"Show the recap of a session: the stored one if it covers the last message, otherwise one generated now. Nothing is written.",
		examples: ['"date parser"', "0195a1b2 --markdown"],
		words: SESSION_WORDS,
		options: SHOW,
		run: async (values, words, world) =>
			(await import("./command/show.ts")).show(words || current(world), values, world),
	}),
	search: command({
		summary: "Search messages, commands and their output",
		description:
			"Search requests, replies, commands, their output, names and recaps of this project's sessions, best match first. Not every word has to occur.",
		examples: ["retry queue", "--all --since 2d ECONNRESET", "--json 'date parser' | jq '.hits[0]'"],
		words: { value: "words", description: "Words to search for" },
		options: SEARCH,
		run: async (values, words, world) => (await import("./command/search.ts")).search(words, values, world),
	}),
	read: command({
		summary: "Read a session, or the entries around a search hit",
		description:
			"Print a session's recap and timeline, or the entries around a given position, as an agent sees them.",
		examples: ["0195a1b2", "0195a1b2 @9k", "0195a1b2 --at 1a2b3c4d --around 10"],
		words: SESSION_WORDS,
		options: READ,
		run: async (values, words, world) => (await import("./command/read.ts")).read(words, values, world),
	}),
	resume: command({
		summary: "Resume a session, an earlier point of it, or a job",
		description:
			"Run pi in the folder of a session, with the next step in the editor. A headless run is resumed as a new headless run.",
		examples: ['"date parser" --send', "0195a1b2 --branch", "--continue"],
		words: SESSION_WORDS,
		options: RESUME,
		run: async (values, words, world) => {
			const wanted = values.continue ? words : words || current(world);
			return (await import("./command/resume.ts")).resume(wanted, values, world);
		},
	}),
	restore: command({
		summary: "Reopen the sessions that a crash or a restart ended",
		description:
			"Reopen the sessions of the last seven days that were open when the machine, the terminal or pi ended without closing them: in tmux as windows, elsewhere by printing one command for each. Sessions that are open again are left alone.",
		examples: ["", "--dry-run"],
		options: RESTORE,
		run: async (values, _words, world) => (await import("./command/restore.ts")).restore(values, world),
	}),
	recap: command({
		summary: "Write the recap of a session into its file, and print it",
		description:
			"Write the recap of a session into its file, as /recap-card does, and print it. If the last message already has a recap, that recap is printed and nothing is written.",
		examples: ["0195a1b2", "0195a1b2 --force --json"],
		words: SESSION_WORDS,
		options: RECAP,
		run: async (values, words, world) =>
			(await import("./command/recap.ts")).makeRecap(words || current(world), values, world),
	}),
	today: command({
		summary: "List what each session has done today",
		description:
			"List what each session of this project has done since midnight, for example for a stand-up.",
		examples: ["--all --since 8h", "--all --markdown | pbcopy"],
		options: TODAY,
		run: async (values, _words, world) => (await import("./command/today.ts")).today(values, world),
	}),
	// This entry is only for the help: pi-sessions.mjs runs status.mjs directly, because a shell prompt waits for the result.
	status: command({
		summary: "Print one line for a prompt or a status bar",
		description:
			"Print how many live sessions need you, have failed or are working, in one line for a prompt or a status bar. If there are none, nothing is printed.",
		examples: ["", "--format tmux", "--format json | jq .needs_you"],
		options: STATUS,
		run: async ({ format = "plain" }, _words, { env, out, err }) =>
			(await import("./status.mjs")).status(["--format", format], { env, stdout: out, stderr: err }),
	}),
	attach: command({
		summary: "Bring the terminal of a live session to the front",
		description:
			"Bring the terminal of a live session to the front: its tmux pane, kitty window or WezTerm pane.",
		examples: ["0195a1b2"],
		words: SESSION_WORDS,
		options: {},
		run: async (_values, words, world) => (await import("./command/attach.ts")).attach(words, world),
	}),
	serve: command({
		summary: "Serve sessions over HTTP, with a web page",
		description:
			"Serve sessions over HTTP, with a web page, until you press Ctrl+C. Only this machine can reach the server, and every request needs a token.",
		examples: ["", "--port 0", "--lan"],
		options: SERVE,
		run: async (values, _words, world) => (await import("./serve/main.ts")).serve(values, world),
	}),
	completion: command({
		summary: "Print a shell completion script",
		description:
			"Print the completion script of a shell. It completes commands, options and titles of sessions.",
		examples: ["bash"],
		words: { value: "bash|zsh|fish", description: "Shell for which to print the script" },
		options: {},
		run: async (_values, words, world) =>
			(await import("./command/completion.ts")).completion(words, world, COMMANDS),
	}),
};

/** Returns the file or the id of the session whose agent runs this command. pi 1.x provides them in environment variables. */
function current({ env }: World): string {
	return env["PI_SESSION_FILE"] || env["PI_SESSION_ID"] || "";
}
