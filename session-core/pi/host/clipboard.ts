import { copyToClipboard } from "@mariozechner/pi-coding-agent";
import { errorText } from "../../text/files/index.ts";
import { cleanLine, clipColumns } from "../../text/index.ts";

/**
 * Copies text to the clipboard in the same way as the host's `/copy` (with the system's tools, or over SSH with OSC 52), and returns the
 * message for the user. If `isTerminal` is false, nothing is copied, because the output goes to a program, and the clipboard that this
 * process can access is not the user's.
 */
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
