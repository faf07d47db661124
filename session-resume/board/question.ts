import type { HostRefusal } from "../../session-core/store/host-loader.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { BoardWords, LiveWords, Words } from "../../session-core/words/words.ts";
import { projectOf } from "./row.ts";
import type { Facts, Leaving, Question } from "./types.ts";

/** One key makes a copy and leaves for it: that is asked. */
export function forkQuestion(facts: Facts, here: string, { board: words }: Words = ENGLISH): Question {
	const fork = { label: forkLabel(facts, here, words), value: leavingFor("fork", facts, here) };
	const text = words.forkQuestion(facts.row.title);
	if (!facts.row.branches || !facts.cwdExists) return { text, choices: [fork, cancel(words)] };
	const open = { label: words.openItself, value: leavingFor("open", facts, here) };
	return { text: words.setToCopy(facts.row.title), choices: [fork, open, cancel(words)] };
}

/** One question for all that speaks against the act; undefined where nothing does. The first choice is the harmless one. */
export function questionOf(
	act: Leaving["act"],
	facts: Facts,
	here: string,
	{ board: words, live }: Words = ENGLISH,
): Question | undefined {
	if (facts.damage !== undefined) {
		const repair = { label: words.openRepaired, value: leavingFor("repair", facts, here) };
		return {
			text: [damageText(facts.damage), busyDoubt(facts, words)].filter(Boolean).join(" "),
			choices: facts.busy ? [stay(words), repair] : [repair, cancel(words)],
		};
	}
	const doubts = [
		writerDoubt(act, facts, live),
		busyDoubt(facts, words),
		folderDoubt(act, facts, here, words),
	].filter((doubt) => doubt !== undefined);
	if (doubts.length === 0) return undefined;
	const fork = { label: forkLabel(facts, here, words), value: leavingFor("fork", facts, here) };
	const ways = act === "fork" ? [fork] : openingChoices(facts, here, fork, words);
	// Any way out of here stops a run, so none of them may be one Enter away.
	const choices = facts.busy ? [stay(words), ...ways] : [...ways, cancel(words)];
	return { text: doubts.join(" "), choices };
}

const HARM: Readonly<Record<HostRefusal, string>> = {
	replaced: "pi would put an empty session in its place",
	breaks: "pi would end on it",
	loses_lines: "pi would rewrite it without what it cannot read",
};

function damageText(damage: HostRefusal): string {
	return `The file of this session is damaged: ${HARM[damage]}. A copy of all that can be read can be opened; the file itself stays as it is.`;
}

type Choice = Question["choices"][number];

function stay(words: BoardWords): Choice {
	return { label: words.stay, value: undefined };
}

function cancel(words: BoardWords): Choice {
	return { label: words.cancel, value: undefined };
}

function openingChoices(facts: Facts, here: string, fork: Choice, words: BoardWords): Choice[] {
	const label = facts.writer === undefined ? words.openIt : words.openAnyway;
	const open = { label, value: leavingFor("open", facts, here) };
	// Without its folder it can only go on elsewhere; where the host cannot ask that itself, a fork is the way.
	if (!facts.cwdExists && !facts.hostAsksForCwd) return [fork];
	return facts.writer === undefined ? [open] : [fork, open];
}

function writerDoubt(act: Leaving["act"], { writer }: Facts, words: LiveWords): string | undefined {
	if (writer === undefined || act === "fork") return undefined;
	return words.openElsewhere(writer);
}

function busyDoubt({ busy }: Facts, words: BoardWords): string | undefined {
	return busy ? words.busy : undefined;
}

function folderDoubt(
	act: Leaving["act"],
	{ row, cwdExists, hostAsksForCwd }: Facts,
	here: string,
	words: BoardWords,
): string | undefined {
	if (cwdExists || (act === "open" && hostAsksForCwd)) return undefined;
	return words.folderGone(projectOf(row.cwd) || "?", projectOf(here));
}

function forkLabel({ cwdExists }: Facts, here: string, words: BoardWords): string {
	return cwdExists ? words.forkCopy : words.forkCopyIn(projectOf(here));
}

/** What happens for an act that nothing speaks against any more. */
export function leavingFor(act: Leaving["act"], { row, cwdExists }: Facts, here: string): Leaving {
	if (act === "open") return { act, path: row.path };
	const moved = !cwdExists || row.cwd === "";
	return { act, path: row.path, cwd: moved ? here : row.cwd, moved };
}
