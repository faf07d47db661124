import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { FOREIGN } from "../session-core/log/format.ts";
import { sinceTime } from "../session-core/sessions/search/since.ts";
import { LISTED_STATES } from "../session-core/sessions/session-list.mjs";
import { SESSION, type Surroundings, type World } from "./shell/world.ts";

type Action<O> = (options: O, world: World, words: string, args: readonly string[]) => Promise<number>;
type Run = (
	command: Command,
	more: Partial<Surroundings>,
	act: (world: World) => Promise<number>,
) => Promise<void>;

function option<T>(flags: string, description: string, parse?: (given: string) => T): Option {
	const made = new Option(flags, description);
	return parse ? made.argParser(parse) : made;
}

function value<T>(expected: string, read: (given: string) => T | undefined): (given: string) => T {
	return (given) => {
		const found = read(given);
		if (found === undefined) throw new InvalidArgumentError(expected);
		return found;
	};
}

const number = (min: number, max: number) =>
	value(`Specify a number from ${min} to ${max}.`, (given) => {
		const read = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
		return read >= min && read <= max ? read : undefined;
	});
const text = value("Enter some text.", (given) => given || undefined);
/**
 * The value of `--since` is converted after validation, because only the command knows the current
 * time.
 */
const time = value("Specify a time such as 90m, 8h or 2d, or a past date such as 2026-01-31.", (given) =>
	sinceTime(given, Date.now()) === undefined ? undefined : given,
);
const ALL = option("--all", "Include sessions from all projects");
const OTHER_AGENTS = option(
	"--agents",
	`Include sessions of other agents (${FOREIGN.map(({ mark }) => mark).join(", ")})`,
);
const JSON_OUTPUT = option("--json", "Print JSON; see docs/shell.md for the fields");
/** Titles with spaces do not need quotes, because the command's arguments are joined. */
const SESSION_WORDS = new Argument(
	`[${SESSION}...]`,
	"The session's title (or part of it), the session's id (or at least the first four characters), or the path of the session's file",
);

type Add = (program: Command, run: Run) => void;

/**
 * The overview of all commands shows only the first sentence of `description`. Each command's module is
 * loaded only when the command runs, because loading all modules takes too long.
 */
function define<O>(
	name: string,
	description: string,
	examples: readonly string[],
	parts: readonly (Option | Argument)[],
	load: () => Promise<Action<O>>,
): Add {
	return (program, run) => {
		const lines = examples.map((example) => `  pi-sessions ${name} ${example}`.trimEnd());
		const command = program
			.command(name)
			.summary(/^.*?(?=[.:] |\.?$)/.exec(description)?.[0] ?? "")
			.description(description)
			.showHelpAfterError(`Run pi-sessions ${name} --help to see its arguments and options.`)
			.addHelpText("after", ["", "Examples:", ...lines].join("\n"));
		for (const part of parts) {
			if (part instanceof Option) command.addOption(part);
			else command.addArgument(part);
		}
		command.action(() => {
			const options = command.opts<O & { agents?: boolean }>();
			const words = command.args.join(" ").trim();
			return run(command, options.agents ? { formats: FOREIGN } : {}, async (world) =>
				(await load())(options, world, words, command.args),
			);
		});
	};
}

