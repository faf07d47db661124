import { join } from "node:path";
import { readSettingsFile } from "../../session-core/settings/file.ts";
import type { Language } from "../../session-core/text/language.ts";
import { chooseLanguage } from "../../session-core/words/choose.ts";
import type { Words } from "../../session-core/words/en.ts";
import { LANGUAGES, type LanguageCode } from "../../session-core/words/languages.ts";
import { loadWords } from "../../session-core/words/load.ts";
import type { World } from "../shell/world.ts";

/**
 * Returns the strings of the interface. Their language is that of the user's `language` setting; failing that, of the session's prompts;
 * failing that, of the locale.
 */
export async function wordsFor(
	{ agentDir, env }: Pick<World, "agentDir" | "env">,
	own?: Language,
): Promise<Words> {
	return loadWords(chooseLanguage({ setting: await languageSetting(agentDir), own, env }));
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
