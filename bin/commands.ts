import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { FOREIGN } from "../session-core/log/format.ts";
import { sinceTime } from "../session-core/sessions/search/since.ts";
import { LISTED_STATES } from "../session-core/sessions/session-list.mjs";
import { SESSION, type Surroundings, type World } from "./shell/world.ts";

/** Runs a command, and resolves to its exit code. `words` contains the command's arguments (`args`), joined with spaces. */
type Action<O> = (options: O, world: World, words: string, args: readonly string[]) => Promise<number>;
/** Runs `act` for a command. `more` overrides the surroundings if an option of the command requires it. */
type Run = (
	command: Command,
	more: Partial<Surroundings>,
	act: (world: World) => Promise<number>,
) => Promise<void>;

function option<T>(flags: string, description: string, parse?: (given: string) => T): Option {
	const made = new Option(flags, description);
	return parse ? made.argParser(parse) : made;
}

/** Returns a parser for an option's value. `read` returns undefined if the value does not match the description in `expected`. */
function value<T>(expected: string, read: (given: string) => T | undefined): (given: string) => T {
	return (given) => {
		const found = read(given);
		if (found === undefined) throw new InvalidArgumentError(`Specify ${expected}.`);
		return found;
	};
}

const number = (min: number, max: number) =>
	value(`a number from ${min} to ${max}`, (given) => {
		const read = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
		return read >= min && read <= max ? read : undefined;
	});
const text = value("non-empty text", (given) => given || undefined);
/** Checks that the value is a time, but does not convert it, because only the command knows the current time. */
const time = value("a time such as 90m, 8h or 2d, or a past date such as 2026-01-31", (given) =>
	sinceTime(given, Date.now()) === undefined ? undefined : given,
);
const ALL = option("--all", "Include the sessions of all projects");
const OTHER_AGENTS = option(
	"--agents",
	`Include sessions of other agents (${FOREIGN.map(({ mark }) => mark).join(", ")})`,
);
const JSON_OUTPUT = option("--json", "Print JSON; docs/shell.md describes the fields");
/** A title needs no quotes, because the command's arguments are joined with spaces. */
const SESSION_WORDS = new Argument(
	`[${SESSION}...]`,
	"Title of the session or part of the title, its id or at least the first four characters of the id, or the path of its file",
);

type Add = (program: Command, run: Run) => void;

