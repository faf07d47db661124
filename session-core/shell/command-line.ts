/** Words that a POSIX shell takes as they are. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A command as one line for a POSIX shell, to be pasted: every word stays one word. */
export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}

function quoted(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
