import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { pick } from "../../session-core/terminal/pick.ts";
import { type FactsDeps, factsOf } from "./facts.ts";
import { leavingFor, questionOf } from "./question.ts";
import type { Facts, Leaving, Row } from "./types.ts";

export interface DecideDeps {
	ui: Pick<ExtensionUIContext, "select">;
	facts: FactsDeps;
	/** The folder that pi works in. */
	here: string;
	/** Tell the user why it cannot be. */
	refuse(why: string): void;
	/** What else speaks against it, in one sentence. */
	obstacle?(facts: Facts): string | undefined;
}

/** What the board asks on its own screen, in the host's dialogs. Undefined: it cannot be, or the user gave up. */
export async function decide(
	act: "open" | "fork",
	row: Row,
	{ ui, facts: deps, here, refuse, obstacle }: DecideDeps,
): Promise<Leaving | undefined> {
	const facts = await factsOf(act, row, deps);
	const why = facts.blocked ?? obstacle?.(facts);
	if (why !== undefined) {
		refuse(why);
		return undefined;
	}
	const question = questionOf(act, facts, here, deps.words);
	if (!question) return leavingFor(act, facts, here);
	return pick(ui, question.text, question.choices);
}
