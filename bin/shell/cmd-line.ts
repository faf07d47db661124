/** Characters that cmd.exe acts on, the quotation mark included: with all of them escaped, it sees no quotes at all. */
const SPECIAL = /[()[\]%!^"`<>&|;, *?]/g;

/** What cmd.exe takes. */
const MAX_LINE = 8_191;

/**
 * The line behind `cmd.exe /d /s /v:off /c` that runs a batch file with these very arguments; undefined where that cannot be: a
 * line break ends the line, and NUL and too long a line are refused.
 *
 * Each argument is quoted as the program's C runtime reads it, and then escaped twice: cmd.exe reads this line, and then the one in
 * the batch file that has the arguments in place of `%*`.
 */
export function cmdLine(file: string, args: readonly string[]): string | undefined {
	if ([file, ...args].some((word) => /[\r\n\0]/.test(word))) return undefined;
	const line = [escaped(file), ...args.map((word) => escaped(escaped(quoted(word))))].join(" ");
	return line.length > MAX_LINE ? undefined : line;
}

/** As `CommandLineToArgvW` undoes it: backslashes count double in front of a quotation mark only. */
function quoted(word: string): string {
	return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escaped(text: string): string {
	return text.replace(SPECIAL, "^$&");
}
