import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { FOREIGN } from "../session-core/log/format.ts";
import { sinceTime } from "../session-core/sessions/search/since.ts";
import { LISTED_STATES } from "../session-core/sessions/session-list.mjs";
import { SESSION, type World } from "./shell/world.ts";

/** The function that runs a command. `words`: the arguments `args`, joined with spaces. Resolves to the exit code. */
type Action<O> = (options: O, world: World, words: string, args: readonly string[]) => Promise<number>;
/** Runs a command in its world. */
type Run = (command: Command, act: (world: World) => Promise<number>) => Promise<void>;

const ALL = ["--all", "Include the sessions of all projects"] as const;
const OTHER_AGENTS = [
	"--agents",
	`Include the sessions of ${FOREIGN.map(({ mark }) => mark).join(", ")}`,
] as const;
const JSON_OUTPUT = ["--json", "Print JSON; docs/shell.md describes the fields"] as const;
const MARKDOWN = ["--markdown", "Print Markdown"] as const;
/** Arguments are joined with spaces, so titles need no quotes. */
const SESSION_WORDS = [
	`[${SESSION}...]`,
	"Session title or part of it, at least the first four characters of the id, or the path of the session file",
] as const;

/** Returns a parser for an option's value. `read` returns undefined if the value is not what `expected` describes. */
function value<T>(expected: string, read: (given: string) => T | undefined): (given: string) => T {
	return (given) => {
		const found = read(given);
		if (found === undefined) throw new InvalidArgumentError(`It must be ${expected}.`);
		return found;
	};
}

const number = (min: number, max: number) =>
	value(`a number from ${min} to ${max}`, (given) => {
		const isInRange = /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max;
		return isInRange ? Number(given) : undefined;
	});
const text = value("a text that is not empty", (given) => given || undefined);
// JSON output spells states with underscores (`waiting`), so this spelling is also accepted.
const choice = (flags: string, description: string, choices: readonly string[]) =>
	new Option(flags, description)
		.choices(choices)
		.argParser(
			value(`one of ${choices.join(", ")}`, (given) =>
				choices.find((one) => one === given.replaceAll("_", "-")),
			),
		);

