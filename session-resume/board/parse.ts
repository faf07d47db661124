import type { Scope } from "./types.ts";

/** What `/sessions …` asks for. */
export type SessionsAction =
	| { type: "board"; scope: Scope; query: string }
	| { type: "fork"; wanted: string }
	| { type: "help" }
	| { type: "unknown"; word: string };

const OPTIONS = [
	{ value: "--all", description: "Those of all projects" },
	{ value: "--fork", description: "Go on in a copy of a session: --fork <id>" },
	{ value: "--help", description: "What /sessions can do" },
] as const;

/** Read the arguments of `/sessions`. What is no option is looked for. */
export function parseCommand(args: string): SessionsAction {
	const words = args.trim().split(/\s+/).filter(Boolean);
	const [first, ...rest] = words;
	if (first === "--help" || first === "-h") return { type: "help" };
	if (first === "--fork") return { type: "fork", wanted: rest.join(" ") };
	const isAll = first === "--all";
	const query = isAll ? rest : words;
	const option = query.find((word) => /^--\w/.test(word));
	if (option !== undefined) return { type: "unknown", word: option };
	return { type: "board", scope: isAll ? "all" : "project", query: query.join(" ") };
}

/**
 * Completions for what stands behind `/sessions `; null: none fits. A word that is complete offers nothing more: with a list
 * open, the host's Enter only completes and does not submit.
 */
export function completeCommand(
	prefix: string,
): { value: string; label: string; description: string }[] | null {
	const typed = prefix.trimStart();
	const fitting = OPTIONS.filter(({ value }) => value.startsWith(typed) && value !== typed);
	if (!typed.startsWith("-") || fitting.length === 0) return null;
	return fitting.map(({ value, description }) => ({ value, label: value, description }));
}

/** The answer to `/sessions --help`. */
export function helpText(): string {
	return [
		"  /sessions                 The sessions of this project, live ones on top",
		"  /sessions <words>         Those with these words in title, first prompt or recap",
		"  /sessions --all [words]   Those of all projects",
		"  /sessions --fork <id>     Go on in a copy of a session",
		"  On the board: type to filter, Enter resumes, Ctrl+G searches everything that was said, Esc goes back.",
	].join("\n");
}
