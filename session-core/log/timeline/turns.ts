import { countWords, letters, type PathNamer, questionText, redact } from "../../text/index.ts";
import {
	boundedText,
	type Entry,
	isEvicted,
	isSlashCommand,
	type LeftOut,
	leftOutIn,
	type Message,
	type NestedCall,
	readMessage,
	safeMessage,
	secretsOf,
	type ToolCall,
	userWords,
	withoutSecrets,
} from "../index.ts";
import { goalOf } from "./larger.ts";
import { readCall, readUserCommand } from "./step.ts";
import { isStep, type Step, type Turn, type TurnEnd } from "./turn.ts";

type ToolResult = Extract<Message, { role: "toolResult" }>;

/**
 * Caches parsed tool calls by their arguments. Log entries never change, so a parsed call stays
 * valid.
 */
const cachedSteps = new WeakMap<object, { step: Step; namer: PathNamer }>();

/**
 * A slash command, or a message that does not contain the user's own words, begins a turn without a
 * `request`.
 */
export function readTurns(
	entries: readonly Entry[],
	namer: PathNamer,
	secrets: ReadonlySet<string> = secretsOf(entries),
): Turn[] {
	const turns: Turn[] = [];
	const messages = entries.map((entry) => withoutSecrets(safeMessage(entry), secrets));
	const calls = new Set(
		messages.flatMap((one) => (one?.role === "assistant" ? one.calls : [])).map(({ id }) => id),
	);
	const results = new Map(
		messages.flatMap((one) => (one?.role === "toolResult" ? [[one.callId, one] as const] : [])),
	);
	let goal: string | undefined;
	let recap: string | undefined;
	let number = 0;
	const begin = (opening: Partial<Turn> = {}): Turn => {
		if (opening.request !== undefined) number++;
		const turn: Turn = Object.assign({ ...EMPTY, steps: [], goal, recap, number }, opening);
		goal = undefined;
		recap = undefined;
		turns.push(turn);
		return turn;
	};
	const current = (): Turn => turns.at(-1) ?? begin();
	for (const [index, entry] of entries.entries()) {
		const summary =
			typeof entry["summary"] === "string" ? redact(boundedText(entry["summary"]), secrets) : undefined;
		// An abandoned branch may be about other work, so a branch summary that names no goal is ignored.
		// After a failed run, a branch summary with a recap is ignored, because the model saw no complete run.
		const isBlind = entry["recap"] !== undefined && turns.at(-1)?.end === "error";
		const isLeft =
			entry.type === "branch_summary" && summary !== undefined && /^#/m.test(summary) && !isBlind;
		if (entry.type === "compaction" || isLeft) goal = goalOf(summary) ?? goal;
		if (typeof entry["recap"] === "string" && isLeft) recap = redact(entry["recap"], secrets);
		const left = leftOutIn(entry);
		const owner = left && turns.at(-1);
		if (owner) owner.leftOut = joined(owner.leftOut, left);
		const message = messages[index];
		switch (message?.role) {
			case "user": {
				const { text, expansion } = userWords(message.text);
				const whole = readMessage(entry);
				const isCommand = isSlashCommand(text) && message.images === 0;
				const own = withoutQuote(text, turns.at(-1)?.reply);
				const typed =
					whole?.role === "user" && whole.text !== message.text
						? withoutQuote(userWords(whole.text).text, turns.at(-1)?.reply)
						: undefined;
				const request = own || (expansion === undefined ? undefined : `/skill:${expansion}`);
				const isAnswer = entry["isAnswer"] === true;
				const isChoice = isAnswer || isChosen(own, turns.at(-1)?.reply);
				begin(
					isCommand
						? { isCommand, expansion: text.trim() }
						: { request, isChoice, isAnswer, expansion, images: message.images, ...(typed && { typed }) },
				);
				break;
			}
			case "assistant":
				addAnswer(current(), message, results, namer);
				break;
			case "toolResult":
				if (!calls.has(message.callId)) {
					const call = { id: message.callId, name: message.toolName, args: {} };
					current().steps.push(readCall(call, message, namer));
				}
				break;
			case "bash":
				if (!message.isPrivate) current().steps.push(readUserCommand(message, namer));
		}
	}
	if (goal !== undefined) begin();
	return turns.filter((turn) => !isEmptyCommand(turn));
}

function isEmptyCommand({ isCommand, goal, steps, leftOut, reply, end }: Turn): boolean {
	const isIdle = steps.length === 0 && (leftOut === undefined || leftOut.steps === 0);
	return isCommand && goal === undefined && isIdle && (reply === undefined || end === "aborted");
}

