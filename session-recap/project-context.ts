import { redact } from "../session-core/text/redact.ts";
import { cleanText } from "../session-core/text/sanitize.ts";

/** Maximum length of the user's project instructions in a recap call, in UTF-16 units. */
const MAX_CHARACTERS = 2_000;

/** The project's instruction files (such as AGENTS.md), for users who enabled sending them. */
export async function projectContext(cwd: string, agentDir: string): Promise<string | undefined> {
	const { loadProjectContextFiles } = await import("@mariozechner/pi-coding-agent");
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : redact(cleanText(text)).slice(0, MAX_CHARACTERS).toWellFormed();
}
