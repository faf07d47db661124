import { join } from "node:path";
import { readSettingsFile } from "../../session-core/settings/file.ts";
import type { Language } from "../../session-core/text/language.ts";
import { chooseLanguage } from "../../session-core/words/choose.ts";
import { LANGUAGES } from "../../session-core/words/languages.ts";
import { loadWords } from "../../session-core/words/load.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { World } from "../shell/world.ts";

/** The fixed words: by the user's `language` setting, else the session's own prompts, else the locale. */
export async function wordsFor({ agentDir, env }: World, own?: Language): Promise<Words> {
	const file = await readSettingsFile(join(agentDir, "session-suite.json"));
	const named = file.status === "read" ? file.root["language"] : undefined;
	// A setting that is none is said by pi, which reads them all.
	const setting = LANGUAGES.find((code) => code === named);
	return loadWords(chooseLanguage({ setting, own, env }));
}
