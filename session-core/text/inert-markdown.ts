/** Text of a session on its way into a Markdown document of ours. */

import { cleanLine } from "./sanitize.ts";

/** One line that is neither a heading, a quotation, a link nor HTML of its own. */
export function inert(text: string): string {
	return cleanLine(text)
		.replace(/[<\\]/g, "\\$&")
		.replace(/\](?=[([:])/g, "\\]")
		.replace(/^(?=[#>+*|=-]|~~~|\d+[.)])/, "\\");
}

/** A code span whose fence is longer than any run of backticks in it (CommonMark 6.1). */
export function codeSpan(text: string): string {
	const line = cleanLine(text);
	const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
	const fence = "`".repeat(longest + 1);
	const room = longest > 0 ? " " : "";
	return `${fence}${room}${line}${room}${fence}`;
}
