import { ENGLISH } from "../session-core/words/en.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Words } from "../session-core/words/words.ts";

const OF_INSTANCE = new WeakMap<object, Wordbook>();

/** Shares the words of one instance of the extension with its parts that are loaded separately from the session. */
export function shareWords(instance: object, wordbook: Wordbook): void {
	OF_INSTANCE.set(instance, wordbook);
}

/** English until the session has begun. */
export async function sharedWords(instance: object): Promise<Words> {
	const wordbook = OF_INSTANCE.get(instance);
	await wordbook?.loading;
	return wordbook?.words ?? ENGLISH;
}