const COMMANDS: readonly Add[] = [
	define(
		"list",
		"List this project's sessions and their states, newest first. In a terminal, live sessions come before closed sessions.",
		["", "--all --state waiting", "--all --json | jq -r '.sessions[].title'"],
		[
			ALL,
			OTHER_AGENTS,
			option("--background", "Include headless runs and child sessions"),
			option("--archived", "Include other agents' archived sessions"),
			option("--state <state>", "List only sessions in the given state").choices(LISTED_STATES),
			option("--limit <number>", "Maximum number of sessions to list (default: all)", number(0, 999_999_999)),
			JSON_OUTPUT,
		],
		async () => (await import("./command/list.ts")).list,
	),
	define(
		"show",
		"Show a session's recap. If the saved recap is out of date, a new recap is shown but not saved.",
		['"date parser"', "0195a1b2 --markdown"],
		[SESSION_WORDS, OTHER_AGENTS, JSON_OUTPUT, option("--markdown", "Print Markdown").conflicts("json")],
		async () => (await import("./command/show.ts")).show,
	),
	define(
		"search",
		"Search this project's sessions: messages, commands and their output, names and recaps. The best matches come first. A match does not have to contain every word.",
		["retry queue", "--all --since 2d ECONNRESET", "--json 'date parser' | jq '.hits[0]'"],
		[
			new Argument("<words...>", "Words to search for"),
			option("--all", "Search all projects, starting with the current project"),
			OTHER_AGENTS,
			option(
				"--since <time>",
				"Search only entries since a given time: a date such as 2026-01-31, or a duration before now such as 90m, 8h or 2d",
				time,
			),
			option("--limit <number>", "Maximum number of matches to print", number(1, 999)).default(10),
			JSON_OUTPUT,
		],
		async () => (await import("./command/search.ts")).search,
	),
	define(
		"read",
		"Read a session, or the entries around a search match. In a terminal, the session is shown as a conversation. Piped output is plain text for coding agents.",
		["0195a1b2", "0195a1b2 @9k", "0195a1b2 --at 1a2b3c4d --around 10"],
		[
			SESSION_WORDS,
			OTHER_AGENTS,
			option(
				"--at <entry>",
				"Print the entries around an entry; specify the entry's id or a reference from a search result (such as @9k)",
				text,
			),
			option(
				"--around <number>",
				"Number of entries to print before and after the chosen entry (default: 3)",
				number(0, 20),
			),
			JSON_OUTPUT,
		],
		async () => (await import("./command/search.ts")).read,
	),
	define(
		"resume",
		"Resume a session, optionally from an earlier point. pi starts in the session's folder, with the session's next step in the editor. A job (a headless run) is resumed as a new headless run.",
		['"date parser" --send', "0195a1b2 --branch", "--continue"],
		[
			SESSION_WORDS,
			OTHER_AGENTS,
			option("--continue", "Resume this project's most recent session"),
			option("--at <entry>", "Continue from the given entry in a new session", text),
			option("--branch", "Continue in a fork and leave the session unchanged"),
			option("--send", "Send the next step immediately instead of putting it in the editor"),
			option("--message <text>", "Send the given text instead of the next step", text),
			option("--repair", "Open a repaired copy of a damaged session"),
			option("--anyway", "Open the session even if it is open in another process"),
			option("--in-pi", "Continue another agent's session in a new pi session"),
			option("--yes", "Start the job even if it was recorded on another machine"),
			option("--dry-run", "Print the command without running it or creating a session"),
		],
		async () => (await import("./command/resume.ts")).resume,
	),
	define(
		"restore",
		"Reopen the sessions that a crash or a restart interrupted in the last seven days. In tmux, each session is opened in a new window; elsewhere, a command is printed for each session. Sessions that have already been reopened are skipped.",
		["", "--dry-run"],
		[option("--dry-run", "Print the commands instead of opening windows")],
		async () => (await import("./command/live.ts")).restore,
	),
	define(
		"recap",
		"Save a recap in the session's file and print the recap. A recap that is already up to date is printed but not saved again.",
		["0195a1b2", "0195a1b2 --force --json"],
		[
			SESSION_WORDS,
			option("--force", "Write a new recap even if the saved recap is up to date"),
			JSON_OUTPUT,
		],
		async () => (await import("./command/show.ts")).makeRecap,
	),
	define(
		"today",
		"Summarize today's work in this project's sessions, for example for a stand-up meeting.",
		["--all --since 8h", "--all --markdown | pbcopy"],
		[
			option(
				"--since <time>",
				"Include only work since a given time: a date such as 2026-01-31, or a duration before now such as 90m, 8h or 2d (default: midnight)",
				time,
			),
			ALL,
			OTHER_AGENTS,
			option("--markdown", "Print Markdown"),
		],
		async () => (await import("./command/today.ts")).today,
	),
	// To save time, `pi-sessions.mjs` handles `status`, so this definition is only for help and completion.
	define<{ format: string }>(
		"status",
		"Print one line for a shell prompt or a status bar. The line shows how many live sessions are waiting, have failed, have finished or are working. If there are no such sessions, nothing is printed.",
		["", "--format tmux", "--format json | jq .waiting"],
		[option("--format <format>", "Output format").choices(["plain", "tmux", "json"]).default("plain")],
		async () =>
			async ({ format }, { env, out, err }) =>
				(await import("./status.mjs")).status(["--format", format], { env, stdout: out, stderr: err }),
	),
	define(
		"attach",
		"Bring a live session's terminal to the front: its tmux pane, kitty window or WezTerm pane.",
		["0195a1b2"],
		[SESSION_WORDS],
		async () => (await import("./command/live.ts")).attach,
	),
	define(
		"answer",
		"Send an answer to a live session that is waiting for you, and print the question that was answered. Your text is submitted as a prompt if the agent is idle, the session's editor is empty, and no message has been added in the meantime. Without text, the question is shown, and you can type an answer.",
		['0195a1b2 "yes, rename it"', '"date parser"'],
		[
			new Argument(
				`<${SESSION}>`,
				"The session's title or part of it (in quotes), the session's id, or the path of the session's file",
			),
			new Argument("[text...]", "Your answer"),
			option(
				"--seen <message id>",
				"Answer only if the session's last message still has the given id (see last_message_id in list --json)",
			),
		],
		async () => (await import("./command/live.ts")).answer,
	),
	define(
		"serve",
		"Start a server that shows your sessions on a web page and provides an HTTP API. The server runs until you press Ctrl+C. By default, only this machine can reach the server. Every request for data requires a token.",
		["", "--port 0", "--lan"],
		[
			option("--port <number>", "Port to listen on; 0 picks a free port", number(0, 65_535)).default(7878),
			option("--lan", "Also allow read-only access from other machines on the local network"),
		],
		async () => (await import("./serve/main.ts")).serve,
	),
	define(
		"completion",
		"Print a script that completes commands, options and session titles in your shell.",
		["bash"],
		[new Argument("<shell>", "Your shell").choices(["bash", "zsh", "fish"])],
		async () => (await import("./command/completion.ts")).completion,
	),
];

export function addCommands(program: Command, run: Run): void {
	for (const add of COMMANDS) add(program, run);
	const offers = program.command("offers", { hidden: true }).argument("[words...]");
	offers.action(() =>
		run(offers, {}, async (world) => {
			const { offersOf } = await import("./command/completion.ts");
			return offersOf(offers.args, world, program);
		}),
	);
}
