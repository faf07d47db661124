import { tellingTerms } from "../digest/terms.ts";
import type { Digest } from "../digest/types.ts";

/** How much a text has to do with where the session stands; from 0 up. */
export type Relevance = (text: string) => number;

/** A relevance by the words of replies, files and commits; `requests` adds those of the user's own prompts. */
export function relevanceOf(digest: Digest, requests: readonly string[] = []): Relevance {
	const weights = new Map<string, number>();
	const add = (text: string | undefined, weight: number): void => {
		for (const term of tellingTerms(text ?? "", 6_000)) weights.set(term, (weights.get(term) ?? 0) + weight);
	};
	// A side reply is relevant to nothing but itself.
	add(digest.lastReply, digest.mainReply === undefined ? 0.7 : 0.3);
	add(digest.mainReply, 0.6);
	for (const text of digest.narration) add(text, 0.2);
	for (const reply of digest.earlierReplies) add(reply, 0.3);
	for (const prompt of requests) add(prompt.slice(0, 800), 0.4);
	for (const link of digest.links) if (link.inThread && link.evidence === "made") add(link.label, 0.6);
	for (const file of digest.files.slice(-4))
		if (file.inThread) add(file.path.slice(file.path.lastIndexOf("/") + 1), 0.4);
	return (text) => {
		const terms = tellingTerms(text, 600);
		let sum = 0;
		for (const term of terms) sum += Math.min(1.2, weights.get(term) ?? 0);
		return terms.size === 0 ? 0 : sum / (terms.size + 3);
	};
}

const SPECIFIC =
	/[\w-]*[a-z][A-Z]\w*|\b\w+_\w+|[\w~@-]*[/.][\w/.-]*\w|#\d+|\b[0-9a-f]{7,12}\b|\d+(?:[.,]\d+)*\s?(?:%|ms|s\b|[kKMG]B?\b|px|줄|건|개|行|件)?|\b[A-Z]{2,}\w*\b/gu;

/** How concrete a text is: names, numbers and paths, by the share of the text that they make up; 0 to 1. */
export function concreteness(text: string): number {
	let length = 0;
	let count = 0;
	for (const [match] of text.matchAll(SPECIFIC)) {
		length += match.length;
		count++;
	}
	return text.length === 0 ? 0 : Math.min(1, length / text.length + Math.min(count, 4) * 0.08);
}
