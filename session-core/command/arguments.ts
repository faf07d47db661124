/** The flags that a command accepts in addition to its text. Their names begin with `--`. */
export interface Flags<Switch extends string, Valued extends string = never> {
	/** Flags without a value. */
	switches: readonly Switch[];
	/** Flags that take the following word as their value. */
	valued?: readonly Valued[];
}

export type Arguments<Switch extends string, Valued extends string = never> =
	| {
			type: "given";
			has(flag: Switch): boolean;
			/** The value of each flag that takes one; empty if the value is missing. */
			values: Partial<Record<Valued, string>>;
			/** The words that are neither flags nor values of flags, separated by single spaces. */
			text: string;
	  }
	| { type: "help" }
	/** A flag that this command does not have. */
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
