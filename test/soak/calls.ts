import { readFileSync } from "node:fs";
import { type LedgerCall, openLedger } from "../../session-core/model/ledger.ts";
import type { World } from "./world.ts";

export interface CallFigures {
	/** Side calls that reached the model. */
	made: number;
	/** The automatic calls in the ledger. */
	counted: number;
	/** The last call of each automatic request that was not withdrawn. A request may try several models. */
	automatic: LedgerCall[];
	/** States of all conversations: one for each message in the session files. */
	states: number;
}

export function callFigures({ model, sandbox, watch }: World): CallFigures {
	const ledger = openLedger(sandbox.agentDir, Date.now).read();
	const calls = ledger.ok ? ledger.calls.filter(({ by }) => by === "auto") : [];
	const messages = watch
		.files()
		.flatMap((path) => readFileSync(path, "utf8").match(/"type":"message"/g) ?? []);
	return {
		made: model.requests.filter(({ kind }) => kind !== "agent").length,
		counted: calls.length,
		automatic: [...new Map(calls.map((call) => [call.question, call])).values()],
		states: messages.length,
	};
}

/** Every call needs an automatic call in the ledger or a typed command, and each feature gets one request per state. */
export function callFaults({ tally }: World, { made, counted, automatic, states }: CallFigures): string[] {
	const faults: string[] = [];
	const byState = new Map<string, LedgerCall[]>();
	for (const call of automatic) {
		const key = `${call.feature} ${call.state}`;
		byState.set(key, [...(byState.get(key) ?? []), call]);
	}
	for (const [state, { length }] of byState)
		if (length > 1) faults.push(`${length} automatic calls for one state: ${state}`);
	if (made > counted + tally.typedCalls)
		faults.push(`${made} side calls, but ${counted} automatic calls and ${tally.typedCalls} commands`);
	for (const feature of ["recap", "title", "resume"]) {
		const requested = [...byState.keys()].filter((state) => state.startsWith(`${feature} `)).length;
		if (requested > states) faults.push(`${requested} calls for a ${feature} in ${states} states`);
	}
	return faults;
}
