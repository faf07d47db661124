import { redact } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** Number of characters that are read at each end of a longer text, so that no text keeps the host waiting. */
const END = 128 * 1024;
/** Number of characters next to the cut of such a text that are left out, because part of a secret might not be recognized as one. */
const MARGIN = 64 * 1024;

/**
 * Turns text of a session into text that may be shown, stored or sent: sanitized and redacted (`known` are secrets that the session reveals
 * elsewhere). It gets the whole text and is applied before any cut, because half a secret is still a secret. Of a text of more than 256 KB,
 * the first and the last 64 KB remain.
 */
export function safeText(text: string, known?: ReadonlySet<string>): string {
	const safe = (part: string) => redact(cleanText(part), known);
	if (text.length <= 2 * END) return safe(text);
	const head = safe(text.slice(0, END));
	return `${head.slice(0, Math.max(0, head.length - MARGIN)).toWellFormed()}\n…\n${safe(text.slice(-END)).slice(MARGIN).toWellFormed()}`;
}
