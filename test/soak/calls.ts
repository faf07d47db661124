import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPassing } from "../../session-core/model/failure.ts";
import type { World } from "./world.ts";

interface Attempt {
	/** Feature and state. */
	state: string;
	by: string;
	outcome: string | undefined;
}

export interface CallFigures {
	/** Side calls that reached the model. */
	made: number;
	/** Automatic requests that were not withdrawn. */
	automatic: Attempt[];
	/** States of all conversations: one for each message in the session files. */
	states: number;
}

export function callFigures({ model, sandbox, watch }: World): CallFigures {
	const automatic = attempts(join(sandbox.agentDir, "session-suite", "usage")).filter(
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

/** Every call needs an automatic request or a typed command, and each feature gets one request per state, or two if the provider was busy. */
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
		faults.push(
			`${made} side calls, but ${automatic.length} automatic requests and ${tally.typedCalls} commands`,
		);
	for (const feature of ["recap", "title", "record"]) {
		const requested = [...byState.keys()].filter((state) => state.includes(` ${feature} `)).length;
		if (requested > states) faults.push(`${requested} calls for a ${feature} in ${states} states`);
	}
	return faults;
}

/** The last call of each request, which may have tried several models. */
function attempts(folder: string): Attempt[] {
	if (!existsSync(folder)) return [];
	const found = new Map<string, Attempt>();
	for (const day of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
		for (const line of readFileSync(join(folder, day), "utf8").split("\n")) {
			const { question, feature, state, by, outcome } = readCall(line);
			if (question !== undefined && by !== undefined)
				found.set(question, { state: ` ${feature} ${state}`, by, outcome });
		}
	}
	return [...found.values()];
}

/** A line may follow the rest of one that a full disk cut off. */
function readCall(line: string): Record<string, string | undefined> {
	try {
		return JSON.parse(line.slice(Math.max(0, line.lastIndexOf('{"at":'))));
	} catch {
		return {};
	}
}
