import { helpText, unknownText } from "../../session-core/command/options.ts";
import type { Recap } from "../../session-core/recap/record.ts";
import { withBranching } from "../../session-core/records/make-record.ts";
import {
	beginningOf,
	freshPrompt,
	isBranching,
	isQuestion,
	resumePrompt,
} from "../../session-core/resume-plan/prompt.ts";
import { keyHelp } from "../../session-core/shortcuts/help.ts";
import type { CommandContext } from "../context.ts";
import type { Prepared } from "../record/keeper.ts";
import { folderQuestion } from "../resume-here/folder-question.ts";
import { fork } from "../resume-here/fork.ts";
import { goOnFresh } from "../resume-here/fresh.ts";
import { ANSWER_FIRST, goOn } from "../resume-here/go-on.ts";
import { dailyAnswers, explainRefusal } from "./answers.ts";
import { HERE_OPTIONS, parseHere } from "./here-parse.ts";

/** `/resume-here …` */
export async function runHere(args: string, context: CommandContext): Promise<void> {
	const { screen } = context;
	const action = parseHere(args);
	switch (action.type) {
		case "help":
			screen.say(helpText("resume-here", HERE_OPTIONS, keyHelp("next", context.keys)));
			return;
		case "unknown":
			screen.say(unknownText("resume-here", action.word), "warning");
			return;
		case "go":
			return resumeHere(context, action);
	}
}

export interface HereWish {
	/** Which next step, from 1; undefined: what the record says, or the work as such where it says nothing. */
	step: number | undefined;
	send: boolean;
	/** In a fork; undefined: as the record says. */
	branch: boolean | undefined;
	/** From now on, too. */
	always: boolean;
	/** In a new session that begins with the recap. */
	fresh: boolean;
}

/** Go on in the session that is open, or in a fork of it. */
export async function resumeHere(context: CommandContext, wish: HereWish): Promise<void> {
	const { host, screen, session } = context;
	const prepared = context.ctx.isIdle() ? await session.state() : undefined;
	if (!mayGoOn(context)) return;
	if (prepared?.reading.stamp === undefined || !prepared.reading.hasTask) {
		screen.say(dailyAnswers(session.words()).tooLittle);
		return;
	}
	const recap = prepared.shown;
	const action = wish.step === undefined ? beginningOf(recap) : recap.next_actions[wish.step - 1];
	if (wish.step !== undefined && action === undefined) {
		screen.say(noSuchStep(recap, wish.step), "warning");
		return;
	}
	const question = folderQuestion(host.ownCwd, host.cwd);
	if (question !== undefined && !(await context.ctx.ui.confirm("Resume", question))) return;
	if (!mayGoOn(context)) return;
	if (wish.always && !remember(context, prepared, wish.branch === true)) return;
	const prompt = wish.fresh ? freshPrompt(recap, action) : resumePrompt(recap, action);
	const isAnswer = action !== undefined && isQuestion(action);
	const continuation = { prompt, send: wish.send && !isAnswer };
	if (wish.send && isAnswer) screen.say(ANSWER_FIRST);
	if (wish.fresh) return goOnFresh(context, continuation);
	// A fork that has said nothing yet shows its parent's record, and is the fork that it asks for.
	const branches = wish.branch ?? (recap.subject_id === host.id && isBranching(recap));
	if (branches) await fork(context, host.target.getLeafId(), continuation);
	else await goOn(context, continuation);
}

/** Nothing else has begun meanwhile. */
function mayGoOn({ ctx, screen, session }: CommandContext): boolean {
	if (!session.isLive()) return false;
	if (!ctx.isIdle()) screen.say(dailyAnswers(session.words()).working, "warning");
	return ctx.isIdle();
}

/** Keep in the session's record whether it is resumed in a fork; false where that cannot be written, which is said. */
function remember(
	{ screen, session }: CommandContext,
	{ shown, existing }: Prepared,
	branches: boolean,
): boolean {
	const kept = session.keeper.put(withBranching(shown, branches), { over: existing, cause: "typed" });
	if (!kept.ok) screen.say(explainRefusal(kept, session.words()), "warning");
	return kept.ok;
}

function noSuchStep({ next_actions: steps }: Recap, step: number): string {
	if (steps.length === 0)
		return "resume-here: no next step is known. /resume-here alone goes on with the work.";
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}:\n${list}`;
}
