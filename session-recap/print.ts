import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createPrintUi, withUi } from "../session-core/terminal/print-ui.ts";
import { startRecap } from "./start.ts";

/** `/recap …` without a user in front of pi: the answer goes to stderr, and pi waits for it. */
export async function printRecap(pi: ExtensionAPI, ctx: ExtensionContext, args: string): Promise<void> {
	const { ui, run } = createPrintUi(ctx.ui);
	const recap = await startRecap(pi, withUi(ctx, ui), "startup", () => false);
	if (!recap) return;
	await run(async () => {
		const { answered } = await recap.command(args);
		await answered;
	});
	recap.end();
}
