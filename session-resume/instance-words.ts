import type { Words } from "../session-core/words/en.ts";
import { ENGLISH } from "../session-core/words/en.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";

const OF_INSTANCE = new WeakMap<object, Wordbook>();

/** Makes the strings of one instance of the extension available to modules that are loaded separately. */
export function shareWords(instance: object, wordbook: Wordbook): void {
	OF_INSTANCE.set(instance, wordbook);
}

/** Returns an instance's strings, which are in English until its session begins. */
export async function sharedWords(instance: object): Promise<Words> {
	const wordbook = OF_INSTANCE.get(instance);
	await wordbook?.loading;
	return wordbook?.words ?? ENGLISH;
}
