import type { SessionSummary } from "../catalog/summary.ts";
import { type ResumePlan, shellLine } from "../resume-plan/plan.ts";
import { RESUME_VARIABLE, waitingValue } from "../resume-plan/variables.ts";
import type { AgentId } from "./agents.ts";

/** How a session of another agent is continued: the parts of a plan that starting a program needs. */
export type AgentPlan = Pick<ResumePlan, "kind" | "command" | "cwd" | "env" | "command_line">;

/** The command with which an agent's own program resumes a session. */
const COMMANDS: Readonly<Record<AgentId, readonly string[]>> = {
	"claude-code": ["claude", "--resume"],
	codex: ["codex", "resume"],
};

/**
 * Plans how to continue a session of another agent in its folder. `inPi`: whether it is handed over to a new session of pi instead of being
 * resumed by the agent's own program.
 */
export function planAgent(
	agent: AgentId,
	{ id, cwd }: Pick<SessionSummary, "id" | "cwd">,
	inPi: boolean,
): AgentPlan {
	const command = inPi ? ["pi"] : [...COMMANDS[agent], id];
	const env: Record<string, string> = inPi
		? { [RESUME_VARIABLE]: waitingValue({ type: "handover", agent, id }) }
		: {};
	return { kind: "session", command, cwd, env, command_line: shellLine(command, cwd, env) };
}
