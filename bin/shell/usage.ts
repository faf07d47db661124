import type { ArgDef } from "citty";
import type { ShellCommand } from "./command.ts";
import { tableLines } from "./table.ts";
import { wrapped } from "./wrap.ts";

export const PROGRAM = "pi-sessions";

/** A subcommand's help. Plain text: it is read in pipes and pagers too. `columns`: of the terminal. */
export function usageOf({ name, description, args }: ShellCommand, columns?: number): string {
	const all = Object.entries<ArgDef>(args);
	const words = all.filter(([, { type }]) => type === "positional");
	const options = all.filter(([, { type }]) => type !== "positional");
	const labels = words.map(([word, { valueHint = word }]) => `<${valueHint}>`);
	const usage = ["usage:", PROGRAM, name, ...labels, ...(options.length > 0 ? ["[options]"] : [])].join(" ");
	const rows = [
		...words.map(([, { description: about = "" }], at): [string, string] => [labels[at] ?? "", about]),
		...options.map(([option, definition]): [string, string] => [
			labelOf(option, definition),
			definition.description ?? "",
		]),
	];
	return [
		...wrapped(description, columns),
		"",
		...wrapped(usage, columns, "  "),
		...(rows.length > 0 ? [""] : []),
		...tableLines(rows, columns),
	].join("\n");
}

function labelOf(option: string, definition: ArgDef): string {
	if (definition.type === "boolean") return `--${option}`;
	const choices = definition.type === "enum" ? definition.options?.join("|") : undefined;
	return `--${option} <${choices ?? definition.valueHint ?? "value"}>`;
}
