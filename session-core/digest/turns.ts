import type { Entry } from "../session/entry.ts";
import { type Message, readMessage, type ToolCall } from "../session/message.ts";
import { isSlashCommand, spokenText } from "./voice.ts";

type ToolResult = Extract<Message, { role: "toolResult" }>;

/** One tool call with its result, if the log has one. */
export interface Step {
	call: ToolCall;
	result: ToolResult | undefined;
	/** What the result said was moved out of the log. */
	isEvicted?: true;
}

/** How an agent's part of a turn stopped. `open`: the log ends before it did. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** One prompt and everything until the next. */
export interface Turn {
	/** The user's own words; undefined for work that no prompt stands before. */
	prompt: string | undefined;
	/** The prompt came with images. */
	images: number;
	/** The agent's visible texts, in order; the last is the reply. */
	says: string[];
	steps: Step[];
	/** Commands that the user ran by hand, in order. */
	manual: Extract<Message, { role: "bash" }>[];
	end: TurnEnd;
	errorMessage: string;
	/** Summary of a compaction or of an abandoned branch that stands before this turn's work. */
	summary: string | undefined;
	/** When the prompt was written, ms; 0 where the log does not say. */
	at: number;
}

/** What eviction leaves behind where a host moved old content to cold storage: no longer evidence of anything. */
const EVICTED = /^\s*\[[^\]\n]{0,80}\bevicted\b[^\]\n]{0,80}\]\s*$/i;

/** Characters kept of a summary. */
const SUMMARY_BOUND = 48_000;

function newTurn(prompt: string | undefined, at: number): Turn {
	return {
		prompt,
		images: 0,
		says: [],
		steps: [],
		manual: [],
		end: "open",
		errorMessage: "",
		summary: undefined,
		at,
	};
}

/** Groups entries into turns. Slash commands, injected entries and evicted content make no turn of their own. */
export function readTurns(entries: readonly Entry[]): Turn[] {
	const turns: Turn[] = [];
	const pending = new Map<string, Step>();
	const current = (): Turn => {
		const last = turns.at(-1);
		if (last) return last;
		const first = newTurn(undefined, 0);
		turns.push(first);
		return first;
	};
	for (const entry of entries) {
		if (entry.type === "compaction" || entry.type === "branch_summary") {
			const turn = newTurn(undefined, timeOf(entry));
			turn.summary =
				typeof entry["summary"] === "string" ? entry["summary"].slice(0, SUMMARY_BOUND) : undefined;
			turns.push(turn);
			continue;
		}
		const message = readMessage(entry);
		if (!message) continue;
		switch (message.role) {
			case "user": {
				const prompt = spokenText(message.text);
				if (isSlashCommand(prompt)) break;
				const turn = newTurn(prompt, timeOf(entry));
				turn.images = message.images;
				turns.push(turn);
				break;
			}
			case "assistant":
				readAssistant(current(), message, pending);
				break;
			case "toolResult": {
				addResult(pending.get(message.callId) ?? orphan(current(), message), message);
				break;
			}
			case "bash":
				current().manual.push(message);
		}
	}
	return turns;
}

/** The step of a result whose call stood in a line that is lost: the result still says what was done. */
function orphan(turn: Turn, { callId, toolName }: ToolResult): Step {
	const step: Step = { call: { id: callId, name: toolName, args: {} }, result: undefined };
	turn.steps.push(step);
	return step;
}

function addResult(step: Step, message: ToolResult): void {
	step.result = message;
	if (!EVICTED.test(message.text)) return;
	step.result = { ...message, text: "" };
	step.isEvicted = true;
}

function readAssistant(
	turn: Turn,
	message: Extract<Message, { role: "assistant" }>,
	pending: Map<string, Step>,
): void {
	const text = message.text.trim();
	if (text !== "" && !EVICTED.test(text)) turn.says.push(text);
	for (const call of message.calls) {
		const step: Step = { call, result: undefined };
		turn.steps.push(step);
		if (call.id !== "") pending.set(call.id, step);
	}
	turn.end = endOf(message.stopReason);
	turn.errorMessage = message.errorMessage;
}

const CHANGERS =
	/^(?:edit|multi_?edit|write|write_file|create|create_file|apply_patch|patch|str_?replace\w*|ast_edit|edit_file|replace|insert|save)$/i;

/** Whether a tool of that name changes files. */
export function isChanger(toolName: string): boolean {
	return CHANGERS.test(toolName);
}

/** Whether a tool of the turn changed a file, by its result. */
export function changedFiles(turn: Turn): boolean {
	return turn.steps.some(
		({ call, result }) => isChanger(call.name) && result !== undefined && !result.isError,
	);
}

function endOf(stopReason: string): TurnEnd {
	switch (stopReason) {
		case "stop":
		case "length":
		case "toolUse":
		case "error":
		case "aborted":
			return stopReason;
		default:
			return "open";
	}
}

function timeOf(entry: Entry): number {
	const time = typeof entry.timestamp === "string" ? Date.parse(entry.timestamp) : Number.NaN;
	return Number.isNaN(time) ? 0 : time;
}
