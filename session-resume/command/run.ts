import { type CommandForm, type Completion, completeOptions } from "../../session-core/pi/index.ts";
import type { CommandName, InSession, ResumeSession, TypedCommand } from "../session.ts";
import { resumeSection } from "./doctor.ts";
import { RECAP_CARD, runCard } from "./recap-card.ts";
import { completeFrom, followRequest, RESUME_FROM, runFrom } from "./resume-from.ts";
import { continueHere, RESUME_HERE, runHere } from "./resume-here.ts";
import { runToday, TODAY } from "./today.ts";

export { continueHere, followRequest, resumeSection };

interface OwnCommand {
	form: CommandForm;
	run(args: string, command: TypedCommand): Promise<void>;
}

const COMMANDS: Readonly<Record<CommandName, OwnCommand>> = {
	"recap-card": { form: RECAP_CARD, run: runCard },
	"resume-here": { form: RESUME_HERE, run: runHere },
	"resume-from": { form: RESUME_FROM, run: runFrom },
	today: { form: TODAY, run: runToday },
};

export async function runCommand(name: CommandName, args: string, command: TypedCommand): Promise<void> {
	command.session.log("command.run", { command: name });
	await COMMANDS[name].run(args, command);
}

export function toggleCard(command: InSession): Promise<void> {
	return runCard(command.session.card.stamp ? "clear" : "show", command);
}

export async function complete(
	session: ResumeSession,
	name: CommandName,
	prefix: string,
): Promise<Completion[] | null> {
	return name === "resume-from"
		? completeFrom(session, prefix)
		: completeOptions(COMMANDS[name].form, prefix);
}
