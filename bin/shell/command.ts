import { parseArgs } from "node:util";
import { AGENTS } from "../../session-core/agents/agents.ts";
import { errorText } from "../../session-core/regular-file.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import { nearest } from "../../session-core/text/matching.ts";
import type { Options, Values } from "./options.ts";
import { columnsOf, tableLines, wrapped } from "./terminal.ts";
import { DONE, NOT_FOUND, type World } from "./world.ts";

const PROGRAM = "pi-sessions";

/** The arguments that are not options. They are joined with spaces, so titles need no quotes. */
export interface Words {
	value: string;
	description: string;
}

/** One subcommand. */
export interface Command {
	/** The one-line description for the overview and for completion. */
	summary: string;
	/** The first paragraph of the command's help. */
	description: string;
	/** Sample arguments that are shown after the command's name in the examples of its help. */
	examples?: readonly string[];
	options: Options;
	words?: Words;
	/** Resolves to the exit code. */
	run(values: Values<Options>, words: string, world: World): Promise<number>;
}

interface Definition<O extends Options> extends Omit<Command, "options" | "run"> {
	options: O;
	run(values: Values<O>, words: string, world: World): Promise<number>;
}

/** Defines a command. The type ensures that `run` receives the values of `options`. */
export function command<const O extends Options>(definition: Definition<O>): Command {
	return definition;
}

/** Every subcommand by its name. */
export type CommandTable = Readonly<Record<string, Command>>;

export const SESSION_WORDS: Words = {
	value: "title|id",
	description:
		"Session title or part of it, at least the first four characters of the id, or the path of the session file",
};

/** Runs a subcommand, prints its help, or reports what is wrong with its arguments. Resolves to the exit code. */
export async function runCommand(
	name: string,
	command: Command,
	args: readonly string[],
	world: World,
): Promise<number> {
	const own = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
	if (own.some((arg) => arg === "--help" || arg === "-h")) {
		world.out.write(`${usageOf(name, command, columnsOf(world.out))}\n`);
		return DONE;
	}
	const typed = parsed(args, command, world.now());
	if (typeof typed !== "string") {
		// The option means the same for every command that has it.
		const agents = typed.values["agents"] ? { agents: AGENTS } : {};
		return command.run(typed.values, typed.words, { ...world, ...agents });
	}
	return world.fail(`${typed} See ${PROGRAM} ${name} --help.`, NOT_FOUND);
}

/** Returns the values of the arguments, or a message about what is wrong with them. */
function parsed(
	args: readonly string[],
	{ options, words }: Command,
	now: number,
): { values: Values<Options>; words: string } | string {
	const types = Object.entries(options).map(([name, { read }]) => {
		return [name, { type: read ? ("string" as const) : ("boolean" as const) }] as const;
	});
	let typed: { values: Record<string, unknown>; positionals: string[] };
	try {
		typed = parseArgs({
			args: [...args],
			options: Object.fromEntries(types),
			allowPositionals: words !== undefined,
		});
	} catch (error) {
		return problemOf(error, options);
	}
	const values: Values<Options> = {};
	for (const [name, option] of Object.entries(options)) {
		const given = typed.values[name];
		const value = typeof given === "string" ? option.read?.(given, now) : given;
		if (given !== undefined && value === undefined) return `--${name} must be ${option.expected}.`;
		Object.assign(values, { [name]: value });
	}
	return { values, words: typed.positionals.join(" ").trim() };
}

/** Returns the first sentence of an error thrown by `parseArgs`, and suggests the option that was probably meant. */
function problemOf(error: unknown, options: Options): string {
	const message = errorText(error);
	const [, name = ""] = /^Option '--([^' ]+).*' argument is ambiguous/.exec(message) ?? [];
	const { expected } = options[name] ?? {};
	if (expected) return `--${name} must be ${expected}. Write --${name}=… for a value that begins with "-".`;
	const [, unknown] = /^Unknown option '--?([^'=]+)/.exec(message) ?? [];
	const [near] = unknown === undefined ? [] : nearest(unknown, Object.keys(options), (known) => known, 1);
	const hint = near === undefined ? "." : `; did you mean --${near}?`;
	const [sentence = ""] = message.split(/\. |\.?\n/, 1);
	return clipColumns(cleanLine(sentence.charAt(0).toLowerCase() + sentence.slice(1)), 80) + hint;
}

/** Returns a subcommand's help. It has no colors, because it is often read in a pipe or a pager. */
function usageOf(
	name: string,
	{ description, examples = [], options, words }: Command,
	columns: number | undefined,
): string {
	const listed = Object.entries(options);
	const label = words && `<${words.value}>`;
	const usage = ["usage:", PROGRAM, name, label, listed.length > 0 && "[options]"].filter(Boolean).join(" ");
	const rows = listed.map(([option, { value, description: about }]): [string, string] => [
		value === undefined ? `--${option}` : `--${option} <${value}>`,
		about,
	]);
	if (words) rows.unshift([`<${words.value}>`, words.description]);
	return [
		...wrapped(description, columns),
		"",
		...wrapped(usage, columns, "  "),
		...(rows.length > 0 ? ["", ...tableLines(rows, columns)] : []),
		...(examples.length > 0 ? ["", "examples:"] : []),
		...examples.flatMap((example) =>
			wrapped(`${PROGRAM} ${name} ${example}`.trimEnd(), columns && columns - 2, "  ").map(
				(line) => `  ${line}`,
			),
		),
	].join("\n");
}
