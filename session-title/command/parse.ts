/** What `/rename …` asks for. */
export type RenameAction =
	| { type: "name"; text: string }
	| { type: "kebab" | "auto" | "undo" | "help" }
	| { type: "flag_with_name"; flag: string }
	| { type: "missing_name" }
	| { type: "unknown_flag"; text: string };

interface Choice {
	value: string;
	description: string;
}

const FLAGS: readonly (Choice & { action: RenameAction })[] = [
	{ value: "--auto", description: "Let the model title the session again", action: { type: "auto" } },
	{ value: "--undo", description: "Go back to the name before", action: { type: "undo" } },
	{ value: "--help", description: "What /rename can do", action: { type: "help" } },
];

const LITERAL: Choice = { value: "--", description: "What follows is the name, also if it begins with --" };

/** Read the arguments of `/rename`. Only what begins with two hyphens is a flag. */
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

/**
 * Completions for what stands behind `/rename `; null: none. Only once a hyphen is typed: an open list would take the
 * Enter of a bare `/rename ` for itself.
 */
export function completeCommand(
	prefix: string,
): { value: string; label: string; description: string }[] | null {
	const typed = prefix.trimStart().toLowerCase();
	if (!typed.startsWith("-")) return null;
	const fitting = [...FLAGS, LITERAL].filter(({ value }) => value.startsWith(typed));
	if (fitting.length === 0) return null;
	return fitting.map(({ value, description }) => ({
		value: value === LITERAL.value ? `${value} ` : value,
		label: value,
		description,
	}));
}

/** The answer to `/rename --help`. */
export function helpText(): string {
	const rows: [string, string][] = [
		["/rename <name>", "Name the session; nothing changes it but you"],
		["/rename", "Ask a model for a kebab-case name, such as fix-login-redirect"],
		...FLAGS.map(({ value, description }): [string, string] => [`/rename ${value}`, description]),
		["/rename -- <name>", LITERAL.description],
	];
	return rows.map(([form, description]) => `  ${form.padEnd(18)} ${description}`).join("\n");
}
