import type { Language } from "../text/language.ts";
import { chooseLanguage, type LanguageSources } from "./choose.ts";
import type { Words } from "./en.ts";
import { ENGLISH } from "./en.ts";
import type { LanguageCode } from "./languages.ts";
import { loadWords } from "./load.ts";

/** The fixed words of one session instance. Drawing cannot wait, so a table is loaded before it is needed. */
export interface Wordbook {
	readonly setting: LanguageCode | undefined;
	/** The words to use at the moment. */
	readonly words: Words;
	/** Resolves when the chosen table is loaded; undefined if `words` is that table already. */
	readonly loading: Promise<void> | undefined;
	/** The session's prompts were read: their language decides unless a setting does. */
	follow(own: Language | undefined): void;
}

export function createWordbook({ setting, env }: Omit<LanguageSources, "own">): Wordbook {
	let words = ENGLISH;
	let code: LanguageCode = "en";
	let loading: Promise<void> | undefined;

	async function load(wanted: LanguageCode): Promise<void> {
		// The table cannot be loaded: the words stay as they are.
		const loaded = await loadWords(wanted).catch(() => words);
		if (code !== wanted) return;
		words = loaded;
		loading = undefined;
	}

	return {
		setting,
		get words() {
			return words;
		},
		get loading() {
			return loading;
		},
		follow(own) {
			const wanted = chooseLanguage({ setting, own, env });
			if (wanted === code) return;
			code = wanted;
			loading = load(wanted);
		},
	};
}

/** Returns the strings of a wordbook when they are loaded. They are in English if there is no wordbook yet. */
export async function wordsIn(wordbook: Wordbook | undefined): Promise<Words> {
	await wordbook?.loading;
	return wordbook?.words ?? ENGLISH;
}
