import { copyToClipboard } from "@mariozechner/pi-coding-agent";
import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";

/**
 * Copies text to the clipboard and returns the message for the user. If `isTerminal` is false, nothing is copied, because the output goes
 * to a program, and the clipboard that this process can access is not the user's.
 */
export async function copyAnswer(
	text: string,
	isTerminal: boolean,
): Promise<{ text: string; kind: "info" | "warning" }> {
	if (!isTerminal) return { text: "copying needs a terminal.", kind: "warning" };
	const copied = await copy(text);
	return copied.ok
		? { text: "copied.", kind: "info" }
		: { text: `not copied (${copied.detail}).`, kind: "warning" };
}

type CopyAttempt = { ok: true } | { ok: false; detail: string };

/** Copies text to the clipboard in the same way as the host's `/copy`: with the system's tools, or over SSH with OSC 52. */
export async function copy(text: string): Promise<CopyAttempt> {
	try {
		await copyToClipboard(text);
		return { ok: true };
	} catch (error) {
		const detail = error instanceof Error ? cleanLine(error.message) : "";
		return { ok: false, detail: clipColumns(detail || "unknown error", 120) };
	}
}
