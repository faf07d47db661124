import { type ArgsDef, type ParsedArgs, parseArgs } from "citty";
import type { World } from "./world.ts";

/** One subcommand. Its file stays small: what it does is imported when it runs. */
export interface ShellCommand {
	name: string;
	description: string;
	args: ArgsDef;
	/** Gives the exit code. `commands`: all that there are. */
	run(words: readonly string[], world: World, commands: CommandTable): Promise<number>;
}

/** Every subcommand by its name, as the overview lists it. */
export type CommandTable = Readonly<Record<string, Listed>>;

export interface Listed {
	description: string;
	/** Only the one that runs is loaded. */
	load(): Promise<ShellCommand>;
}

interface Definition<A extends ArgsDef> extends Omit<ShellCommand, "args" | "run"> {
	args: A;
	run(args: ParsedArgs<A>, world: World, commands: CommandTable): Promise<number>;
}

/** Ties what runs to what its arguments are called. */
export function command<const A extends ArgsDef>(definition: Definition<A>): ShellCommand {
	const { args, run } = definition;
	return {
		...definition,
		run: (words, world, commands) => run(parseArgs<A>([...words], args), world, commands),
	};
}

/** An option that stands alone. */
export const flag = (description: string) => ({ type: "boolean", description }) as const;

/** An option with a value; `valueHint` stands for it in the help. */
export const option = (description: string, valueHint: string) =>
	({ type: "string", description, valueHint }) as const;

/** A session is named by all words that are no options: titles have spaces. */
export const SESSION_ARGUMENT = {
	session: {
		type: "positional",
		required: false,
		description: "Its title or a part of that, four characters of its id or more, or its file",
		valueHint: "title|id",
	},
} as const satisfies ArgsDef;

export function sessionWords({ _ }: { _: string[] }): string {
	return _.join(" ").trim();
}
