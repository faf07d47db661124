import { type AgentId, agentMark } from "../../session-core/agents/agents.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { isFolder } from "../../session-core/regular-file.ts";
import { planResume } from "../../session-core/resume-plan/plan.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { DONE, type World } from "../shell/world.ts";
import { runPi } from "./run-pi.ts";

/** The options that only pi's own sessions have. */
const OWN = ["at", "branch", "send", "message", "repair"] as const;

type Options = Partial<Record<(typeof OWN)[number] | "in-pi" | "dry-run", string | boolean | undefined>>;

/** Resumes a session of another agent with that agent's program, or hands it over to a new session of pi. */
export async function resumeAgent(
	agent: AgentId,
	row: SessionSummary,
	{ "in-pi": inPi = false, "dry-run": isDry, ...options }: Options,
	world: World,
): Promise<number> {
	const name = agentMark(agent);
	const instead = "Use --in-pi to continue in a new session of pi.";
	const own = OWN.find((option) => options[option] !== undefined);
	if (own) return world.fail(`--${own} works only with sessions of pi; this is one of ${name}. ${instead}`);
	if (!inPi && row.kind === "child")
		return world.fail(`this session belongs to a subagent, which ${name} cannot resume. ${instead}`);
	const plan = planResume(row, { inPi: inPi !== false });
	if (isDry) {
		world.out.write(`${plan.command_line}\n`);
		return DONE;
	}
	if (!inPi && !isFolder(row.cwd))
		return world.fail(
			`the folder of this session no longer exists (${cleanLine(row.cwd) || "unknown"}), and ${name} resumes a session only there. ${instead}`,
		);
	return runPi(
		plan,
		world,
		inPi ? "" : ` Install ${name}, or use --in-pi to continue in a new session of pi.`,
	);
}
