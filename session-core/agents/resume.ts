import type { AgentId } from "./agents.ts";

/** The command with which an agent's own program resumes a session. */
const COMMANDS: Readonly<Record<AgentId, readonly string[]>> = {
	"claude-code": ["claude", "--resume"],
	codex: ["codex", "resume"],
};

export function agentCommand(agent: AgentId, id: string): string[] {
	return [...COMMANDS[agent], id];
}
