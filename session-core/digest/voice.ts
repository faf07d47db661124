/** What counts as the user's own voice, in any language. */

/** Tags that hosts, skills and extensions wrap around text that they put into a user message. */
const NAMED_WRAPPER =
	/<(skill|file|files|context|attachment|document|instructions|environment|example)(\s[^>]{0,400})?>[\s\S]*?<\/\1>/g;
/** Any paired tag whose name is not a plain word (`system-reminder`, `user_instructions`, `local-command-stdout`). */
const COMPOUND_WRAPPER = /<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,6})(\s[^>]{0,400})?>[\s\S]*?(?:<\/\1>|$)/gi;
/** A document with front matter behind the user's words: a skill or prompt template that was expanded in place. */
const FRONT_MATTER = /(^|\n)---[ \t]*\n[\w-]+:[^\n]*\n[\s\S]*?(\n---|$)[\s\S]*$/;
/** A line that is nothing but a path or an address: an attachment, not words. */
const BARE_LOCATOR = /^['"]?(?:~?\/|[A-Za-z]:\\|https?:\/\/|file:\/\/)[^\n]*?\.?\w+['"]?$/;

/** The user's own words in a user message: wrappers, expanded templates and bare attachments left out. */
export function spokenText(raw: string): string {
	const bare = raw
		.replace(NAMED_WRAPPER, "")
		.replace(COMPOUND_WRAPPER, "")
		.replace(FRONT_MATTER, "$1")
		.trim();
	const lines = bare.split("\n");
	const words = lines.filter((line) => !isBareLocator(line.trim()));
	return words.some((line) => line.trim() !== "") ? words.join("\n").trim() : bare;
}

function isBareLocator(line: string): boolean {
	if (line.length > 400 || !BARE_LOCATOR.test(line)) return false;
	return /^['"]/.test(line) || !/\s/.test(line);
}

const WORDLIKE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]*/gu;
const DENSE_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * How much a text says, in words; scripts that pack more into a character than Latin does count two characters a word.
 * Counts at most the first 1,200 characters.
 */
export function substance(text: string): number {
	const head = text.slice(0, 1_200);
	const dense = head.match(DENSE_SCRIPT)?.length ?? 0;
	const spaced = head.replace(DENSE_SCRIPT, " ").match(WORDLIKE)?.length ?? 0;
	return spaced + dense / 2;
}

/** A slash command, or what is left of one that was submitted half typed. */
export function isSlashCommand(text: string): boolean {
	return /^\/[\w:-]*$/.test(text.trim());
}

/** Prompts below this say nothing on their own ("ok", "continue", "ls", "고고"): they carry on what was asked before. */
export const REQUEST_SUBSTANCE = 3;

/** Whether a prompt asks for something on its own. Length and form only: no list of words in any language. */
export function isRequest(text: string): boolean {
	return !isSlashCommand(text) && !isBareLocator(text.trim()) && substance(text) >= REQUEST_SUBSTANCE;
}
