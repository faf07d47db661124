import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createPrintUi, withUi } from "../session-core/terminal/print-ui.ts";
import { type Opening, startTitle } from "./start.ts";

/** `/rename …` without a user in front of pi: the answer goes to stderr, and pi waits for it. */
export async function printRename(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	opening: Opening,
	args: string,
): Promise<void> {
	const { ui, run } = createPrintUi(ctx.ui);
	const title = await startTitle(pi, withUi(ctx, ui), opening);
	if (!title) return;
	await run(() => title.command(args));
	title.end();
}
