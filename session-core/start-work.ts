import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

export interface WorkOptions {
	/** The command, as its answers begin. */
	name: string;
	/** The session instance that it was typed in has ended: its host objects refuse everything then. */
	isOver(): boolean;
}

/**
 * Start what a command's handler does. The handler itself returns at once: 0.73.1 throws away what is submitted while one
 * runs. Without a user nothing else would keep the process alive; there the work is waited for.
 */
export function startWork(
	{ hasUI, ui }: Pick<ExtensionContext, "hasUI" | "ui">,
	work: () => Promise<void>,
	{ name, isOver }: WorkOptions,
): Promise<void> | undefined {
	if (!hasUI) return work();
	work().catch((error: unknown) => {
		// The session was replaced under it: nobody waits for an answer there any more.
		if (isOver()) return;
		const why = error instanceof Error ? error.message.split("\n", 1)[0] : "unknown error";
		ui.notify(`${name}: failed (${why}).`, "error");
	});
	return undefined;
}
