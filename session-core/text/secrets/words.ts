import { endOf, type Scan } from "./scan.ts";

/** The words of a command. `at` contains the position of each character in the text. */
export interface Command {
	/** The words, unquoted and separated by one space. Whitespace within a word is replaced by {@link BLANK}. */
	line: string;
	at: number[];
}

export const BLANK = "\ue000";
/** Maximum number of a command's characters that are read. */
export const LONGEST = 8_000;

/** A layout of words: what separates them, and whether a word is a whole list element or line, or ends at whitespace. */
interface Layout {
	separator: RegExp;
	ends: "shell" | "element" | "line";
}

const SHELL: Layout = { separator: /(?:[ \t]+|[ \t]*[\\`^]\r?\n[ \t]*)+/y, ends: "shell" };
const ARGUMENTS: Layout = { separator: /["'`]\s*,\s*(?=["'`])/y, ends: "element" };
const ITEMS: Layout = { separator: /["']?[ \t]*\r?\n[ \t]*-[ \t]+/y, ends: "line" };
const LINES: Layout = { separator: /[ \t]*\r?\n[ \t]*(?=[^\s#-]\S*[ \t]*(?:\r?\n|$)|-)/y, ends: "line" };

/**
 * Returns the layout of the words after a position: a shell command, the elements of an array, the items of a YAML list, or one word per
 * line.
 */
export function layoutAt(text: string, at: number): Layout {
	return [ARGUMENTS, ITEMS, LINES].find(({ separator }) => endOf(separator, text, at) !== undefined) ?? SHELL;
}

/**
 * Reads the words after a position, up to the end of the command or, with `most`, up to that number of words. `quote` is the quotation mark
 * that encloses the command.
 */
export function wordsAt({ text }: Scan, from: number, quote: string, most = 1_000): Command {
	const layout = layoutAt(text, from);
	const command: Command = { line: "", at: [] };
	const add = (character: string, at: number): void => {
		command.line += /\s/.test(character) ? BLANK : character;
		command.at.push(at);
	};
	let at = from;
	for (let count = 0; count < most && at - from < LONGEST; count++) {
		const start = endOf(layout.separator, text, at);
		if (start === undefined || start >= text.length) break;
		if (layout.ends === "shell" && /^(?:&&|\|\|?|;)\s/.test(text.slice(start, start + 3))) break;
		command.line += " ";
		command.at.push(at);
		at = readWord(text, start, quote, layout.ends, add);
		if (at === start) break;
	}
	command.at.push(at);
	return command;
}

/** Returns the end of a character of a command, which may be escaped in the text. */
export function endAt({ text }: Scan, at: number): number {
	return at + (text.charAt(at) === "\\" ? 2 : 1);
}

function readWord(
	text: string,
	from: number,
	enclosing: string,
	ends: Layout["ends"],
	add: (character: string, at: number) => void,
): number {
	const isShell = ends === "shell";
	let open = !isShell && /["'`]/.test(text.charAt(from)) ? text.charAt(from) : "";
	let at = from + open.length;
	for (; at < text.length && at - from < LONGEST; at++) {
		const character = text.charAt(at);
		if (character === "\n" || character === "\r") break;
		if (open === "" && isShell && /^;(?:\s|$)/.test(text.slice(at, at + 2))) break;
		if (open === "" && isShell && (character === enclosing || character === " " || character === "\t")) break;
		if (open === "" && ends === "line" && /^ +(?:#|\r|\n|$)/.test(text.slice(at, at + 20))) break;
		if (open !== "" && character === open) {
			if (!isShell) break;
			open = "";
		} else if (open === "" && isShell && (character === "'" || character === '"')) open = character;
		else if (
			character === "\\" &&
			(isShell ? open !== "'" : open !== "") &&
			/[^\n\r]/.test(text.charAt(at + 1))
		)
			add(text.charAt(at + 1), at++);
		else add(character, at);
	}
	return at;
}
