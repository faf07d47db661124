/** Matches the tags in which models think aloud, with an optional prefix such as `seed:` and any of the brackets that models use. */
const TAG =
	/[<[◁](?<close>\/?)\s?(?:[a-z]+:)?(?<name>think|thinking|thoughts?|reasoning|reflection|scratchpad)(?:\s[^<>\]▷]{0,80})?[>\]▷]/gi;

/**
 * Removes thoughts. An unclosed one was cut off, with the rest of the answer; a lone closing tag ends one whose opening tag the server
 * removed. `answer`: a global pattern for the beginning of the answer, inside which the tags are text.
 */
export function withoutThoughts(text: string, answer?: RegExp): string {
	const answers = answer && [...text.matchAll(answer)].map(({ index }) => index);
	const isAnswerAfter = (at: number) => answers?.some((index) => index >= at) ?? true;
	const isAnswering = (from: number, to: number) =>
		answers?.some((index) => index >= from && index < to) ?? false;
	let start = 0;
	let end: number | undefined;
	const open: string[] = [];
	let after = -1;
	for (const { 0: tag, index, groups = {} } of text.matchAll(TAG)) {
		const next = index + tag.length;
		const name = groups["name"]?.toLowerCase() ?? "";
		const isOuter = open.length === 0;
		if (isOuter && !isAnswerAfter(next) && (groups["close"] || isAnswering(start, index))) continue;
		if (groups["close"]) {
			// A closing tag also closes the tags that were opened inside its thought.
			open.length = Math.max(0, open.lastIndexOf(name));
			if (open.length === 0) start = next;
		} else if (text.slice(after, index).trim() !== "" || open.at(-1) !== name) {
			// An opening tag directly after one with the same name is merely a repetition.
			if (isOuter) end = index;
			open.push(name);
		}
		after = next;
	}
	return text.slice(start, open.length > 0 ? end : undefined);
}

const PAIR =
	/<((?:[a-z]+:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad))>[^<>]*\p{L}[^<>]*<\/\1>/giu;

/** Returns an answer without the thoughts inside it. */
export function withoutInnerThoughts(text: string): string {
	return text.replace(PAIR, " ");
}

/** Returns a reply without the thought with which it begins. A tag inside a reply is text, as in a session about such tags. */
export function withoutLeadingThought(text: string): string {
	if (!/^\s*[<[◁]/.test(text)) return text;
	const [tag] = text.matchAll(TAG);
	const isLeading = tag?.groups?.["close"] === "" && text.slice(0, tag.index).trim() === "";
	return isLeading ? withoutThoughts(text) : text;
}
