import type { ArgDef } from "citty";
import type { ShellCommand } from "./command.ts";

export const PROGRAM = "pi-sessions";

/** A subcommand's help. Plain text: it is read in pipes and pagers too. */
export function usageOf({ name, description, args }: ShellCommand): string {
	const all = Object.entries<ArgDef>(args);
	const words = all.flatMap(([word, { type, valueHint = word }]) =>
		type === "positional" ? [`<${valueHint}>`] : [],
	);
	const options = all.filter(([, { type }]) => type !== "positional");
	const labelled = options.map(([option, definition]) => [
		labelOf(option, definition),
		definition.description ?? "",
	]);
	const width = Math.max(0, ...labelled.map(([label = ""]) => label.length));
	return [
		description,
		"",
		["usage:", PROGRAM, name, ...words, ...(options.length > 0 ? ["[options]"] : [])].join(" "),
		...(options.length > 0 ? [""] : []),
		...labelled.map(([label = "", about]) => `  ${label.padEnd(width)}  ${about}`),
	].join("\n");
}

function labelOf(option: string, definition: ArgDef): string {
	if (definition.type === "boolean") return `--${option}`;
	const choices = definition.type === "enum" ? definition.options?.join("|") : undefined;
	return `--${option} <${choices ?? definition.valueHint ?? "value"}>`;
}
