/** Parses as much of a shell's grammar as is needed to find which programs ran and which of them determined the exit status. */

export interface ShellSegment {
	/**
	 * The words of the simple command, without quotes, assignments and wrappers such as `sudo`. A quoted string that contains spaces is
	 * replaced with one empty word.
	 */
	words: string[];
	/** The command on one line, without the content of quoted strings that contain spaces. */
	bare: string;
	/** The operator after the command, which decides whether a later command hides the exit status. */
	next: "&&" | "||" | ";" | "|" | "&" | "";
	/** Whether the exit status is inverted by a leading `!`, or is used by `if` or `while`. */
	isInverted: boolean;
}

export interface ShellLine {
	/** The folder that the command line changes to with a leading `cd`. */
	folder: string | undefined;
	segments: ShellSegment[];
}

/** Number of characters of a command line that are read. The rest is probably the body of a here-document. */
const BOUND = 3_000;
const WORDS = 48;

/** Splits a command line at its operators, except inside quotes and here-documents. */
export function parseShell(command: string): ShellLine {
	const line = dropHereDocs(command).slice(0, BOUND);
	const segments: ShellSegment[] = [];
	let quote = "";
	let start = 0;
	const push = (end: number, next: ShellSegment["next"]): void => {
		const text = line.slice(start, end).trim();
		if (text !== "") segments.push(segmentOf(text, next));
	};
	for (let index = 0; index < line.length; index++) {
		const char = line[index] ?? "";
		if (char === "\\") {
			index++;
			continue;
		}
		if (quote !== "") {
			if (char === quote) quote = "";
			continue;
		}
		// Comments are skipped: they contain no commands, and an apostrophe in a comment would look like an opening quote.
		if (char === "#" && (index === 0 || /[\s;&|]/.test(line[index - 1] ?? ""))) {
			push(index, ";");
			const end = line.indexOf("\n", index);
			index = end < 0 ? line.length : end;
			start = index + 1;
			continue;
		}
		if (char === '"' || char === "'" || char === "`") {
			quote = char;
			continue;
		}
		const operator = operatorAt(line, index, char);
		if (!operator) continue;
		push(index, operator === "\n" ? ";" : operator);
		index += operator.length - 1;
		start = index + 1;
	}
	push(line.length, "");
	const first = segments[0];
	return { folder: first?.words[0] === "cd" ? first.words[1] : undefined, segments };
}

function operatorAt(line: string, index: number, char: string): ShellSegment["next"] | "\n" | undefined {
	if (char !== "&" && char !== "|" && char !== ";" && char !== "\n") return undefined;
	const next = line[index + 1];
	if (char === "&" && next === "&") return "&&";
	if (char === "|" && next === "|") return "||";
	if (char !== "&") return char;
	// `2>&1`, `&>file` and `>&2` are redirections, so their `&` is not an operator.
	return line[index - 1] === ">" || next === ">" ? undefined : "&";
}

function segmentOf(text: string, next: ShellSegment["next"]): ShellSegment {
	const quoted = text.includes('"') || text.includes("'");
	const bare = quoted ? text.replace(/"[^"]*"|'[^']*'/g, unquoted) : text;
	const words = bare.replace(/^[({\s]+/, "").split(/\s+/, WORDS);
	let isInverted = false;
	while (words.length > 0 && isWrapper(words[0] ?? "")) {
		const wrapper = words.shift() ?? "";
		isInverted ||= /^(?:!|if|while|until)$/.test(wrapper);
		if (wrapper === "timeout") dropTimeout(words);
	}
	return { words, bare, next, isInverted };
}

function unquoted(text: string): string {
	return /\s/.test(text) ? "''" : text.slice(1, -1);
}

function isWrapper(word: string): boolean {
	return (
		/^[A-Za-z_]\w*=/.test(word) ||
		/^(?:sudo|time|timeout|env|command|exec|nohup|then|else|do|if|while|until|!|\{)$/.test(word)
	);
}

/** Removes `timeout`'s options and duration. */
function dropTimeout(words: string[]): void {
	while (/^(?:-|\d)/.test(words[0] ?? "")) words.shift();
}

/** Removes the bodies of here-documents, which are data and not commands. */
function dropHereDocs(line: string): string {
	if (!line.includes("<<")) return line;
	return line.replace(/((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g, "$1");
}
