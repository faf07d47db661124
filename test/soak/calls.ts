import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPassing } from "../../session-core/model/failure.ts";
import type { World } from "./world.ts";

interface Attempt {
	/** Session, feature and state. */
	state: string;
	by: string;
	outcome: string | undefined;
}

export interface CallFigures {
	/** Side calls that reached the model. */
	made: number;
	/** Claims on a state's one call that stood. */
	automatic: Attempt[];
	/** Distinct states of all conversations, as the session files tell: one for each message. */
	states: number;
}

export function callFigures({ model, sandbox, watch }: World): CallFigures {
	const automatic = attempts(join(sandbox.agentDir, "session-suite", "asked")).filter(
		({ by, outcome }) => by === "auto" && outcome !== "withdrawn",
	);
	const messages = watch
		.files()
		.flatMap((path) => readFileSync(path, "utf8").match(/"type":"message"/g) ?? []);
	return {
		made: model.requests.filter(({ kind }) => kind !== "agent").length,
		automatic,
		states: messages.length,
	};
}

/**
 * A call is of a state that was claimed, or of a command that was typed; a state has one of each feature, or two where
 * the provider was only busy at first.
 */
export function callFaults({ tally }: World, { made, automatic, states }: CallFigures): string[] {
	const faults: string[] = [];
	const byState = new Map<string, Attempt[]>();
	for (const attempt of automatic)
		byState.set(attempt.state, [...(byState.get(attempt.state) ?? []), attempt]);
	for (const [state, [first, ...more]] of byState) {
		const allowed = first?.outcome !== undefined && isPassing(first.outcome) ? 1 : 0;
		if (more.length > allowed) faults.push(`${more.length + 1} automatic calls for one state: ${state}`);
	}
	const most = automatic.length + tally.typedCalls;
	if (made > most)
		faults.push(`${made} side calls, but ${automatic.length} claims and ${tally.typedCalls} commands`);
	for (const feature of ["recap", "title", "record"]) {
		const asked = [...byState.keys()].filter((state) => state.includes(` ${feature} `)).length;
		if (asked > states) faults.push(`${asked} calls for a ${feature} in ${states} states`);
	}
	return faults;
}

function attempts(folder: string): Attempt[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder).flatMap((name) => attemptsIn(name, readFileSync(join(folder, name), "utf8")));
}

function attemptsIn(session: string, text: string): Attempt[] {
	const found = new Map<string, Attempt>();
	for (const line of text.split("\n")) {
		if (line === "") continue;
		const claim = readClaim(line);
		if (!claim) continue;
		const { id, feature, stamp, by, outcome } = claim;
		const known = found.get(String(id));
		if (known) known.outcome = outcome;
		else if (by !== undefined)
			found.set(String(id), { state: `${session} ${feature} ${stamp}`, by, outcome });
	}
	return [...found.values()];
}

/** A full disk cuts lines off, and the next one stands behind what is left of them. */
function readClaim(line: string): Record<string, string | undefined> | undefined {
	try {
		return JSON.parse(line.slice(Math.max(0, line.lastIndexOf('{"at":'))));
	} catch {
		return undefined;
	}
}
