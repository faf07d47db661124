import { cleanLine, clipColumns } from "../../text/index.ts";

/** One variant of a command's arguments. An empty `value` means the command without arguments. `<…>` marks a placeholder. */
export interface CommandOption {
	value: string;
	description: string;
}

export interface Completion {
	value: string;
	label: string;
	description?: string;
}

/** Returns the option that was typed; word order and letter case are ignored. `help` and `-h` mean `--help`. */
export function findOption<Option extends CommandOption>(
	options: readonly Option[],
	args: string,
): Option | undefined {
	const typed = wordsOf(args).map((word) => (word === "help" || word === "-h" ? "--help" : word));
	const key = keyOf(typed);
	return options.find(({ value }) => keyOf(wordsOf(value)) === key);
}

/**
 * Returns completions for the arguments of a command; null if there are none. A complete argument gets no completions, because Enter
 * would then select a completion instead of submitting the command. For the same reason, a command that works without arguments gets none
 * before the first character.
 */
export function completeOptions(options: readonly CommandOption[], prefix: string): Completion[] | null {
	const typed = prefix.trimStart().toLowerCase().replace(/\s+/g, " ");
	const isComplete = options.some(({ value }) => value === typed.trimEnd() || isFixedPart(value, typed));
	if (isComplete) return null;
	const fitting = options.filter(({ value }) => fixedPart(value).startsWith(typed));
	if (fitting.length === 0) return null;
	return fitting.map(({ value, description }) => ({ value: fixedPart(value), label: value, description }));
}

export function helpText(
	command: string,
	options: readonly CommandOption[],
	notes: readonly string[] = [],
): string {
	const width = Math.max(...options.map(({ value }) => value.length));
	const rows = options.map(({ value, description }) => `/${command} ${value.padEnd(width)}  ${description}`);
	return [...rows, ...notes].map((line) => `  ${line}`).join("\n");
}

export function unknownText(command: string, word: string): string {
	const shown = clipColumns(cleanLine(word), 40);
	return `${command}: unknown argument "${shown}". /${command} --help lists what there is.`;
}

function fixedPart(value: string): string {
	return value.split("<", 1)[0] ?? "";
}

/** Whether everything before the first placeholder of an option was typed, as with `--` for `-- <name>`. */
function isFixedPart(value: string, typed: string): boolean {
	const fixed = fixedPart(value).trimEnd();
	return fixed !== "" && fixed === typed.trimEnd();
}

function wordsOf(text: string): string[] {
	return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function keyOf(words: readonly string[]): string {
	return [...new Set(words)].sort().join(" ");
}

export interface Flags<Switch extends string, Valued extends string = never> {
	switches: readonly Switch[];
	valued?: readonly Valued[];
}

export type Arguments<Switch extends string, Valued extends string = never> =
	| {
			type: "given";
			has(flag: Switch): boolean;
			/** The value of each flag that takes one; empty if the value is missing. */
			values: Partial<Record<Valued, string>>;
			/** The words that are neither flags nor their values, separated by single spaces. */
			text: string;
	  }
	| { type: "help" }
	| { type: "unknown"; word: string };

/**
 * Parses the arguments of a command that takes text. Flags may appear anywhere in the text and in any letter case. Everything after `--` is
 * text. A word that begins with a single hyphen is not a flag, except for `-h`, which requests help.
 */
export function readArguments<Switch extends string, Valued extends string = never>(
	args: string,
	{ switches, valued = [] }: Flags<Switch, Valued>,
): Arguments<Switch, Valued> {
	const words = args.split(/\s+/).filter(Boolean);
	const end = words.indexOf("--");
	const behind = end < 0 ? [] : words.splice(end).slice(1);
	const given = new Set<Switch>();
	const values: Partial<Record<Valued, string>> = {};
	const text: string[] = [];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? "";
		const flag = word.toLowerCase();
		const alone = switches.find((one) => one === flag);
		const takesValue = valued.find((one) => one === flag);
		if (flag === "--help" || flag === "-h") return { type: "help" };
		if (alone !== undefined) given.add(alone);
		else if (takesValue !== undefined) {
			const value = words[index + 1] ?? "";
			const isValue = !value.startsWith("-");
			values[takesValue] = isValue ? value : "";
			if (isValue) index++;
		} else if (word.startsWith("--")) return { type: "unknown", word };
		else text.push(word);
	}
	return { type: "given", has: (flag) => given.has(flag), values, text: [...text, ...behind].join(" ") };
}
