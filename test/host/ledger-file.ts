import { join } from "node:path";

/** Today's ledger below the host's config folder. It has one file a day, in UTC. */
export function ledgerFile(agentDir: string): string {
	const day = new Date().toISOString().slice(0, 10);
	return join(agentDir, "session-suite", "usage", `${day}.jsonl`);
}
