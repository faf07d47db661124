import { type ArgsDef, type ParsedArgs, parseArgs } from "citty";
import type { World } from "./world.ts";

/** One subcommand. Its file stays small: what it does is imported when it runs. */
export interface ShellCommand {
	name: string;
	description: string;
	args: ArgsDef;
	/** Gives the exit code. */
	run(words: readonly string[], world: World): Promise<number>;
}

interface Definition<A extends ArgsDef> extends Omit<ShellCommand, "args" | "run"> {
	args: A;
	run(args: ParsedArgs<A>, world: World): Promise<number>;
}

/** Ties what runs to what its arguments are called. */
export function command<const A extends ArgsDef>(definition: Definition<A>): ShellCommand {
	const { args, run } = definition;
	return { ...definition, run: (words, world) => run(parseArgs<A>([...words], args), world) };
}

/** A session is named by all words that are no options: titles have spaces. */
export const SESSION_ARGUMENT = {
	session: {
		type: "positional",
		required: false,
		description: "Title, or the beginning of an id or title",
		valueHint: "title|id",
	},
} as const satisfies ArgsDef;

export function sessionWords({ _ }: { _: string[] }): string {
	return _.join(" ").trim();
}
