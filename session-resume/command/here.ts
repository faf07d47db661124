import type { Recap } from "../../session-core/recap/record.ts";
import { TOO_LITTLE, WORKING } from "../answers.ts";
import type { CommandDesk } from "../desk.ts";
import { folderQuestion } from "../here/folder.ts";
import { fork } from "../here/fork.ts";
import { ANSWER_FIRST, goOn } from "../here/go-on.ts";
import { isQuestion, resumePrompt } from "../here/prompt.ts";
import { HERE_BARE, HERE_OPTIONS, parseHere } from "./here-parse.ts";
import { helpText, unknownText } from "./options.ts";

/** `/resume-here …` */
export async function runHere(args: string, desk: CommandDesk): Promise<void> {
	const { screen } = desk;
	const action = parseHere(args);
	switch (action.type) {
		case "help":
			screen.say(helpText("resume-here", HERE_BARE, HERE_OPTIONS));
			return;
		case "unknown":
			screen.say(unknownText("resume-here", action.word), "warning");
			return;
		case "go":
			return resumeHere(desk, action);
	}
}

export interface HereWish {
	/** Which next step, from 1; undefined: the first one, or the work as such where there is none. */
	step: number | undefined;
	send: boolean;
	branch: boolean;
}

/** Go on in the session that is open, or in a fork of it. */
export async function resumeHere(desk: CommandDesk, wish: HereWish): Promise<void> {
	const { ctx, host, screen, session } = desk;
	if (!ctx.isIdle()) {
		screen.say(WORKING, "warning");
		return;
	}
	const prepared = await session.state();
	if (prepared?.reading.stamp === undefined || !prepared.reading.hasTask) {
		screen.say(TOO_LITTLE);
		return;
	}
	const recap = prepared.shown;
	const action = recap.next_actions[(wish.step ?? 1) - 1];
	if (wish.step !== undefined && action === undefined) {
		screen.say(noSuchStep(recap, wish.step), "warning");
		return;
	}
	const question = folderQuestion(host.ownCwd, host.cwd);
	if (question !== undefined && !(await ctx.ui.confirm("Resume", question))) return;

	const prompt = resumePrompt(recap, action);
	const isAnswer = action !== undefined && isQuestion(action);
	const order = { prompt, send: wish.send && !isAnswer };
	if (wish.send && isAnswer) screen.say(ANSWER_FIRST);
	const branches = wish.branch || recap.resume_hint?.branch_on_resume === true;
	if (branches) await fork(desk, host.target.getLeafId(), order);
	else await goOn(desk, order);
}

function noSuchStep({ next_actions: steps }: Recap, step: number): string {
	if (steps.length === 0)
		return "resume-here: no next step is known. /resume-here alone goes on with the work.";
	const list = steps.map((text, index) => `  ${index + 1} ${text}`).join("\n");
	return `resume-here: there is no step ${step}:\n${list}`;
}
