/**
 * Text that stands between tags as data: it can neither close its own fence nor open another one of `tags`.
 * The tag's bracket is replaced, so the text still reads the same.
 */
export function fenced(text: string, tags: readonly string[]): string {
	const tag = new RegExp(`<(/?)\\s*(${tags.join("|")})\\b`, "gi");
	return text.replace(tag, "‹$1$2");
}
