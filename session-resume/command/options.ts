import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Completion } from "../extension.ts";

/** One thing that may stand behind a command. */
export interface Option {
	value: string;
	description: string;
}

/**
 * Completions for what stands behind a command; null: none fits. A word that is complete offers nothing more: with a
 * list open, the host's Enter only completes and does not submit.
 */
export function completeOptions(options: readonly Option[], prefix: string): Completion[] | null {
	const typed = prefix.trimStart().toLowerCase();
	const fitting = options.filter(({ value }) => value.startsWith(typed));
	if (fitting.length === 0 || fitting.some(({ value }) => value === typed)) return null;
	return fitting.map(({ value, description }) => ({ value, label: value, description }));
}

/** The answer to `--help`. `bare` is what the command does without anything behind it. */
export function helpText(command: string, bare: string, options: readonly Option[]): string {
	const rows = [{ value: "", description: bare }, ...options];
	const width = Math.max(...rows.map(({ value }) => value.length));
	return rows
		.map(({ value, description }) => `  /${command} ${value.padEnd(width)}  ${description}`)
		.join("\n");
}

/** The answer to something that the command does not know. */
export function unknownText(command: string, word: string): string {
	const shown = clipColumns(cleanLine(word), 40);
	return `${command}: unknown argument "${shown}". /${command} --help lists what there is.`;
}
