import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText as helpOf,
} from "../../session-core/command/options.ts";

/** The parsed arguments of `/rename`. */
export type RenameAction =
	| { type: "name"; text: string }
	| { type: "kebab" | "auto" | "undo" | "why" | "help" }
	| { type: "flag_with_name"; flag: string }
	| { type: "missing_name" }
	| { type: "unknown_flag"; text: string };

const FLAGS: readonly (CommandOption & { action: RenameAction })[] = [
	{ value: "--auto", description: "Ask a model for a new title", action: { type: "auto" } },
	{ value: "--undo", description: "Restore the previous name", action: { type: "undo" } },
	{
		value: "--why",
		description: "Show where the name came from, or why there is none",
		action: { type: "why" },
	},
	{ value: "--help", description: "Show this help", action: { type: "help" } },
];

const OPTIONS: readonly CommandOption[] = [
	{ value: "<name>", description: "Name the session; only you can change this name" },
	{ value: "", description: "Ask a model for a kebab-case name, such as fix-login-redirect" },
	...FLAGS,
	{ value: "-- <name>", description: "Use the text after -- as the name, even if it begins with --" },
];

/**
 * Parses the arguments of `/rename`. Only the first word can be an option, and every option except `-h` begins with two hyphens. A name is
 * kept as it was typed.
 */
export function parseCommand(args: string): RenameAction {
	const text = args.trim();
	if (text === "") return { type: "kebab" };
	const [first = "", ...others] = text.split(/\s+/);
	if (first === "--") {
		const name = text.slice(2).trim();
		return name === "" ? { type: "missing_name" } : { type: "name", text: name };
	}
	const known = FLAGS.find(
		({ value }) => value === first.toLowerCase() || (first === "-h" && value === "--help"),
	);
	if (known) return others.length === 0 ? known.action : { type: "flag_with_name", flag: known.value };
	return first.startsWith("--") ? { type: "unknown_flag", text } : { type: "name", text };
}

export function completeCommand(prefix: string): Completion[] | null {
	return completeOptions(OPTIONS, prefix);
}

/** Returns the help text of `/rename --help`. */
export function helpText(): string {
	return helpOf("rename", OPTIONS);
}
