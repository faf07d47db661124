import { isQuestion } from "./asking.ts";
import { actedIn } from "./looking.ts";
import { sentencesOf, stripMarks } from "./prose.ts";
import type { Statements } from "./statements.ts";
import type { Turn } from "./turns.ts";
import { substance } from "./voice.ts";

/** Turns back that an unanswered question is still looked for. */
const REACH = 5;
/** Names that a later turn can be seen to have taken up: files and identifiers. */
const NAMES = /[\w-]+\.[A-Za-z]{1,5}\b|\b\w+(?:[-_]\w+)+\b|\b[a-z]+[A-Z]\w+/g;

/** Whether a reply leaves nothing open. */
export function isSettled({ questions, nextSteps, offers }: Statements): boolean {
	return questions.length + nextSteps.length + offers.length === 0;
}

/** A few words without a mark behind a question are its answer. */
const ANSWER_SUBSTANCE = 8;

/** What of an earlier reply is still open after some turns: an answer closes its questions, a deed also what it named as next. */
export function stillOpen({ questions, nextSteps, offers }: Statements, since: readonly Turn[]): Statements {
	const reaction = since.find((turn) => turn.prompt !== undefined)?.prompt;
	// Who asks back has not answered.
	if (reaction === undefined || /[?？؟]/.test(reaction)) return { questions, nextSteps, offers };
	const acted = since.some(actedIn);
	const isAnswered = acted || substance(reaction) < ANSWER_SUBSTANCE;
	return {
		questions: isAnswered ? [] : questions,
		offers: isAnswered ? [] : offers,
		nextSteps: acted ? [] : nextSteps,
	};
}

/**
 * A question that an earlier reply ended with and that nobody took up: it names files or identifiers that no prompt and no tool
 * call has named since. Not across a compaction.
 */
export function pendingQuestion(turns: readonly Turn[]): string | undefined {
	let later = textOf(turns.at(-1));
	for (let index = turns.length - 2; index >= Math.max(0, turns.length - 1 - REACH); index--) {
		const turn = turns[index];
		if (!turn || turn.summary !== undefined) return undefined;
		const lastLine = (turn.says.at(-1) ?? "").slice(-600).trimEnd().split("\n").at(-1) ?? "";
		const question = sentencesOf(stripMarks(lastLine)).at(-1) ?? "";
		if (isQuestion(question) && question.length <= 160) {
			const names = question.match(NAMES) ?? [];
			if (names.length > 0) return names.every((name) => !later.includes(name)) ? question : undefined;
		}
		later += textOf(turn);
	}
	return undefined;
}

function textOf(turn: Turn | undefined): string {
	if (!turn) return "";
	return `${turn.prompt ?? ""}\n${turn.steps.map(({ call }) => namedIn(call.args)).join("\n")}\n`;
}

function namedIn(args: Record<string, unknown>): string {
	const named = args["path"] ?? args["command"];
	return typeof named === "string" ? named.slice(0, 400) : "";
}

/** What a run of the thread said last before it was interrupted, if no later run did anything but look. */
export function interruptedPlan(turns: readonly Turn[], threadStart: number): string | undefined {
	const last = turns.at(-1);
	if (last && actedIn(last)) return undefined;
	for (let index = turns.length - 2; index >= threadStart; index--) {
		const turn = turns[index];
		if (!turn) continue;
		const isCut = turn.end === "toolUse" || turn.end === "aborted" || turn.end === "open";
		if (isCut && turn.steps.length > 0) return turn.says.at(-1);
		if (actedIn(turn)) return undefined;
	}
	return undefined;
}
