/** The entries of a branch as turns: one for each request of the user, with what was done and said under it. */
import type { Entry } from "../session/entry.ts";
import { type Message, readMessage, type ToolCall } from "../session/message.ts";
import { isSlashCommand, ownWords } from "../session/own-words.ts";
import { secretsOf, withoutSecrets } from "../session/secrets.ts";
import type { PathNamer } from "../text/paths.ts";
import { goalOf } from "./goal.ts";
import { isEvicted, readCall, readUserCommand } from "./step.ts";
import { isStep, type Remark, type Step, type Turn, type TurnEnd } from "./types.ts";

type ToolResult = Extract<Message, { role: "toolResult" }>;

/** Steps of finished calls by the call's arguments: a log only grows, so they are read once, not once a timeline. */
const known = new WeakMap<object, { step: Step; namer: PathNamer }>();

/** Groups entries into turns. Slash commands, injected entries and evicted content make no turn of their own. */
export function readTurns(entries: readonly Entry[], namer: PathNamer): Turn[] {
	const turns: Turn[] = [];
	const known = secretsOf(entries);
	const messages = entries.map((entry) => withoutSecrets(readMessage(entry), known));
	const results = resultsOf(messages);
	let goal: string | undefined;
	let number = 0;
	const begin = (request: string | undefined, more: Partial<Turn> = {}): Turn => {
		const turn: Turn = {
			...emptyTurn(),
			request,
			goal,
			number: request === undefined ? number : ++number,
			...more,
		};
		goal = undefined;
		turns.push(turn);
		return turn;
	};
	const current = (): Turn => turns.at(-1) ?? begin(undefined);
	for (const [index, entry] of entries.entries()) {
		if (entry.type === "compaction" || entry.type === "branch_summary") {
			goal = goalOf(entry["summary"]) ?? goal;
			continue;
		}
		const message = messages[index];
		if (!message) continue;
		switch (message.role) {
			case "user": {
				const { text, expansion } = ownWords(message.text);
				if (isSlashCommand(text) && message.images === 0) {
					begin(undefined, { isCommand: true });
					break;
				}
				if (text === "" && expansion === undefined && message.images === 0) begin(undefined);
				else begin(text === "" ? undefined : text, { expansion, images: message.images });
				break;
			}
			case "assistant":
				addAnswer(current(), message, results, namer);
				break;
			case "toolResult":
				if (results.lost.has(message)) current().steps.push(stepOf(lostCall(message), message, namer));
				break;
			case "bash":
				current().steps.push(readUserCommand(message, namer));
		}
	}
	if (goal !== undefined) begin(undefined);
	// A command that was typed by mistake and stopped before it did anything is no part of the story.
	for (let index = turns.length - 1; index >= 0; index--)
		if (isEmptyCommand(turns[index])) turns.splice(index, 1);
	for (const turn of turns) turn.steps = withoutMended(turn.steps);
	return turns;
}

function isEmptyCommand(turn: Turn | undefined): boolean {
	return (
		turn?.isCommand === true && turn.goal === undefined && turn.steps.length === 0 && turn.reply === undefined
	);
}

function emptyTurn(): Turn {
	return {
		number: 0,
		request: undefined,
		expansion: undefined,
		images: 0,
		isCommand: false,
		goal: undefined,
		steps: [],
		reply: undefined,
		end: "open",
		errorMessage: "",
	};
}

interface Results {
	byCall: ReadonlyMap<string, ToolResult>;
	/** Results whose call stood in a line that is lost. */
	lost: ReadonlySet<ToolResult>;
}

function resultsOf(messages: readonly (Message | undefined)[]): Results {
	const byCall = new Map<string, ToolResult>();
	const calls = new Set<string>();
	for (const message of messages) {
		if (message?.role === "assistant") for (const { id } of message.calls) calls.add(id);
		if (message?.role === "toolResult") byCall.set(message.callId, message);
	}
	return { byCall, lost: new Set([...byCall.values()].filter(({ callId }) => !calls.has(callId))) };
}

function lostCall({ callId, toolName }: ToolResult): ToolCall {
	return { id: callId, name: toolName, args: {} };
}

function stepOf(call: ToolCall, result: ToolResult | undefined, namer: PathNamer): Step {
	const before = known.get(call.args);
	if (before && before.namer === namer && (result === undefined) === (before.step.outcome === "pending"))
		return before.step;
	const step = readCall(call, result, namer);
	known.set(call.args, { step, namer });
	return step;
}

function addAnswer(
	turn: Turn,
	message: Extract<Message, { role: "assistant" }>,
	{ byCall }: Results,
	namer: PathNamer,
): void {
	const text = message.text.trim();
	const said = text !== "" && !isEvicted(text) ? text : undefined;
	// What was said before is a reply no more when the agent goes on.
	if (turn.reply !== undefined) turn.steps.push({ kind: "remark", text: turn.reply });
	turn.reply = undefined;
	if (said !== undefined && message.calls.length === 0) turn.reply = said;
	else if (said !== undefined) turn.steps.push({ kind: "remark", text: said });
	for (const call of message.calls) turn.steps.push(stepOf(call, byCall.get(call.id), namer));
	turn.end = endOf(message.stopReason);
	turn.errorMessage = message.errorMessage;
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

/** Leaves out what failed and was mended: by the same call, or by an edit of the same file. A different call mends nothing. */
function withoutMended(steps: readonly (Step | Remark)[]): (Step | Remark)[] {
	const mended = new Set<string>();
	const kept: (Step | Remark)[] = [];
	for (const one of steps.toReversed()) {
		if (isStep(one)) {
			const key = `${one.name}\n${one.command ?? one.argument}`;
			if (one.outcome === "failed" && mended.has(key)) continue;
			if (one.outcome === "ok") mended.add(key);
		}
		kept.push(one);
	}
	return kept.reverse();
}
