/**
 * Models enclose their reasoning in tags such as `<think>` or `[thinking]`, sometimes with a prefix, as in
 * `<seed:think>`.
 */
const TAG =
	/[<[◁](?<close>\/?)\s?(?:[a-z]+:)?(?<name>think|thinking|thoughts?|reasoning|reflection|scratchpad)(?:\s[^<>\]▷]{0,80})?[>\]▷]/gi;

/**
 * Removes a model's reasoning, even if the closing tag was cut off or the server removed the opening
 * tag. `answer` matches the beginning of the model's answer. Reasoning tags after that position are
 * ordinary text.
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
			open.length = Math.max(0, open.lastIndexOf(name));
			if (open.length === 0) start = next;
		} else if (text.slice(after, index).trim() !== "" || open.at(-1) !== name) {
			if (isOuter) end = index;
			open.push(name);
		}
		after = next;
	}
	return text.slice(start, open.length > 0 ? end : undefined);
}

const PAIR =
	/<((?:[a-z]+:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad))>[^<>]*\p{L}[^<>]*<\/\1>/giu;

export function withoutInnerThoughts(text: string): string {
	return text.replace(PAIR, " ");
}

/**
 * Removes a model's reasoning only at the beginning of the text. Further below, a tag such as `<think>`
 * may be ordinary text, for example if the session is about such tags.
 */
export function withoutLeadingThought(text: string): string {
	if (!/^\s*[<[◁]/.test(text)) return text;
	const [tag] = text.matchAll(TAG);
	const isLeading = tag?.groups?.["close"] === "" && text.slice(0, tag.index).trim() === "";
	return isLeading ? withoutThoughts(text) : text;
}