/**
 * Defines a command. The overview of all commands shows only the first sentence of `description`. The command's help shows each of the
 * `examples` after the command's name. The command's module is not loaded until the command runs, because loading all of them is slow.
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

/** The commands, in the order in which the help lists them. */
const COMMANDS: readonly Add[] = [
	define(
		"list",
		"List this project's sessions and the state of live sessions. The newest sessions come first; in a terminal, live sessions come before closed sessions.",
		["", "--all --state waiting", "--all --json | jq -r '.sessions[].title'"],
		[
			ALL,
			OTHER_AGENTS,
			option("--background", "Include headless runs and child sessions"),
			option("--archived", "Include sessions that another agent has archived"),
			option("--state <state>", "List only sessions in this state").choices(LISTED_STATES),
			option("--limit <number>", "Maximum number of sessions to list (default: all)", number(0, 999_999_999)),
			JSON_OUTPUT,
		],
		async () => (await import("./command/list.ts")).list,
	),
	define(
		"show",
		"Show a session's recap. If no stored recap covers the last message, a new recap is generated but not saved.",
		['"date parser"', "0195a1b2 --markdown"],
		[SESSION_WORDS, OTHER_AGENTS, JSON_OUTPUT, option("--markdown", "Print Markdown").conflicts("json")],
		async () => (await import("./command/show.ts")).show,
	),
	define(
		"search",
		"Search this project's sessions: messages, commands and their output, names and recaps. The best matches come first. A match need not contain every word.",
		["retry queue", "--all --since 2d ECONNRESET", "--json 'date parser' | jq '.hits[0]'"],
		[
			new Argument("<words...>", "Words to search for"),
			option("--all", "Search all projects, beginning with this project"),
			OTHER_AGENTS,
			option("--since <time>", "Search only entries after this time: 90m, 8h, 2d, or a date", time),
			option("--limit <number>", "Maximum number of matches to print", number(1, 999)).default(10),
			JSON_OUTPUT,
		],
		async () => (await import("./command/search.ts")).search,
	),
	define(
		"read",
		"Read a session, or the entries around a search hit. In a terminal, the session is shown as a conversation. If the output is piped, the session is printed in the form that an agent reads.",
		["0195a1b2", "0195a1b2 @9k", "0195a1b2 --at 1a2b3c4d --around 10"],
		[
			SESSION_WORDS,
			OTHER_AGENTS,
			option("--at <entry>", "Read around this entry: an entry id, or a place printed by search (@…)", text),
			option(
				"--around <number>",
				"Number of entries to print before and after the entry (default: 3)",
				number(0, 20),
			),
			JSON_OUTPUT,
		],
		async () => (await import("./command/search.ts")).read,
	),
	define(
		"resume",
		"Resume a session, optionally from an earlier point. pi starts in the session's folder, with the next step in the editor. A job (a headless run) is resumed as a new headless run.",
		['"date parser" --send', "0195a1b2 --branch", "--continue"],
		[
			SESSION_WORDS,
			OTHER_AGENTS,
			option("--continue", "Resume the newest session of this project"),
			option("--at <entry>", "Continue from this entry in a new session", text),
			option("--branch", "Continue in a fork, and leave the session unchanged"),
			option("--send", "Send the next step at once instead of leaving it in the editor"),
			option("--message <text>", "Send this text instead of the next step", text),
			option("--repair", "Open a repaired copy of a damaged session"),
			option("--anyway", "Open the session even if another pi process has it open"),
			option("--in-pi", "Continue another agent's session in a new pi session"),
			option("--yes", "Start a job even if another machine recorded it"),
			option("--dry-run", "Print the command instead of running it; no session is written"),
		],
		async () => (await import("./command/resume.ts")).resume,
	),
	define(
		"restore",
		"Reopen the sessions that a crash or a restart interrupted. These are the sessions of the last seven days that were open when pi, the terminal or the machine ended unexpectedly. In tmux, each session is opened in a new window; elsewhere, a command is printed for each session. Sessions that are already open again are skipped.",
		["", "--dry-run"],
		[option("--dry-run", "Print the commands instead of opening windows")],
		async () => (await import("./command/live.ts")).restore,
	),
	define(
		"recap",
		"Save a recap in the session's file, and print it. If the last message already has a recap, that recap is printed and nothing is written.",
		["0195a1b2", "0195a1b2 --force --json"],
		[
			SESSION_WORDS,
			option("--force", "Write a new recap even if the last message already has a recap"),
			JSON_OUTPUT,
		],
		async () => (await import("./command/show.ts")).makeRecap,
	),
	define(
		"today",
		"List what each session of this project did today, for example for a stand-up.",
		["--all --since 8h", "--all --markdown | pbcopy"],
		[
			option("--since <time>", "Start of the period: 90m, 8h, 2d, or a date (default: midnight)", time),
			ALL,
			OTHER_AGENTS,
			option("--markdown", "Print Markdown"),
		],
		async () => (await import("./command/today.ts")).today,
	),
	// This definition is used only for the help. pi-sessions.mjs runs status.mjs directly, because a shell prompt waits for its output.
	define<{ format: string }>(
		"status",
		"Print one line for a prompt or a status bar. The line shows how many live sessions are waiting, failed, finished or working. If there are no such sessions, nothing is printed.",
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
		"Answer a live session that is waiting for you, and print the question that was answered. The session's pi submits your text as a prompt if its agent is idle, its editor is empty, and no message has been added in the meantime. Without text, the question is shown, and you can type an answer.",
		['0195a1b2 "yes, with the new name"', '"date parser"'],
		[
			new Argument(
				`<${SESSION}>`,
				"Title of the session or part of the title in quotes, its id, or the path of its file",
			),
			new Argument("[text...]", "Your answer"),
			option(
				"--seen <message id>",
				"Answer only if the message with this id is still the last one (last_message_id in list --json)",
			),
		],
		async () => (await import("./command/live.ts")).answer,
	),
	define(
		"serve",
		"Serve your sessions over HTTP, with a web page. The server runs until you press Ctrl+C. Only this machine can reach the server, and every request for data needs a token.",
		["", "--port 0", "--lan"],
		[
			option("--port <number>", "Port to listen on; 0 picks a free port", number(0, 65_535)).default(7878),
			option("--lan", "Also give the local network read-only access"),
		],
		async () => (await import("./serve/main.ts")).serve,
	),
	define(
		"completion",
		"Print a shell completion script. The script completes commands, options and session titles.",
		["bash"],
		[new Argument("<shell>", "Shell that will run the script").choices(["bash", "zsh", "fish"])],
		async () => (await import("./command/completion.ts")).completion,
	),
];

export function addCommands(program: Command, run: Run): void {
	for (const add of COMMANDS) add(program, run);
	// The completion scripts call this command with the words before the cursor.
	const offers = program.command("offers", { hidden: true }).argument("[words...]");
	offers.action(() =>
		run(offers, {}, async (world) => {
			const { offersOf } = await import("./command/completion.ts");
			return offersOf(offers.args, world, program);
		}),
	);
}
