/** A command line as one line of text, without what says nothing of what ran. */
import { clipColumns } from "../text/clip.ts";
import { cutAtClause, isBalanced } from "../text/fit-line.ts";

/** A command without the folder that it changes to first and the bodies of its here-documents. */
export function commandText(command: string): string {
	return command
		.replace(/((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g, "$1 …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*&&\s*/, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** A command without what only shapes its output, either. */
export function programText(command: string): string {
	return commandText(command)
		.replace(/\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|sed|awk|less|wc)\b.*)/g, "")
		.trim();
}

/** The beginning of a command; a quotation that does not fit goes whole. */
export function shortCommand(command: string, columns: number): string {
	const short = clipColumns(command, columns);
	if (isBalanced(short)) return short;
	const cut = short.replace(/\s*\S*["'`([{][^"'`)\]}]*$/u, "");
	return isBalanced(cut) && cut !== "" ? `${cut} …` : cutAtClause(short, columns);
}
