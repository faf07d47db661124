// One of several processes that write to the usage ledger at the same time: calls until the limit, or as many as told.
import { createLedger } from "../../session-core/usage/ledger.ts";

const [agentDir = "", now = "0", session = "", calls = "0", limit = "none"] = process.argv.slice(2);
const ledger = createLedger({ agentDir, now: () => Number(now) });
const call = {
	session,
	feature: "recap" as const,
	model: "anthropic/claude-haiku-4-5",
	input: 1000,
	cost: 0.0625,
	most: 0.125,
	unpriced: false,
	deadlineMs: 20_000,
};
for (let made = 0; made < Number(calls); made++) {
	const reserved = ledger.reserve(call, limit === "none" ? undefined : Number(limit));
	if (reserved.ok) {
		if (reserved.booking.problem) process.exit(1);
		reserved.booking.settle({ outcome: "ok", input: 1000, output: 50, cost: 0.125, isBilled: true });
	} else if (reserved.reason === "uncounted") process.exit(1);
}
