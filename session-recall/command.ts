import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { readArguments } from "../session-core/command/arguments.ts";
import { placeOf, searchEarlier } from "./answer.ts";

const HELP = [
	"/recall <words>  search earlier sessions and show what the agent would get",
	"/recall --here <words>  only sessions of this project",
	"Open a hit with /resume-from <id>, or let the agent read it.",
].join("\n");

/** `/recall`: shows the user the result that the agent would get. */
export async function runRecall(
	ctx: ExtensionCommandContext,
	args: string,
	isOver: () => boolean,
): Promise<void> {
	const given = readArguments(args, { switches: ["--here"] });
	if (given.type === "unknown")
		return ctx.ui.notify(`recall: unknown option ${given.word}; /recall --help lists them.`, "warning");
	if (given.type === "help" || given.text === "") return ctx.ui.notify(HELP, "info");
	const request = { query: given.text, project: given.has("--here") ? "this" : "all" } as const;
	const { text } = await searchEarlier(request, placeOf(ctx));
	if (!isOver()) ctx.ui.notify(text, "info");
}
