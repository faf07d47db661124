import { parseArgs } from "node:util";
import { clipColumns } from "../../session-core/text/clip.ts";
import { nearest } from "../../session-core/text/nearest.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { columnsOf, tableLines, wrapped } from "./terminal.ts";
import { DONE, NOT_FOUND, type World } from "./world.ts";

const PROGRAM = "pi-sessions";

/** `boolean`: it stands alone. `value`: what stands for its value in the help. */
export interface Option {
	type: "boolean" | "string";
	description: string;
	value?: string;
	choices?: readonly string[];
	/** Only scripts use it: it is not completed. */
	isInternal?: boolean;
}

type Options = Readonly<Record<string, Option>>;

/** What was typed for the options. */
export type Values<O extends Options> = {
	[Name in keyof O]?:
		| (O[Name]["type"] extends "boolean"
				? boolean
				: O[Name] extends { choices: readonly (infer Choice)[] }
					? Choice
					: string)
		| undefined;
};

/** What may be typed besides options: all words together, because titles have spaces. */
export interface Words {
	value: string;
	description: string;
}

/** One subcommand. */
export interface Command {
	/** For the overview and for completion. */
	summary: string;
	/** For its own help. */
	description: string;
	/** What may be typed behind the command, for its own help. */
	examples?: readonly string[];
	options: Options;
	words?: Words;
	/** Gives the exit code. */
	run(values: Values<Options>, words: string, world: World): Promise<number>;
}

interface Definition<O extends Options> extends Omit<Command, "options" | "run"> {
	options: O;
	run(values: Values<O>, words: string, world: World): Promise<number>;
}

/** Ties what runs to what its options are called. */
export function command<const O extends Options>(definition: Definition<O>): Command {
	return definition;
}

/** An option that stands alone. */
export const flag = (description: string) => ({ type: "boolean", description }) as const;

/** An option with a value, which `value` stands for in the help. */
export const option = (description: string, value: string) =>
	({ type: "string", description, value }) as const;

/** An option that takes one of a few values. */
export const choice = <const C extends readonly string[]>(description: string, choices: C) =>
	({ type: "string", description, value: choices.join("|"), choices }) as const;

/** Every subcommand by its name. */
export type CommandTable = Readonly<Record<string, Command>>;

export const SESSION_WORDS: Words = {
	value: "title|id",
	description: "Its title or a part of it, at least four characters of its id, or its file",
};

/** Runs a subcommand: prints its help or what is wrong with its arguments, or does what it does. */
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
	const typed = parsed(args, command);
	if (typeof typed !== "string") return command.run(typed.values, typed.words, world);
	world.err.write(`${PROGRAM} ${name}: ${typed} See ${PROGRAM} ${name} --help.\n`);
	return NOT_FOUND;
}

/** What was typed, or what is wrong with it. */
function parsed(
	args: readonly string[],
	{ options, words }: Command,
): { values: Values<Options>; words: string } | string {
	const known = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
	// Not strict: its messages would not name what was meant instead.
	const typed = parseArgs({
		args: [...args],
		options: known,
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	for (const token of typed.tokens) {
		if (token.kind === "positional" && !words)
			return `it takes options only, not ${clipColumns(cleanLine(token.value), 40)}.`;
		if (token.kind !== "option") continue;
		const { name, rawName, value } = token;
		const option = rawName.startsWith("--") && Object.hasOwn(options, name) ? options[name] : undefined;
		if (!option) return unknown(rawName, Object.keys(options));
		if (option.type === "boolean") {
			if (value !== undefined) return `--${name} takes no value.`;
		} else if (!value || (value.startsWith("--") && !token.inlineValue)) return `--${name} needs a value.`;
		// As the JSON spells them: needs_you.
		else if (option.choices && !option.choices.includes(value.replaceAll("_", "-")))
			return `--${name} is one of ${option.choices.join(", ")}.`;
	}
	return { values: typed.values as Values<Options>, words: typed.positionals.join(" ").trim() };
}

function unknown(typed: string, names: readonly string[]): string {
	const [near] = nearest(typed.replace(/^-+/, ""), names, (text) => text, 1);
	const shown = clipColumns(cleanLine(typed), 40);
	return `there is no option ${shown}${near === undefined ? "." : `; did you mean --${near}?`}`;
}

/** A subcommand's help. Plain text: it is read in pipes and pagers too. `columns`: of the terminal. */
function usageOf(
	name: string,
	{ description, examples = [], options, words }: Command,
	columns: number | undefined,
): string {
	const all = Object.entries(options);
	const label = words && `<${words.value}>`;
	const usage = ["usage:", PROGRAM, name, label, all.length > 0 && "[options]"].filter(Boolean).join(" ");
	const rows: [string, string][] = [
		...(words ? [[`<${words.value}>`, words.description] as [string, string]] : []),
		...all.map(([option, { value, description: about }]): [string, string] => [
			value === undefined ? `--${option}` : `--${option} <${value}>`,
			about,
		]),
	];
	return [
		...wrapped(description, columns),
		"",
		...wrapped(usage, columns, "  "),
		...(rows.length > 0 ? [""] : []),
		...tableLines(rows, columns),
		...(examples.length > 0 ? ["", "examples:"] : []),
		...examples.flatMap((example) =>
			wrapped(`${PROGRAM} ${name} ${example}`.trimEnd(), columns && columns - 2, "  ").map(
				(line) => `  ${line}`,
			),
		),
	].join("\n");
}
