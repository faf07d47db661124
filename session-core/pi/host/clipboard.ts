import { copyToClipboard } from "@mariozechner/pi-coding-agent";
import { errorText } from "../../text/files/index.ts";
import { cleanLine, clipColumns } from "../../text/index.ts";

/** Copies text as the host's `/copy` does. Without a terminal, the clipboard of this process is not the user's. */
export async function copyAnswer(
	text: string,
	isTerminal: boolean,
): Promise<{ text: string; kind: "info" | "warning" }> {
	if (!isTerminal) return { text: "copying needs a terminal.", kind: "warning" };
	try {
		await copyToClipboard(text);
		return { text: "copied.", kind: "info" };
	} catch (error) {
		return { text: `not copied (${clipColumns(cleanLine(errorText(error)), 120)}).`, kind: "warning" };
	}
}