function joined(one: LeftOut | undefined, other: LeftOut): LeftOut {
	if (!one) return other;
	const { steps } = other;
	const all = one.steps === undefined || steps === undefined ? undefined : one.steps + steps;
	return { ...one, ...other, steps: all, requests: one.requests || other.requests };
}

/** `/resume-here` inserts the agent's question as a quoted line above the user's answer. */
const QUOTE = /^> ([^\n]+)\n\s*\n(?=\S)/;

function withoutQuote(text: string, reply = ""): string {
	const [quote = "", question = ""] = QUOTE.exec(text) ?? [];
	return letters(reply).includes(letters(question)) ? text.slice(quote.length) : text;
}

const LABEL_WORDS = 8;

function isChosen(request: string, reply = ""): boolean {
	const [label = ""] = request.split("\n", 1);
	if (reply === "" || label === "") return false;
	return countWords(label) <= LABEL_WORDS && letters(reply).includes(letters(label));
}

/**
 * The initial value of a turn. Every field is present, because adding a field to a copied object takes
 * fifty times as long as copying the object.
 */
const EMPTY: Turn = {
	number: 0,
	goal: undefined,
	recap: undefined,
	steps: [],
	request: undefined,
	expansion: undefined,
	images: 0,
	isChoice: false,
	isAnswer: false,
	isCommand: false,
	leftOut: undefined,
	reply: undefined,
	end: "open",
	errorMessage: "",
};

function stepOf(call: ToolCall, result: ToolResult | undefined, namer: PathNamer): Step {
	const before = cachedSteps.get(call.args);
	if (before && before.namer === namer && (result === undefined) === (before.step.outcome === "pending"))
		return before.step;
	const step = readCall(call, result, namer);
	cachedSteps.set(call.args, { step, namer });
	return step;
}

function addAnswer(
	turn: Turn,
	message: Extract<Message, { role: "assistant" }>,
	results: ReadonlyMap<string, ToolResult>,
	namer: PathNamer,
): void {
	const text = message.text.trim();
	const isEnded = message.stopReason === "stop" && message.calls.length === 0;
	const isCut = message.stopReason === "aborted" || message.stopReason === "error";
	// In logs of pi versions before 1.6, a tool call without a result in an interrupted run never ran.
	const cut = isCut ? "cancelled" : undefined;
	const proven = isEnded ? "ok" : cut;
	const settle = (step: Step): Step =>
		proven && step.outcome === "pending" ? { ...step, outcome: proven } : step;
	turn.steps = turn.steps.map((step) => (isStep(step) ? settle(step) : step));
	if (turn.reply !== undefined) turn.steps.push({ kind: "remark", text: turn.reply });
	turn.reply = undefined;
	if (text !== "" && !isEvicted(text)) {
		if (message.calls.length === 0) turn.reply = text;
		else turn.steps.push({ kind: "remark", text });
	}
	for (const call of message.calls) {
		const result = results.get(call.id);
		const step = stepOf(call, result, namer);
		const nested = (result?.nested ?? []).map((one) => nestedStep(one, namer));
		const runs = nested.filter(
			({ command, looks, outcome }) => command !== undefined && !looks && outcome === "ok",
		);
		const [run] = runs;
		const printed = runs.length === 1 && run?.output === "" ? { ...run, output: step.output } : run;
		const own = printed === run ? step : { ...step, output: "" };
		turn.steps.push(isCut ? settle(own) : own);
		turn.steps.push(...nested.map((one) => (one === run && printed ? printed : one)));
	}
	turn.end = ENDS.find((end) => end === message.stopReason) ?? "open";
	turn.errorMessage = message.errorMessage;
	const open = isCut ? [] : message.calls.filter(({ id, name }) => ASKING.has(name) && !results.has(id));
	const asked = open.map(({ args }) => questionText(args)).join("\n");
	delete turn.asks;
	if (asked === "") return;
	turn.asks = true;
	turn.reply = asked;
	turn.end = "stop";
}

/**
 * The tools, provided by pi extensions and pi forks, that an agent calls to ask the user a question. A
 * question is unanswered until the tool call has a result.
 */
const ASKING: ReadonlySet<string> = new Set(["ask", "ask_user", "questionnaire"]);

function nestedStep(call: NestedCall, namer: PathNamer): Step {
	const { error: text, status } = call;
	if (status === "unfinished")
		return { ...readCall(call, undefined, namer), outcome: "cancelled", isScripted: true };
	return { ...readCall(call, { text, isError: status === "error", diff: "" }, namer), isScripted: true };
}

const ENDS: readonly TurnEnd[] = ["stop", "length", "toolUse", "error", "aborted"];
