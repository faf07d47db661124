/** Enough of a shell's grammar to tell which programs a command line ran, and whose exit status its result carries. */

export interface ShellSegment {
	/** The simple command: environment assignments and wrappers (`time`, `sudo`, `npx`) are still in it. */
	text: string;
	/** The operator behind it: what decides whether a later command hides its exit status. */
	next: "&&" | "||" | ";" | "|" | "&" | "";
}

const BOUND = 4_000;

/** Splits a command line at its operators, outside quotes and here-documents. Reads at most 4,000 characters. */
export function splitCommand(command: string): ShellSegment[] {
	const line = dropHereDocs(command.slice(0, BOUND));
	const segments: ShellSegment[] = [];
	let quote = "";
	let start = 0;
	const push = (end: number, next: ShellSegment["next"]): void => {
		const text = line.slice(start, end).trim();
		if (text !== "") segments.push({ text, next });
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
		if (char === '"' || char === "'" || char === "`") {
			quote = char;
			continue;
		}
		const operator = operatorAt(line, index);
		if (!operator) continue;
		push(index, operator === "\n" ? ";" : operator);
		index += operator.length - 1;
		start = index + 1;
	}
	push(line.length, "");
	return segments;
}

function operatorAt(line: string, index: number): ShellSegment["next"] | "\n" | undefined {
	const char = line[index];
	const two = line.slice(index, index + 2);
	if (two === "&&" || two === "||") return two;
	if (char === "|" || char === ";" || char === "\n") return char;
	// `2>&1`, `&>file` and `>&2` are redirections.
	if (char !== "&" || line[index - 1] === ">" || line[index + 1] === ">") return undefined;
	return "&";
}

/** Bodies of here-documents are data, not commands. */
function dropHereDocs(line: string): string {
	return line.replace(/(<<-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n\s*\3(?=\n|$)|$)/g, "$1");
}

/** The words of a simple command without assignments and wrappers; at most the first eight. */
export function commandWords(segment: string): string[] {
	const words = segment.replace(/^[({\s]+/, "").split(/\s+/).slice(0, 12);
	while (words.length > 0 && isWrapper(words[0] ?? "")) words.shift();
	return words.slice(0, 8).map((word) => word.replace(/^["']|["']$/g, ""));
}

function isWrapper(word: string): boolean {
	return /^[A-Za-z_]\w*=/.test(word) || /^(?:sudo|time|env|command|exec|nohup|then|do|if|!)$/.test(word);
}
