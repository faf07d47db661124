import { join } from "node:path";

export function ledgerFile(agentDir: string): string {
	const day = new Date().toISOString().slice(0, 10);
	return join(agentDir, "session-suite", "usage", `${day}.jsonl`);
}
