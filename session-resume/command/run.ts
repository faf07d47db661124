import type { CommandContext, CommandName } from "../session.ts";
import { runCard } from "./recap-card.ts";
import { runFrom } from "./resume-from.ts";
import { runHere } from "./resume-here.ts";
import { runToday } from "./today.ts";

export { createCompletion } from "./completion.ts";
export { continueHere } from "./continue.ts";
export { resumeSection } from "./doctor.ts";
export { followRequest } from "./requested.ts";
export { runCard };

type Run = (args: string, context: CommandContext) => Promise<void>;

/** Runs a typed command. Every command shows an answer, and no command waits for a model. */
export const RUNS: Readonly<Record<CommandName, Run>> = {
	"recap-card": runCard,
	"resume-here": runHere,
	"resume-from": runFrom,
	today: runToday,
};
