import { type CommandForm, type Completion, completeOptions } from "../../session-core/pi/index.ts";
import type { CommandName, ResumeSession, TypedCommand } from "../session.ts";
import { SessionCompletion } from "./completion.ts";
import { RECAP_CARD, runCard } from "./recap-card.ts";
import { RESUME_FROM, runFrom } from "./resume-from.ts";
import { continueHere, RESUME_HERE, runHere } from "./resume-here.ts";
import { runToday, TODAY } from "./today.ts";

export { continueHere, runCard };

interface OwnCommand {
	form: CommandForm;
	run(args: string, command: TypedCommand): Promise<void>;
}

/** No command waits for a model. */
export const COMMANDS: Readonly<Record<CommandName, OwnCommand>> = {
	"recap-card": { form: RECAP_CARD, run: runCard },
	"resume-here": { form: RESUME_HERE, run: runHere },
	"resume-from": { form: RESUME_FROM, run: runFrom },
	today: { form: TODAY, run: runToday },
};

const completions = new WeakMap<ResumeSession, SessionCompletion>();

export async function complete(
	session: ResumeSession,
	name: CommandName,
	prefix: string,
): Promise<Completion[] | null> {
	const { form } = COMMANDS[name];
	if (name !== "resume-from") return completeOptions(form, prefix);
	const { commons, host } = session;
	const completion = completions.get(session) ?? new SessionCompletion(commons.agentDir, host);
	completions.set(session, completion);
	const offered = await completion.complete(prefix);
	return offered === undefined ? completeOptions(form, prefix) : offered;
}
