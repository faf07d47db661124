/** A command line as one line of text, without what says nothing of what ran. */

/** A command without the folder that it changes to first and the bodies of its here-documents. */
export function commandText(command: string): string {
	return command
		.replace(/((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g, "$1 …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*&&\s*/, "")
		.replace(/\s+/g, " ")
		.trim();
}
