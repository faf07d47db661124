import { STATES } from "./sessions/state.ts";
import { type CommandTable, choice, command, flag, option, SESSION_WORDS } from "./shell/command.ts";
import type { World } from "./shell/world.ts";

/** Every subcommand, as the overview lists them. What one does is loaded when it runs. */
export const COMMANDS: CommandTable = {
	list: command({
		summary: "List sessions: what they are about, and what live ones do",
		description: "List the sessions of this project, newest first, and what live ones do.",
		examples: ["--all --state needs-you", "--all --json | jq -r '.sessions[].title'"],
		options: {
			all: flag("Of all projects"),
			background: flag("Headless runs and child sessions too"),
			state: choice("Only those in this state", STATES),
			limit: option("At most this many", "number"),
			json: flag("For programs: see docs/shell.md"),
		},
		run: async (values, _words, world) => (await import("./command/list.ts")).list(values, world),
	}),
	show: command({
		summary: "Show a session's recap and where it stands",
		description:
			"Show a session's recap: the record of its last message, else one derived now. Writes nothing.",
		examples: ['"date parser"', "0195a1b2 --markdown"],
		words: SESSION_WORDS,
		options: { json: flag("For programs: see docs/shell.md"), markdown: flag("For a document") },
		run: async (values, words, world) =>
			(await import("./command/show.ts")).show(words || current(world), values, world),
	}),
	search: command({
		summary: "Search what sessions said and did",
		description:
			"Search requests, replies, commands, their output, names and recaps of this project's sessions. Not every word has to occur. Example: pi-sessions search retry queue --all",
		words: { value: "words", description: "What to search for" },
		options: {
			all: flag("Of all projects, this one first"),
			since: option("Only from then on: 90m, 8h, 2d, or a date", "time"),
			limit: option("At most this many. Default 10", "number"),
			json: flag("For programs: see docs/shell.md"),
		},
		run: async (values, words, world) => (await import("./command/search.ts")).search(words, values, world),
	}),
	read: command({
		summary: "Read a session, or the entries around a search hit",
		description:
			"Read a session's recap and timeline, or the entries around a place, as an agent gets them. Example: pi-sessions read 0195a1b2 @9k",
		words: SESSION_WORDS,
		options: {
			at: option("Around this place (@…) or entry id", "entry"),
			around: option("Entries on either side. Default 3", "number"),
			json: flag("For programs: see docs/shell.md"),
		},
		run: async (values, words, world) => (await import("./command/read.ts")).read(words, values, world),
	}),
	resume: command({
		summary: "Continue a session, an earlier point of it, or a job",
		description:
			"Continue a session: runs pi in the session's own folder. A headless run is resumed as a new one.",
		examples: ['"date parser" --send', "0195a1b2 --branch", "--continue"],
		words: SESSION_WORDS,
		options: {
			continue: flag("The newest session of this project"),
			at: option("Continue from this entry, in a new session", "entry"),
			branch: flag("Continue in a fork; the session stays as it is"),
			send: flag("Send the next step at once; otherwise it waits in the editor"),
			message: option("Send this instead of the next step", "text"),
			repair: flag("Open a repaired copy of a damaged session"),
			anyway: flag("Even if another pi has it open"),
			"dry-run": flag("Print the command instead of running it; writes nothing"),
		},
		run: async (values, words, world) => {
			const wanted = values.continue ? words : words || current(world);
			return (await import("./command/resume.ts")).resume(wanted, values, world);
		},
	}),
	recap: command({
		summary: "Write a session's recap into it, and print it",
		description:
			"Write the recap of a session into its file, as /recap-card does, and print it. One for each last message.",
		words: SESSION_WORDS,
		options: {
			force: flag("Write a new one even if there is one"),
			json: flag("For programs: see docs/shell.md"),
		},
		run: async (values, words, world) =>
			(await import("./command/recap.ts")).recap(words || current(world), values, world),
	}),
	today: command({
		summary: "What each session did today, for a stand-up",
		description:
			"What each session of this project did since midnight, for a stand-up: from its record, else derived now.",
		examples: ["--all --since 8h", "--all --markdown | pbcopy"],
		options: {
			since: option("Start there instead of midnight: 90m, 8h, 2d, or a date", "time"),
			all: flag("Of all projects"),
			markdown: flag("For a document"),
		},
		run: async (values, _words, world) => (await import("./command/today.ts")).today(values, world),
	}),
	// Here for its help only: pi-sessions.mjs runs plain JavaScript, because a prompt waits for it.
	status: command({
		summary: "One line for a prompt or a status bar: what needs you",
		description:
			"One line for a prompt or a status bar: how many live sessions need you, failed, or work. Empty if none.",
		options: { format: choice("What reads it. Default plain", ["plain", "tmux", "json"]) },
		run: async ({ format = "plain" }, _words, { env, out, err }) =>
			(await import("./status.mjs")).status(["--format", format], { env, stdout: out, stderr: err }),
	}),
	attach: command({
		summary: "Bring the terminal of a live session to the front",
		description:
			"Bring the terminal of a live session to the front: its tmux pane, kitty window or WezTerm pane.",
		words: SESSION_WORDS,
		options: {},
		run: async (_values, words, world) => (await import("./attach/attach.ts")).attach(words, world),
	}),
	serve: command({
		summary: "The same over HTTP on this machine, with a page to glance at",
		description:
			"Serve sessions over HTTP, with a page: on this machine alone, for whoever has the token. Until Ctrl+C.",
		examples: ["", "--port 0", "--lan"],
		options: {
			port: option("Default 7878; 0 is any free one", "number"),
			lan: flag("For the local network too, read-only"),
			"new-token": flag("Make new tokens; the old ones stop working"),
		},
		run: async (values, _words, world) => (await import("./serve/main.ts")).serve(values, world),
	}),
	completion: command({
		summary: "Print the completion script of a shell",
		description:
			"Print the completion script of a shell. It completes commands, options, and titles of sessions.",
		words: { value: "bash|zsh|fish", description: "The shell that it is for" },
		options: {
			titles: {
				type: "boolean",
				description: "Print what a session can be called, one per line: for the scripts",
				isInternal: true,
			},
		},
		run: async (values, words, world) =>
			(await import("./command/completion.ts")).completion(words, values, world, COMMANDS),
	}),
};

/** The session in which pi's agent runs this command: pi 1.x names it. */
function current({ env }: World): string {
	return env["PI_SESSION_FILE"] || env["PI_SESSION_ID"] || "";
}
