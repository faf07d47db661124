import { join } from "node:path";

/** Today's ledger below the host's config folder. It has one file a day, in local time. */
export function ledgerFile(agentDir: string): string {
	const now = new Date();
	const two = (value: number) => String(value).padStart(2, "0");
	const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
	return join(agentDir, "session-suite", "usage", `${day}.jsonl`);
}
