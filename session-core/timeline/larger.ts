/** Which request the last work belongs to: told by length and form, never by what their words mean. */

import { countWords } from "../text/count.ts";
import { actedIn, editedPaths, stepsOf } from "./turn.ts";
import type { Timeline, Turn } from "./types.ts";
import { isRequest, writtenLines } from "./user-words.ts";

/** Words from which a request says by itself what is wanted. */
const SUBSTANTIAL = 9;
/** Fewer will do where work followed, or with a name in them: a path, an identifier, code, a ticket. */
const SHORT = 4;
/** Calls that make a turn work rather than a look at something. */
const WORK = 3;
const NAME = /[\w-]+\.[A-Za-z]{1,5}\b|\b\w+[-_/]\w+|\b[a-z]+[A-Z]\w*|`[^`\n]+`|#\d+|\b[A-Z]{2,}\b/;

/** Whether a request says by itself what is wanted. By length and form only. */
export function isSubstantial(turn: Turn): boolean {
	const written = writtenText(turn);
	const words = countWords(written);
	if (words >= SUBSTANTIAL) return true;
	const calls = stepsOf(turn).length;
	const isWork = calls >= WORK && actedIn(turn);
	return words >= SHORT && (isWork || (calls > 0 && NAME.test(written)));
}

function writtenText({ request = "" }: Turn): string {
	return writtenLines(request).join("\n");
}

/** The last request that says what is wanted and was taken up, there or in a turn that it went on in; else the last of all. */
export function currentRequest({ turns }: Pick<Timeline, "turns">): Turn | undefined {
	const asked = turns.filter((turn) => turn.request !== undefined);
	const taken = asked.findLast(
		(turn, index) =>
			isSubstantial(turn) &&
			(turn.reply !== undefined || asked.slice(index).some(({ steps }) => steps.length > 0)),
	);
	return taken ?? asked.findLast((turn) => isRequest(turn.request ?? "")) ?? asked.at(-1);
}

/** Words from which saying more makes a request no larger. */
const MOST = 80;
/** What a session began with is what it is about, unless the user said far more later. */
const FIRST = 2.5;

/** An older request that the current work still serves: the same files were changed for both. */
export function servedWork(timeline: Pick<Timeline, "turns">): Turn | undefined {
	const { turns } = timeline;
	const current = currentRequest(timeline);
	const larger = largerWork(timeline);
	if (!current || !larger) return undefined;
	const [start, from] = [turns.indexOf(larger), turns.indexOf(current)];
	const next = turns.findIndex((turn, index) => index > start && isSubstantial(turn));
	const before = editedPaths(turns.slice(start, next < 0 ? from : next).flatMap(stepsOf));
	const since = editedPaths(turns.slice(from).flatMap(stepsOf));
	return since.some((path) => before.includes(path)) ? larger : undefined;
}

/** The older request in which the user said most, the session's first above others. */
export function largerWork(timeline: Pick<Timeline, "turns">): Turn | undefined {
	const current = currentRequest(timeline);
	const before = timeline.turns.slice(0, current ? timeline.turns.indexOf(current) : 0);
	const candidates = before.filter(isSubstantial).map((turn, index) => {
		const said = Math.min(countWords(writtenText(turn)), MOST);
		return { turn, score: index === 0 ? said * FIRST : said };
	});
	return candidates.toSorted((a, b) => b.score - a.score)[0]?.turn;
}

/** Requests behind which a summary's goal may be another story. */
const GOAL_REACH = 45;

/** The newest goal that a summary on the branch names. */
export function goalText({ turns }: Pick<Timeline, "turns">): string | undefined {
	return turns.slice(-GOAL_REACH).findLast((turn) => turn.goal !== undefined)?.goal;
}
