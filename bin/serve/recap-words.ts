import { openSettings } from "../../session-core/settings/open.ts";
import type { Language } from "../../session-core/text/language.ts";
import { chooseLanguage } from "../../session-core/words/choose.ts";
import type { LanguageCode } from "../../session-core/words/languages.ts";
import { loadWords } from "../../session-core/words/load.ts";
import type { Words } from "../../session-core/words/words.ts";

/** The fixed words of a recap: by the user's setting, else the session's own prompts, else the locale. */
export type RecapWords = (own: Language | undefined) => Promise<Words>;

export function recapWords(agentDir: string, env: Readonly<Record<string, string | undefined>>): RecapWords {
	return async (own) => loadWords(chooseLanguage({ setting: await languageSetting(agentDir), own, env }));
}

/** The user's own setting alone: a session's folder has no say in what this server does. */
export async function languageSetting(agentDir: string): Promise<LanguageCode | undefined> {
	const { settings } = await openSettings({ agentDir, cwd: agentDir });
	return settings.language;
}
