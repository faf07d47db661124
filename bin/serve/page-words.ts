import { chooseLanguage } from "../../session-core/words/choose.ts";
import { LANGUAGES, type LanguageCode } from "../../session-core/words/languages.ts";
import { loadWords } from "../../session-core/words/load.ts";
import { loadPageWords } from "../../session-core/words/page/load-page-words.ts";

/**
 * The words of the page as a module of it: its own, and those that it shares with the terminal (states, ages). Values stand in them as
 * `{name}`.
 */
export async function pageWordsModule(code: LanguageCode): Promise<string> {
	const [own, { live, age }] = await Promise.all([loadPageWords(code), loadWords(code)]);
	// No language bends the short forms, so one number stands for all.
	const template = (form: (count: number) => string) => form(0).replace("0", "{n}");
	const { short } = age;
	const words = {
		...own,
		lang: code,
		states: {
			needs_you: live.needs_you,
			failed: live.failed,
			working: live.working,
			idle: live.idle,
			closed: own.closed,
		},
		since: live.since("{state}", "{age}"),
		ages: {
			now: short.now,
			minutes: template(short.minutes),
			hours: template(short.hours),
			days: template(short.days),
			weeks: template(short.weeks),
		},
	};
	return `export const WORDS = ${JSON.stringify(words)};\n`;
}

/** The user's setting, else the first language of the browser's that there are words in, else English. */
export function pageLanguage(
	setting: LanguageCode | undefined,
	acceptLanguage: string | undefined,
): LanguageCode {
	const wanted = (acceptLanguage ?? "").split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
	const accepted = wanted.find((code) => LANGUAGES.some((known) => known === code));
	return chooseLanguage({ setting, own: undefined, env: { LANG: accepted } });
}
