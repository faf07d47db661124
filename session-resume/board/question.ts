import type { HostRefusal } from "../../session-core/store/host-loader.ts";
import { projectOf } from "./row.ts";
import type { Facts, Leaving, Question } from "./types.ts";

/** One key makes a copy and leaves for it: that is asked. */
export function forkQuestion(facts: Facts, here: string): Question {
	const fork = { label: forkLabel(facts, here), value: leavingFor("fork", facts, here) };
	const text = `Go on with “${facts.row.title}” in a copy? The session stays as it is.`;
	if (!facts.row.branches || !facts.cwdExists) return { text, choices: [fork, CANCEL] };
	const open = { label: "Open the session itself", value: leavingFor("open", facts, here) };
	return { text: `“${facts.row.title}” is set to be resumed in a copy.`, choices: [fork, open, CANCEL] };
}

/** One question for all that speaks against the act; undefined where nothing does. The first choice is the harmless one. */
export function questionOf(act: Leaving["act"], facts: Facts, here: string): Question | undefined {
	if (facts.damage !== undefined) {
		const repair = { label: "Open a repaired copy", value: leavingFor("repair", facts, here) };
		return {
			text: [damageText(facts.damage), busyDoubt(facts)].filter(Boolean).join(" "),
			choices: facts.busy ? [STAY, repair] : [repair, CANCEL],
		};
	}
	const doubts = [writerDoubt(act, facts), busyDoubt(facts), folderDoubt(act, facts, here)].filter(
		(doubt) => doubt !== undefined,
	);
	if (doubts.length === 0) return undefined;
	const fork = { label: forkLabel(facts, here), value: leavingFor("fork", facts, here) };
	const ways = act === "fork" ? [fork] : openingChoices(facts, here, fork);
	// Any way out of here stops a run, so none of them may be one Enter away.
	const choices = facts.busy ? [STAY, ...ways] : [...ways, CANCEL];
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

const STAY: Choice = { label: "Stay: let the agent go on", value: undefined };
const CANCEL: Choice = { label: "Cancel", value: undefined };

function openingChoices(facts: Facts, here: string, fork: Choice): Choice[] {
	const label = facts.writer === undefined ? "Open it" : "Open anyway";
	const open = { label, value: leavingFor("open", facts, here) };
	// Without its folder it can only go on elsewhere; where the host cannot ask that itself, a fork is the way.
	if (!facts.cwdExists && !facts.hostAsksForCwd) return [fork];
	return facts.writer === undefined ? [open] : [fork, open];
}

function writerDoubt(act: Leaving["act"], { writer }: Facts): string | undefined {
	if (writer === undefined || act === "fork") return undefined;
	return `This session is open in ${writer}. Two that go on with one session write into each other's history.`;
}

function busyDoubt({ busy }: Facts): string | undefined {
	return busy ? "The agent is still working here; leaving this session stops it." : undefined;
}

function folderDoubt(
	act: Leaving["act"],
	{ row, cwdExists, hostAsksForCwd }: Facts,
	here: string,
): string | undefined {
	if (cwdExists || (act === "open" && hostAsksForCwd)) return undefined;
	return `Its folder ${projectOf(row.cwd) || "(unknown)"} is gone. A fork would go on in ${projectOf(here)}.`;
}

function forkLabel({ cwdExists }: Facts, here: string): string {
	return cwdExists ? "Fork: go on in a copy" : `Fork: go on in a copy, in ${projectOf(here)}`;
}

/** What happens for an act that nothing speaks against any more. */
export function leavingFor(act: Leaving["act"], { row, cwdExists }: Facts, here: string): Leaving {
	if (act === "open") return { act, path: row.path };
	const moved = !cwdExists || row.cwd === "";
	return { act, path: row.path, cwd: moved ? here : row.cwd, moved };
}
