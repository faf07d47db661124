import { homedir } from "node:os";
import { basename, join } from "node:path";
import { isObject, type JsonObject } from "../json.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";
import { qwenEntries } from "./qwen-code.ts";

export const AGENTS = ["claude-code", "codex", "qwen-code"] as const;
export type AgentId = (typeof AGENTS)[number];

export type Env = Readonly<Record<string, string | undefined>>;

interface LogRoot {
	root: string;
	/** The number of levels of folders below it. */
	depth: number;
	/** Whether the agent's own program no longer lists what is in it. */
	isArchive?: boolean;
}

interface Agent {
	label: string;
	/** The command with which its own program resumes a session, and the variable that names the folder in which it keeps its files. */
	command: readonly string[];
	home: string;
	/** The folders below which it keeps its logs. */
	roots(env: Env): readonly LogRoot[];
	/** Matches the end of a log's name. */
	ending: RegExp;
	/** Strings on the lines with a title, and on those that say where the session continues. */
	titles: readonly string[];
	places: readonly string[];
}

export const READERS: Readonly<Record<AgentId, Agent>> = {
	"claude-code": {
		label: "Claude Code",
		command: ["claude", "--resume"],
		home: "CLAUDE_CONFIG_DIR",
		roots: (env) => [{ root: join(claudeHome(env), "projects"), depth: 1 }],
		ending: /\.jsonl$/,
		titles: ['"custom-title"', '"agent-name"', '"ai-title"'],
		places: ['"relocated"', '"worktree-state"', '"continued-in"'],
	},
	codex: {
		label: "Codex",
		command: ["codex", "resume"],
		home: "CODEX_HOME",
		roots: (env) => {
			const home = env["CODEX_HOME"] || join(homedir(), ".codex");
			return [
				{ root: join(home, "sessions"), depth: 3 },
				{ root: join(home, "archived_sessions"), depth: 0, isArchive: true },
			];
		},
		ending: /\.jsonl(?:\.zst)?$/,
		titles: ['"thread_name_updated"'],
		places: [],
	},
	"qwen-code": {
		label: "Qwen Code",
		command: ["qwen", "--resume"],
		home: "QWEN_HOME",
		// Earlier versions kept the chats of a project in `tmp`.
		roots: (env) =>
			["projects", "tmp"].map((name) => ({
				root: join(env["QWEN_HOME"] || join(homedir(), ".qwen"), name),
				depth: 2,
			})),
		ending: /\.jsonl$/,
		titles: ['"custom_title"'],
		places: [],
	},
};

export function claudeHome(env: Env): string {
	return env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude");
}

/** Returns the name of the agent that wrote a session, as it is shown beside the session; empty for the host's own sessions. */
export function agentMark(agent: AgentId | "pi" | undefined): string {
	return agent === undefined || agent === "pi" ? "" : READERS[agent].label;
}

/** Returns the command with which an agent's own program resumes a session, and the variables that it needs to find the session. */
export function agentCommand(agent: AgentId, id: string, env: Env) {
	const { command, home } = READERS[agent];
	const folder = env[home];
	return { command: [...command, id], env: folder ? { [home]: folder } : {} };
}

/** Reads the id of an agent. Returns undefined for any other value. */
export function readAgent(value: unknown): AgentId | undefined {
	return AGENTS.find((agent) => agent === value);
}

/** A UUID, as in the names of logs. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns a session's header according to its file. The lines of a copy that Claude Code forked still name the session they were copied
 * from, but the file has the name of the fork.
 */
export function headerAt<Header extends FileHeader>(path: string, header: Header): Header {
	const id = basename(path, ".jsonl");
	if (header.agent !== "claude-code" || header.isChild || id === header.id || !UUID.test(id)) return header;
	return { ...header, id, parentSession: header.parentSession ?? header.id };
}

interface FileHeader {
	id: string;
	agent: AgentId | undefined;
	isChild: boolean;
	parentSession: string | undefined;
}

/** Turns a line of another agent's log into the host's entries with the same meaning. The host's own lines are returned unchanged. */
export function asHostEntries(line: JsonObject): JsonObject[] {
	// Most lines are the host's own, so they are recognized first. The other agents use the same type, but not the same field.
	if (line["type"] === "message" && isObject(line["message"])) return [line];
	return qwenEntries(line) ?? claudeCodeEntries(line) ?? codexEntries(line) ?? [line];
}

/** Number of bytes at both ends of a line that show what kind of line it is. */
const SEEN = 2_048;
const ASKING =
	/"role":\s?"user"|"queued_command"|\\"answers\\":|"thread_rolled_back"|"session_meta"|"compacted"|"compaction"|"branch_summary"/;
const RESULT = /"tool_result"|"function_call_output"|"custom_tool_call_output"|"role":\s?"toolResult"/;
/** In results, the user's answers to questions and reasons for a refusal. */
const ANSWERED = /"answers":|the user said:/;

/** Whether a line may contain what the user said, a summary, or what does not belong to the branch. */
export function mayAsk({ bytes }: { bytes: Buffer }): boolean {
	const head = bytes.toString("latin1", 0, SEEN);
	if (!ASKING.test(head)) return false;
	if (!head.includes('"tool_result"')) return true;
	return ANSWERED.test(head) || ANSWERED.test(bytes.toString("latin1", Math.max(0, bytes.length - SEEN)));
}

const SUMMARY = /"isCompactSummary":\s?true|"This session is being continued from a previous conversation/;

/** Whether a line of Claude Code is the summary of a compaction. */
export function isSummaryLine({ bytes }: { bytes: Buffer }): boolean {
	const head = bytes.toString("latin1", 0, SEEN);
	if (!/"role":\s?"user"/.test(head) || head.includes('"tool_result"')) return false;
	return SUMMARY.test(head) || SUMMARY.test(bytes.toString("latin1", Math.max(0, bytes.length - SEEN)));
}

/** Whether a line contains the result of a call. */
export function isStepLine({ bytes }: { bytes: Buffer }): boolean {
	return RESULT.test(bytes.toString("latin1", 0, SEEN));
}
