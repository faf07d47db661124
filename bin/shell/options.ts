import type { ArgDef, ArgsDef } from "citty";
import { nearest } from "../../session-core/find/nearest.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** What is wrong with typed options; undefined: nothing. The parser takes any option for one of its own: a slip must not pass for a wish. */
export function problemIn(words: readonly string[], args: ArgsDef): string | undefined {
	const takesWords = Object.values<ArgDef>(args).some(({ type }) => type === "positional");
	let open: { name: string; definition: ArgDef } | undefined;
	for (const word of words) {
		if (open) {
			const problem = valueProblem(open.name, open.definition, word);
			if (problem !== undefined) return problem;
			open = undefined;
			continue;
		}
		if (!word.startsWith("-") || word === "-") {
			if (takesWords) continue;
			return `it takes options only, not ${clipColumns(cleanLine(word), 40)}.`;
		}
		const [, dashes, name = "", value] = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
		const definition = dashes === "--" && Object.hasOwn(args, name) ? args[name] : undefined;
		if (!definition || definition.type === "positional") return unknown(word, args);
		if (definition.type === "boolean") {
			if (value !== undefined) return `--${name} takes no value.`;
		} else if (value === undefined) open = { name, definition };
		else {
			const problem = valueProblem(name, definition, value);
			if (problem !== undefined) return problem;
		}
	}
	return open && `--${open.name} needs a value.`;
}

function valueProblem(name: string, definition: ArgDef, value: string): string | undefined {
	if (value === "" || value.startsWith("--")) return `--${name} needs a value.`;
	const choices = definition.type === "enum" ? definition.options : undefined;
	return choices && !choices.includes(value) ? `--${name} is one of ${choices.join(", ")}.` : undefined;
}

function unknown(word: string, args: ArgsDef): string {
	const options = Object.entries<ArgDef>(args).filter(([, { type }]) => type !== "positional");
	const names = options.map(([name]) => `--${name}`);
	const [near] = nearest(word, names, (text) => text, 1);
	const shown = clipColumns(cleanLine(word), 40);
	return `there is no option ${shown}${near === undefined ? "." : `; did you mean ${near}?`}`;
}
