import { homedir } from "node:os";
import { join } from "node:path";
import { isObject, type JsonObject } from "../json.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";

export const AGENTS = ["claude-code", "codex"] as const;
export type AgentId = (typeof AGENTS)[number];

export type Env = Readonly<Record<string, string | undefined>>;

interface Agent {
	label: string;
	/** The command with which its own program resumes a session. */
	command: readonly string[];
	/** The folder below which it keeps its logs, and how many levels of folders there are. */
	root(env: Env): { root: string; depth: number };
	/** Strings on the lines with a title. */
	titles: readonly string[];
}

export const READERS: Readonly<Record<AgentId, Agent>> = {
	"claude-code": {
		label: "Claude Code",
		command: ["claude", "--resume"],
		root: (env) => ({
			root: join(env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude"), "projects"),
			depth: 1,
		}),
		titles: ['"custom-title"', '"ai-title"'],
	},
	codex: {
		label: "Codex",
		command: ["codex", "resume"],
		root: (env) => ({ root: join(env["CODEX_HOME"] || join(homedir(), ".codex"), "sessions"), depth: 3 }),
		titles: ['"thread_name_updated"'],
	},
};

/** Returns the name of the agent that wrote a session, as it is shown beside the session; empty for the host's own sessions. */
export function agentMark(agent: AgentId | "pi" | undefined): string {
	return agent === undefined || agent === "pi" ? "" : READERS[agent].label;
}

export function agentCommand(agent: AgentId, id: string): string[] {
	return [...READERS[agent].command, id];
}

/** Reads the id of an agent. Returns undefined for any other value. */
export function readAgent(value: unknown): AgentId | undefined {
	return AGENTS.find((agent) => agent === value);
}

/** Turns a line of another agent's log into the host's entries with the same meaning. The host's own lines are returned unchanged. */
export function asHostEntries(line: JsonObject): JsonObject[] {
	// Most lines are the host's own, so they are recognized first. The other agents use the same type, but not the same field.
	if (line["type"] === "message" && isObject(line["message"])) return [line];
	return claudeCodeEntries(line) ?? codexEntries(line) ?? [line];
}
