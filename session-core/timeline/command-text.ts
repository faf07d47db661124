/** Reduces a command line to one line of text that shows the programs that ran. */
import { clipColumns } from "../text/clip.ts";
import { cutAtClause, isBalanced } from "../text/fit-line.ts";

/** Returns a command without a leading `cd` and without the bodies of here-documents. */
export function commandText(command: string): string {
	return command
		.replace(/((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g, "$1 …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*&&\s*/, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Like {@link commandText}, but also removes pipes and redirections that only format the output. */
export function programText(command: string): string {
	return commandText(command)
		.replace(/\s*(?:\d?>&?\s*\S+|\|&?\s*(?:tail|head|grep|tee|cat|sed|awk|less|wc)\b.*)/g, "")
		.trim();
}

/** Returns the beginning of a command. A quotation that does not fit is left out completely. */
export function shortCommand(command: string, columns: number): string {
	const short = clipColumns(command, columns);
	if (isBalanced(short)) return short;
	const cut = short.replace(/\s*\S*["'`([{][^"'`)\]}]*$/u, "");
	return isBalanced(cut) && cut !== "" ? `${cut} …` : cutAtClause(short, columns);
}