/** Adds all subcommands, in the order in which the help lists them. A command's module is loaded only when the command runs. */
export function addCommands(program: Command, now: () => number, run: Run): void {
	const time = value("a time such as 90m, 8h or 2d, or a past date such as 2026-01-31", (given) =>
		sinceTime(given, now()),
	);
	/** Adds a command. The overview shows the first sentence of its description. `examples`: sample arguments for its help. */
	const add = (name: string, description: string, examples: readonly string[]) => {
		const lines = examples.map((example) => `  pi-sessions ${name} ${example}`.trimEnd());
		return program
			.command(name)
			.summary(description.split(". ", 1).join())
			.description(description)
			.showHelpAfterError(`See pi-sessions ${name} --help.`)
			.addHelpText("after", ["", "Examples:", ...lines].join("\n"));
	};
	/** Returns the action of a command. `load` returns the function that runs the command. */
	const runs = <O>(load: () => Promise<Action<O>>) =>
		function (this: Command): Promise<void> {
			const options = this.opts<O & { agents?: boolean }>();
			const formats = options.agents ? { formats: FOREIGN } : {};
			const words = this.args.join(" ").trim();
			return run(this, async (world) => (await load())(options, { ...world, ...formats }, words, this.args));
		};

	add(
		"list",
		"List sessions and the state of live ones. The newest sessions of this project come first; in a terminal, live ones come before closed ones.",
		["", "--all --state waiting", "--all --json | jq -r '.sessions[].title'"],
	)
		.option(...ALL)
		.option(...OTHER_AGENTS)
		.option("--background", "Include headless runs and child sessions")
		.option("--archived", "Include sessions that their own program has archived")
		.addOption(choice("--state <state>", "Only sessions in this state", [...LISTED_STATES]))
		.option("--limit <number>", "Maximum number of sessions (default: all)", number(0, 999_999_999))
		.option(...JSON_OUTPUT)
		.action(runs(async () => (await import("./command/list.ts")).list));

	add(
		"show",
		"Show the recap of a session. If no stored one covers the last message, a recap is generated now. Nothing is written.",
		['"date parser"', "0195a1b2 --markdown"],
	)
		.argument(...SESSION_WORDS)
		.option(...OTHER_AGENTS)
		.option(...JSON_OUTPUT)
		.addOption(new Option(...MARKDOWN).conflicts("json"))
		.action(runs(async () => (await import("./command/show.ts")).show));

	add(
		"search",
		"Search messages, commands and their output, names and recaps in this project's sessions. The best matches come first. A match need not contain every word.",
		["retry queue", "--all --since 2d ECONNRESET", "--json 'date parser' | jq '.hits[0]'"],
	)
		.argument("<words...>", "Words to search for")
		.option("--all", "Search all projects, this one first")
		.option(...OTHER_AGENTS)
		.option("--since <time>", "Only entries after this time: 90m, 8h, 2d, or a date", time)
		.option("--limit <number>", "Maximum number of hits", number(1, 999), 10)
		.option(...JSON_OUTPUT)
		.action(runs(async () => (await import("./command/search.ts")).search));

	add(
		"read",
		"Read a session, or the entries around a search hit. A session's recap and timeline, or the entries around a given position, are printed as an agent sees them.",
		["0195a1b2", "0195a1b2 @9k", "0195a1b2 --at 1a2b3c4d --around 10"],
	)
		.argument(...SESSION_WORDS)
		.option(...OTHER_AGENTS)
		.option("--at <entry>", "Entry id, or a place as printed by search (@…)", text)
		.option("--around <number>", "Number of entries on either side (default: 3)", number(0, 20))
		.option(...JSON_OUTPUT)
		.action(runs(async () => (await import("./command/read.ts")).read));

	add(
		"resume",
		"Resume a session, an earlier point of it, or a job. pi is run in the folder of the session, with the next step in the editor. A headless run is resumed as a new headless run.",
		['"date parser" --send', "0195a1b2 --branch", "--continue"],
	)
		.argument(...SESSION_WORDS)
		.option(...OTHER_AGENTS)
		.option("--continue", "Resume the newest session of this project")
		.option("--at <entry>", "Continue from this entry, in a new session", text)
		.option("--branch", "Continue in a fork; the session does not change")
		.option("--send", "Send the next step at once instead of leaving it in the editor")
		.option("--message <text>", "Send this text instead of the next step", text)
		.option("--repair", "Open a repaired copy of a damaged session")
		.option("--anyway", "Open it even if another pi has it open")
		.option("--in-pi", "Continue a session of another agent in a new session of pi")
		.option("--yes", "Start a job even if another machine recorded it")
		.option("--dry-run", "Print the command instead of running it; no session is written")
		.action(runs(async () => (await import("./command/resume.ts")).resume));

	add(
		"restore",
		"Reopen the sessions that a crash or a restart ended. These are the sessions of the last seven days that were open when the machine, the terminal or pi ended without closing them. In tmux, they are opened as windows; elsewhere, one command for each is printed. Sessions that are open again are left alone.",
		["", "--dry-run"],
	)
		.option("--dry-run", "Only print the commands")
		.action(runs(async () => (await import("./command/restore.ts")).restore));

	add(
		"recap",
		"Write the recap of a session into its file, and print it. If the last message already has a recap, that recap is printed and nothing is written.",
		["0195a1b2", "0195a1b2 --force --json"],
	)
		.argument(...SESSION_WORDS)
		.option("--force", "Write a new recap even if one already exists")
		.option(...JSON_OUTPUT)
		.action(runs(async () => (await import("./command/recap.ts")).makeRecap));

	add("today", "List what each session of this project has done today, for example for a stand-up.", [
		"--all --since 8h",
		"--all --markdown | pbcopy",
	])
		.option("--since <time>", "How far to go back: 90m, 8h, 2d, or a date (default: midnight)", time)
		.option(...ALL)
		.option(...OTHER_AGENTS)
		.option(...MARKDOWN)
		.action(runs(async () => (await import("./command/today.ts")).today));

	// This entry is only for the help: pi-sessions.mjs runs status.mjs directly, because a shell prompt waits for the result.
	add(
		"status",
		"Print one line for a prompt or a status bar. It shows how many live sessions are waiting, failed, finished or working. If there are none, nothing is printed.",
		["", "--format tmux", "--format json | jq .waiting"],
	)
		.addOption(choice("--format <format>", "Output format", ["plain", "tmux", "json"]).default("plain"))
		.action(
			runs(async () => async ({ format }: { format: string }, { env, out, err }) => {
				const { status } = await import("./status.mjs");
				return status(["--format", format], { env, stdout: out, stderr: err });
			}),
		);

	add(
		"attach",
		"Bring the terminal of a live session to the front. The terminal is a tmux pane, a kitty window or a WezTerm pane.",
		["0195a1b2"],
	)
		.argument(...SESSION_WORDS)
		.action(runs(async () => (await import("./command/attach.ts")).attach));

	add(
		"answer",
		"Answer a live session that waits for you, and print what was answered. Its pi submits the text as your prompt, if the agent is idle, no text is in its editor, and nothing has happened since its last message. Without text, the question is shown, and you are asked for your answer.",
		['0195a1b2 "yes, with the new name"', '"date parser"'],
	)
		.argument(`<${SESSION}>`, "Session title or part of it in quotes, an id, or the path of the session file")
		.argument("[text...]", "Your answer")
		.option("--seen <message id>", "Answer only if this is the last message: last_message_id of list --json")
		.action(runs(async () => (await import("./command/answer.ts")).answer));

	add(
		"serve",
		"Serve sessions over HTTP, with a web page. The server runs until you press Ctrl+C. Only this machine can reach it, and every request needs a token.",
		["", "--port 0", "--lan"],
	)
		.option("--port <number>", "Port; 0 picks a free one", number(0, 65_535), 7878)
		.option("--lan", "Also serve the local network, read-only")
		.action(runs(async () => (await import("./serve/main.ts")).serve));

	add(
		"completion",
		"Print a shell completion script. It completes commands, options and titles of sessions.",
		["bash"],
	)
		.addArgument(new Argument("<shell>", "Shell to print the script for").choices(["bash", "zsh", "fish"]))
		.action(runs(async () => (await import("./command/completion.ts")).completion));

	// The scripts call this command with the words before the cursor.
	program
		.command("offers", { hidden: true })
		.argument("[words...]")
		.action(runs(async () => (await import("./command/completion.ts")).offersOf(program)));
}
