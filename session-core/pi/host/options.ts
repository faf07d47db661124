import { parseArgs } from "node:util";
import { cleanLine, clipColumns } from "../../text/index.ts";

/** A command and its arguments. Each `value` is one variant of the arguments; `<…>` in it is a placeholder for text. */
export interface CommandForm<Value extends string = string> {
	readonly name: string;
	readonly options: readonly (readonly [value: Value, description: string])[];
}

/** Adds `--help` to a command's options. The type keeps the literal values, which the functions that read arguments need. */
export function commandForm<const Value extends string>({
	name,
	options,
}: CommandForm<Value>): CommandForm<Value | "--help"> {
	return { name, options: [...options, ["--help", "Show this help"]] };
}

/** The options in one variant of the arguments, except for `--help`. For example, the option in `copy --force` is `--force`. */
type OptionIn<Value extends string> = Value extends `${infer First} ${infer Rest}`
	? OptionIn<First> | OptionIn<Rest>
	: Value extends "--" | "--help"
		? never
		: Value extends `--${string}`
			? Value
			: never;

/** Arguments that are answered with a message only. `why` names the problem and the remedy. */
export type Answered = { type: "help" } | { type: "refused"; why: string };

interface Given<Option extends string> {
	type: "given";
	/** The options in the order in which the user typed them. */
	options: ReadonlySet<Option>;
	/** The values of the options that take a value. A value is an empty string if the user left it out. */
	values: Partial<Record<Option, string>>;
	/** The words that are neither options nor option values, joined by single spaces. */
	text: string;
}

/**
 * Reads the arguments of a command that takes text. Options can appear anywhere in the text and in any letter case. Everything after `--`
 * is text. A word that begins with a single hyphen is also text, except for `-h`, which requests help. `valued` lists the options that take
 * the next word as their value.
 */
export function readArguments<Value extends string>(
	form: CommandForm<Value>,
	args: string,
	valued: readonly OptionIn<Value>[] = [],
): Given<OptionIn<Value>> | Answered {
	type Option = OptionIn<Value>;
	const known = form.options.flatMap(([value]) => value.match(/--[a-z-]+/g) ?? []) as Option[];
	const typeOf = (option: Option) => (valued.includes(option) ? "string" : "boolean");
	const words = args.split(/\s+/).filter(Boolean);
	const { tokens } = parseArgs({
		args: words.map((word) => (word.startsWith("--") ? word.toLowerCase() : word)),
		options: Object.fromEntries(known.map((option) => [option.slice(2), { type: typeOf(option) }])),
		strict: false,
		tokens: true,
	});
	const options = new Set<Option>();
	const values: Partial<Record<Option, string>> = {};
	const text = new Map<number, string>();
	for (const token of tokens) {
		const word = words[token.index] ?? "";
		if (token.kind === "option-terminator") continue;
		if (token.kind === "option" && (token.name === "help" || word === "-h")) return { type: "help" };
		if (token.kind === "positional" || !token.rawName.startsWith("--")) {
			text.set(token.index, word);
			continue;
		}
		const option = known.find((one) => one === token.rawName);
		const takesValue = option !== undefined && valued.includes(option);
		if (option === undefined || (token.value !== undefined && !takesValue))
			return unknown(form, "option", word, args);
		options.add(option);
		if (takesValue) values[option] = token.value ?? "";
	}
	return { type: "given", options, values, text: [...text.values()].join(" ") };
}

/** Reads arguments that must match one of the command's variants. Word order and letter case are ignored, and `help` means `--help`. */
export function readChoice<Value extends string>(
	form: CommandForm<Value>,
	args: string,
): { type: "given"; value: Value } | Answered {
	const given = readArguments(form, args);
	if (given.type !== "given") return given;
	const keyOf = (words: string) => words.trim().toLowerCase().split(/\s+/).sort().join(" ");
	const key = keyOf([given.text, ...given.options].join(" "));
	if (key === "help") return { type: "help" };
	const [value] = form.options.find(([one]) => keyOf(one) === key) ?? [];
	return value !== undefined ? { type: "given", value } : unknown(form, "argument", args, args);
}

/** Returns a refusal of an unknown word. If the command takes text, the message shows how to use the word as text. */
function unknown({ name, options }: CommandForm, what: string, word: string, args: string): Answered {
	const shown = (text: string, columns: number) => clipColumns(cleanLine(text), columns);
	const takesText = options.some(([value]) => value.startsWith("<"));
	const asText = takesText ? ` To use it as text, type /${name} -- ${shown(args, 60)}.` : "";
	const why = `unknown ${what} "${shown(word, 40)}".${asText} Type /${name} --help to see the options.`;
	return { type: "refused", why };
}

export interface Completion {
	value: string;
	label: string;
	description?: string;
}

/**
 * Returns completions for the arguments of a command, or null if there are none. Complete arguments get no completions, because Enter would
 * then select a completion instead of submitting the command. For the same reason, a command that works without arguments gets no
 * completions until the user types a character.
 */
export function completeOptions({ options }: CommandForm, prefix: string): Completion[] | null {
	const typed = prefix.trimStart().toLowerCase().replace(/\s+/g, " ");
	const word = typed.trimEnd();
	// For variants with a placeholder, such as `-- <name>`, the user may have typed everything before the placeholder.
	const isComplete = ([value]: readonly [string, string]) =>
		value === word || (word !== "" && fixedPart(value).trimEnd() === word);
	const fitting = options.filter(([value]) => fixedPart(value).startsWith(typed));
	if (options.some(isComplete) || fitting.length === 0) return null;
	return fitting.map(([value, description]) => ({ value: fixedPart(value), label: value, description }));
}

function fixedPart(value: string): string {
	return value.split("<", 1)[0] ?? "";
}

/** Returns the reason for a refusal, or the command's help: one line for each option, then the notes. */
export function answerText(
	{ name, options }: CommandForm,
	answered: Answered,
	notes: readonly string[] = [],
): [text: string, kind: "info" | "warning"] {
	if (answered.type === "refused") return [`${name}: ${answered.why}`, "warning"];
	const width = Math.max(...options.map(([value]) => value.length));
	const rows = options.map(([value, description]) => `/${name} ${value.padEnd(width)}  ${description}`);
	return [[...rows, ...notes].map((line) => `  ${line}`).join("\n"), "info"];
}
