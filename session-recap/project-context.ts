import { loadProjectContextFiles } from "../session-core/pi/host/index.ts";
import { safeText } from "../session-core/text/index.ts";

/** Maximum length of the project's instructions in a request for a note, in UTF-16 code units. */
const MAX_CHARACTERS = 2_000;

export function projectContext(cwd: string, agentDir: string): string | undefined {
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}
