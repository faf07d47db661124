import { join } from "node:path";
import { readSettingsFile } from "../../session-core/settings/file.ts";
import { cardWords, type WordsFor } from "../../session-core/words/card-words.ts";
import { LANGUAGES, type LanguageCode } from "../../session-core/words/languages.ts";
import type { World } from "../shell/world.ts";

/** Returns the words inside recaps and cards, according to the user's `language` setting and the locale. */
export async function wordsFor({ agentDir, env }: Pick<World, "agentDir" | "env">): Promise<WordsFor> {
	return cardWords(await languageSetting(agentDir), env);
}

/**
 * Returns the `language` setting. It is read only from the user's own settings, so a project cannot set it. An unknown language is ignored
 * here, because pi reports it.
 */
async function languageSetting(agentDir: string): Promise<LanguageCode | undefined> {
	const file = await readSettingsFile(join(agentDir, "session-suite.json"));
	const named = file.status === "read" ? file.root["language"] : undefined;
	return LANGUAGES.find((code) => code === named);
}
