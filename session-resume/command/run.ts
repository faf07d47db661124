import type { CommandContext, CommandName } from "../context.ts";
import { runCard } from "./recap-card.ts";
import { runFrom } from "./resume-from.ts";
import { runHere } from "./resume-here.ts";
import { runToday } from "./today.ts";

export { createCompletion } from "./complete.ts";
export { continuationOf, continueHere, takeRequestedText as takeOrder } from "./continue.ts";
export { resumeSection } from "./doctor.ts";
export { runCard };

/** Runs a typed command. Every command gives an answer, and none waits for a model. */
export async function runCommand(name: CommandName, args: string, context: CommandContext): Promise<void> {
	if (name === "recap-card") return runCard(args, context);
	if (name === "resume-here") return runHere(args, context);
	if (name === "today") return runToday(args, context);
	return runFrom(args, context);
}
