import { parseArgs } from "node:util";
import { cleanLine, clipColumns } from "../../text/index.ts";

/**
 * Each `value` is one way to write a command's arguments, such as `copy --force`. Angle brackets mark a
 * placeholder, such as `<name>`.
 */
export interface CommandForm<Value extends string = string> {
	readonly name: string;
	readonly options: readonly (readonly [value: Value, description: string])[];
}

export function commandForm<const Value extends string>({
	name,
	options,
}: CommandForm<Value>): CommandForm<Value | "--help"> {
	return { name, options: [...options, ["--help", "Show this help"]] };
}

type OptionIn<Value extends string> = Value extends `${infer First} ${infer Rest}`
	? OptionIn<First> | OptionIn<Rest>
	: Value extends "--" | "--help"
		? never
		: Value extends `--${string}`
			? Value
			: never;

export type HelpOrRefusal = { type: "help" } | { type: "refused"; why: string };

interface Given<Option extends string> {
	type: "given";
	options: ReadonlySet<Option>;
	/** If the user typed an option without a value, the option's value is an empty string. */
	values: Partial<Record<Option, string>>;
	text: string;
}

/**
 * Accepts options in any position and letter case. Words after `--` and words with a single hyphen, except
 * `-h`, are treated as text.
 */
export function readArguments<Value extends string>(
	form: CommandForm<Value>,
	args: string,
	valued: readonly OptionIn<Value>[] = [],
): Given<OptionIn<Value>> | HelpOrRefusal {
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

/**
 * Finds the value in `form.options` that has the same words as the arguments, in any order and letter
 * case. `help` is treated as `--help`.
 */
export function readChoice<Value extends string>(
	form: CommandForm<Value>,
	args: string,
): { type: "given"; value: Value } | HelpOrRefusal {
	const given = readArguments(form, args);
	if (given.type !== "given") return given;
	const keyOf = (words: string) => words.trim().toLowerCase().split(/\s+/).sort().join(" ");
	const key = keyOf([given.text, ...given.options].join(" "));
	if (key === "help") return { type: "help" };
	const [value] = form.options.find(([one]) => keyOf(one) === key) ?? [];
	return value !== undefined ? { type: "given", value } : unknown(form, "argument", args, args);
}

function unknown({ name, options }: CommandForm, what: string, word: string, args: string): HelpOrRefusal {
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

/** Returns null if the command's arguments are complete, so that Enter submits the command. */
export function completeOptions({ options }: CommandForm, prefix: string): Completion[] | null {
	const typed = prefix.trimStart().toLowerCase().replace(/\s+/g, " ");
	const word = typed.trimEnd();
	const isComplete = ([value]: readonly [string, string]) =>
		value === word || (word !== "" && fixedPart(value).trimEnd() === word);
	const fitting = options.filter(([value]) => fixedPart(value).startsWith(typed));
	if (options.some(isComplete) || fitting.length === 0) return null;
	return fitting.map(([value, description]) => ({ value: fixedPart(value), label: value, description }));
}

function fixedPart(value: string): string {
	return value.split("<", 1)[0] ?? "";
}

export function helpText(
	{ name, options }: CommandForm,
	answered: HelpOrRefusal,
	notes: readonly string[] = [],
): [text: string, kind: "info" | "warning"] {
	if (answered.type === "refused") return [`${name}: ${answered.why}`, "warning"];
	const width = Math.max(...options.map(([value]) => value.length));
	const rows = options.map(([value, description]) => `/${name} ${value.padEnd(width)}  ${description}`);
	return [[...rows, ...notes].map((line) => `  ${line}`).join("\n"), "info"];
}
