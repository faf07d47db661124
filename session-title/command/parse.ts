import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText as helpOf,
} from "../../session-core/command/options.ts";

/** What `/rename …` asks for. */
export type RenameAction =
	| { type: "name"; text: string }
	| { type: "kebab" | "auto" | "undo" | "why" | "help" }
	| { type: "flag_with_name"; flag: string }
	| { type: "missing_name" }
	| { type: "unknown_flag"; text: string };

const FLAGS: readonly (CommandOption & { action: RenameAction })[] = [
	{ value: "--auto", description: "Let the model title the session again", action: { type: "auto" } },
	{ value: "--undo", description: "Go back to the name before", action: { type: "undo" } },
	{ value: "--why", description: "How it came to its name, or why it has none", action: { type: "why" } },
	{ value: "--help", description: "What /rename can do", action: { type: "help" } },
];

const OPTIONS: readonly CommandOption[] = [
	{ value: "<name>", description: "Name the session; nothing changes it but you" },
	{ value: "", description: "Ask a model for a kebab-case name, such as fix-login-redirect" },
	...FLAGS,
	{ value: "-- <name>", description: "What follows is the name, also if it begins with --" },
];

/**
 * Read the arguments of `/rename`. Only the first word may be a flag, and only if it begins with two hyphens: a name is kept
 * as it was typed.
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

/** The answer to `/rename --help`. */
export function helpText(): string {
	return helpOf("rename", OPTIONS);
}
