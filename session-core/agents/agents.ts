import { CLAUDE_CODE } from "./claude-code.ts";
import { CODEX } from "./codex.ts";

/** The other agents whose sessions can be listed. */
export const AGENTS = [CLAUDE_CODE, CODEX] as const;
export type AgentId = (typeof AGENTS)[number];

const LABELS: Readonly<Record<AgentId, string>> = { "claude-code": "Claude Code", codex: "Codex" };

/** Returns the name of the agent that wrote a session, as it is shown beside the session; empty for the host's own sessions. */
export function agentMark(agent: AgentId | "pi" | undefined): string {
	return agent === undefined || agent === "pi" ? "" : LABELS[agent];
}

/** Reads the id of an agent. Returns undefined for any other value. */
export function readAgent(value: unknown): AgentId | undefined {
	return AGENTS.find((agent) => agent === value);
}
