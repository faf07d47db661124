import { STATES } from "./sessions/state.ts";
import {
	type CommandTable,
	choice,
	command,
	flag,
	number,
	SESSION_WORDS,
	text,
	time,
} from "./shell/command.ts";
import type { World } from "./shell/world.ts";

const ALL = flag("Include the sessions of all projects");
const AGENTS_TOO = flag("Include the sessions of Claude Code and Codex");
const JSON_OUTPUT = flag("Print JSON; docs/shell.md describes the fields");
const MARKDOWN = flag("Print Markdown");

/** All subcommands, in the order in which the overview lists them. A command's module is loaded only when the command runs. */
export const COMMANDS: CommandTable = {
	list: command({
		summary: "List sessions and the state of live ones",
		description:
			"List the sessions of this project, newest first. Live sessions are shown with their state: needs you, failed, working or idle.",
		examples: ["", "--all --state needs-you", "--all --json | jq -r '.sessions[].title'"],
		options: {
			all: ALL,
			agents: AGENTS_TOO,
			background: flag("Include headless runs and child sessions"),
			state: choice("Only sessions in this state", STATES),
			limit: number("Maximum number of sessions (default: all)", 0, 999_999_999),
			json: JSON_OUTPUT,
		},
		run: async (values, _words, world) => (await import("./command/list.ts")).list(values, world),
	}),
	show: command({
		summary: "Show the recap of a session",
		description:
			"Show the recap of a session: the stored one if it covers the last message, otherwise one generated now. Nothing is written.",
		examples: ['"date parser"', "0195a1b2 --markdown"],
		words: SESSION_WORDS,
		options: { agents: AGENTS_TOO, json: JSON_OUTPUT, markdown: MARKDOWN },
		run: async (values, words, world) =>
			(await import("./command/show.ts")).show(words || current(world), values, world),
	}),
	search: command({
		summary: "Search messages, commands and their output",
		description:
			"Search requests, replies, commands, their output, names and recaps of this project's sessions, best match first. Not every word has to occur; quoted words count more.",
		examples: ["retry queue", "--all --since 2d ECONNRESET", "--json 'date parser' | jq '.hits[0]'"],
		words: { value: "words", description: "Words to search for" },
		options: {
			all: flag("Search all projects, this one first"),
			agents: AGENTS_TOO,
			since: time("Only entries after this time: 90m, 8h, 2d, or a date"),
			limit: number("Maximum number of hits (default: 10)", 1, 999),
			json: JSON_OUTPUT,
		},
		run: async (values, words, world) => (await import("./command/search.ts")).search(words, values, world),
	}),
	read: command({
		summary: "Read a session, or the entries around a search hit",
		description:
			"Print a session's recap and timeline, or the entries around a given position, as an agent sees them.",
		examples: ["0195a1b2", "0195a1b2 @9k", "0195a1b2 --at 1a2b3c4d --around 10"],
		words: SESSION_WORDS,
		options: {
			agents: AGENTS_TOO,
			at: text("Entry id, or a place as printed by search (@…)", "entry"),
			around: number("Number of entries on either side (default: 3)", 0, 20),
			json: JSON_OUTPUT,
		},
		run: async (values, words, world) => (await import("./command/read.ts")).read(words, values, world),
	}),
	resume: command({
		summary: "Resume a session, an earlier point of it, or a job",
		description:
			"Run pi in the folder of a session, with the next step in the editor. A headless run is resumed as a new headless run.",
		examples: ['"date parser" --send', "0195a1b2 --branch", "--continue"],
		words: SESSION_WORDS,
		options: {
			agents: AGENTS_TOO,
			continue: flag("Resume the newest session of this project"),
			at: text("Continue from this entry, in a new session", "entry"),
			branch: flag("Continue in a fork; the session does not change"),
			send: flag("Send the next step at once instead of leaving it in the editor"),
			message: text("Send this text instead of the next step", "text"),
			repair: flag("Open a repaired copy of a damaged session"),
			anyway: flag("Open it even if another pi has it open"),
			"in-pi": flag("Continue a session of another agent in a new session of pi"),
			yes: flag("Start a job without asking, even if another machine recorded it"),
			"dry-run": flag("Print the command instead of running it; nothing is written"),
		},
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
		options: { "dry-run": flag("Only print the commands") },
		run: async (values, _words, world) => (await import("./command/restore.ts")).restore(values, world),
	}),
	recap: command({
		summary: "Write the recap of a session into its file, and print it",
		description:
			"Write the recap of a session into its file, as /recap-card does, and print it. If the last message already has a recap, that recap is printed and nothing is written.",
		examples: ["0195a1b2", "0195a1b2 --force --json"],
		words: SESSION_WORDS,
		options: {
			force: flag("Write a new recap even if one already exists"),
			json: JSON_OUTPUT,
		},
		run: async (values, words, world) =>
			(await import("./command/recap.ts")).recap(words || current(world), values, world),
	}),
	today: command({
		summary: "List what each session has done today",
		description:
			"List what each session of this project has done since midnight, for example for a stand-up.",
		examples: ["--all --since 8h", "--all --markdown | pbcopy"],
		options: {
			since: time("How far to go back: 90m, 8h, 2d, or a date (default: midnight)"),
			all: ALL,
			agents: AGENTS_TOO,
			markdown: MARKDOWN,
		},
		run: async (values, _words, world) => (await import("./command/today.ts")).today(values, world),
	}),
	// This entry is only for the help: pi-sessions.mjs runs status.mjs directly, because a shell prompt waits for the result.
	status: command({
		summary: "Print one line for a prompt or a status bar",
		description:
			"Print how many live sessions need you, have failed or are working, in one line for a prompt or a status bar. If there are none, nothing is printed.",
		examples: ["", "--format tmux", "--format json | jq .needs_you"],
		options: { format: choice("Output format (default: plain)", ["plain", "tmux", "json"]) },
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
		options: {
			port: number("Port (default: 7878); 0 picks a free one", 0, 65_535),
			lan: flag("Also serve the local network, read-only"),
		},
		run: async (values, _words, world) => (await import("./serve/main.ts")).serve(values, world),
	}),
	completion: command({
		summary: "Print a shell completion script",
		description:
			"Print the completion script of a shell. It completes commands, options and titles of sessions.",
		examples: ["bash"],
		words: { value: "bash|zsh|fish", description: "Shell for which to print the script" },
		options: {
			offers: flag("Print what can follow these words, one per line, for the scripts", true),
		},
		run: async (values, words, world) =>
			(await import("./command/completion.ts")).completion(words, values, world, COMMANDS),
	}),
};

/** Returns the file or the id of the session whose agent runs this command. pi 1.x provides them in environment variables. */
function current({ env }: World): string {
	return env["PI_SESSION_FILE"] || env["PI_SESSION_ID"] || "";
}
