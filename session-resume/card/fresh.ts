import type { CardWords } from "../../session-core/words/words.ts";

/** Share of the model's context from which a session is better gone on with in a fresh one. */
const FULL = 0.7;
/** Age from which it is, in ms: what it was about has to be told anew anyway. */
const OLD_MS = 7 * 24 * 60 * 60 * 1_000;

export interface FreshFacts {
	/** Share of the context that is used, by the last answer; undefined: not known. */
	fill: number | undefined;
	/** When the last message was said, in milliseconds since the epoch. */
	at: number | undefined;
	now: number;
}

/** The line by which a card offers a fresh session; empty for one that is neither large nor old. */
export function freshLine({ fill = 0, at, now }: FreshFacts, words: CardWords): string {
	const isFull = fill > FULL;
	const isOld = at !== undefined && now - at > OLD_MS;
	if (!isFull && !isOld) return "";
	const offer = words.fresh("/resume-here --fresh");
	return isFull ? `${offer} · ${words.contextFull(Math.min(100, Math.round(fill * 100)))}` : offer;
}
