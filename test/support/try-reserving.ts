// What a user finds whose ledger belongs to somebody else: says what keeps calls from being counted.
import { describeProblem } from "../../session-core/usage/journal.ts";
import { createLedger } from "../../session-core/usage/ledger.ts";

const [agentDir = "", now = "0"] = process.argv.slice(2);
const ledger = createLedger({ agentDir, now: () => Number(now) });
const estimate = { input: 1, cost: 0.1, most: 0.2, unpriced: false };
const call = { session: "s1", feature: "recap" as const, model: "p/m", deadlineMs: 1_000, ...estimate };
const reserved = ledger.reserve(call, 10);
const checked = ledger.problem();
process.stdout.write(
	JSON.stringify({
		refused: !reserved.ok && reserved.reason === "uncounted" && describeProblem(reserved.problem),
		checked: checked && describeProblem(checked),
		typed: ledger.reserve(call).ok,
	}),
);
