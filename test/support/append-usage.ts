// One of several processes that write to the usage ledger at the same time.
import { createLedger } from "../../session-core/usage/ledger.ts";

const [agentDir = "", now = "0", session = "", calls = "0"] = process.argv.slice(2);
const ledger = createLedger({ agentDir, now: () => Number(now) });
for (let call = 0; call < Number(calls); call++) {
	const isWritten = ledger.record({
		session,
		feature: "recap",
		model: "anthropic/claude-haiku-4-5",
		input: 1000,
		output: 50,
		cost: 0.125,
		outcome: "ok",
	});
	if (!isWritten) process.exit(1);
}
