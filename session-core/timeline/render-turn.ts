/** A turn as a model reads it: in one line, or with its steps below it. */

import { tellingLines } from "../output/telling.ts";
import { quoteRequest } from "../session/own-words.ts";
import { sentencesOf } from "../text/markdown.ts";
import { shortPath } from "../text/paths.ts";
import { headAndTail, safeLine, safeText } from "../text/quote.ts";
import { cleanLine } from "../text/sanitize.ts";
import { type FileEdit, isStep, type Link, type Remark, type Step, type Turn } from "./types.ts";

export interface Room {
	/** Characters of the request, of a step, and of what the agent said or answered. */
	request: number;
	step: number;
	remark: number;
	reply: number;
}

/** The user's request as it stands behind its number. */
export function requestText(turn: Turn, room: number): string {
	const name = turn.expansion === undefined ? "" : `[skill ${safeLine(turn.expansion, 60)}] `;
	const images = turn.images > 0 ? `[${turn.images === 1 ? "image" : `${turn.images} images`}] ` : "";
	const words = turn.request === undefined ? "" : quoteRequest(turn.request, room * 2);
	const text = safeLine(words, room);
	const whole = text.endsWith("…") ? safeLine(quoteRequest(turn.request ?? "", room), room) : text;
	return `${name}${images}${whole}`.trim();
}

/** `#4 USER: … → edited a, b; 1a2b3c4 … → AGENT: …` */
export function turnLine(turn: Turn, links: readonly Link[], room: number): string {
	const request = requestText(turn, Math.floor(room * 0.5));
	const deeds = deedsOf(turn, links);
	const left = Math.max(60, room - request.length - deeds.length);
	const answer = turn.reply === undefined ? endText(turn) : `AGENT: ${firstSentence(turn.reply, left)}`;
	return [`${label(turn)} ${request}`, deeds, answer].filter((part) => part !== "").join(" → ");
}

function label(turn: Turn): string {
	return turn.request === undefined && turn.images === 0 && turn.expansion === undefined
		? "(no request)"
		: `#${turn.number} USER:`;
}

/** What a text says first: whole sentences while they are short, and what a lead-in leads to. */
function firstSentence(text: string, room: number): string {
	const plain = text
		.replace(/```[\s\S]*?(?:```|$)/g, " ")
		.split("\n")
		.map((line) => line.replace(/^[#>*\s-]+|\*\*/g, "").trim())
		.join(" ");
	let said = "";
	for (const sentence of sentencesOf(plain)) {
		said = said === "" ? sentence : `${said} ${sentence}`;
		if (said.length >= 50) break;
	}
	return safeLine(said, Math.min(room, 160));
}

/** What a turn changed, in a few words. */
function deedsOf(turn: Turn, links: readonly Link[]): string {
	const paths = new Set(turn.steps.flatMap((one) => (isStep(one) ? one.edits.map(({ path }) => path) : [])));
	const names = [...paths].slice(-4).map((path) => safeLine(shortPath(path), 60));
	const more = paths.size > names.length ? ` (+${paths.size - names.length})` : "";
	const made = links.slice(-2).map((link) => safeLine(`${link.locator} ${link.label}`, 90));
	return [names.length > 0 ? `edited ${names.join(", ")}${more}` : "", ...made]
		.filter((part) => part !== "")
		.join("; ");
}

function endText(turn: Turn): string {
	if (turn.end === "aborted") return "aborted";
	return turn.end === "error" ? `failed: ${safeLine(turn.errorMessage, 120)}` : "";
}

/** The turn with its steps, oldest first. `isLast`: its reply is quoted elsewhere. */
export function turnDetail(turn: Turn, room: Room, isLast: boolean): string[] {
	const lines = [`${label(turn)} ${requestText(turn, room.request)}`.trimEnd()];
	for (const line of stepLines(turn.steps, room, isLast)) lines.push(`  - ${line}`);
	if (!isLast) {
		if (turn.reply !== undefined)
			lines.push(`  AGENT: ${headAndTail(turn.reply, room.reply).replace(/\n+/g, " ")}`);
		else if (endText(turn) !== "") lines.push(`  (${endText(turn)})`);
	}
	return lines;
}

/** Steps as lines: looking summed up, edits of one file merged up to the next run, everything else with its telling lines. */
function stepLines(steps: readonly (Step | Remark)[], room: Room, isLast: boolean): string[] {
	const lines: string[] = [];
	let looked: Step[] = [];
	let edited: Step[] = [];
	const flush = (): void => {
		if (looked.length > 0) lines.push(lookLine(looked));
		lines.push(...editLines(edited));
		edited = [];
		looked = [];
	};
	const lastRemark = steps.findLastIndex((one) => !isStep(one));
	const newest = isLast ? newestRuns(steps) : [];
	for (const [index, one] of steps.entries()) {
		if (!isStep(one)) {
			if (index !== lastRemark && isLeadIn(one.text)) continue;
			if (index === lastRemark) flush();
			const words =
				isLast && index === lastRemark
					? safeLine(one.text, room.remark * 2)
					: firstSentence(one.text, room.remark);
			lines.push(`AGENT: ${words}`);
		} else if (isLook(one)) looked.push(one);
		else if (one.outcome === "ok" && one.edits.length > 0 && one.command === undefined) edited.push(one);
		else {
			flush();
			lines.push(runLine(one, room.step, newest.includes(one)));
		}
	}
	flush();
	return lines;
}

/** Runs of the last turn that say where it stands: their results are shown in more detail. */
const NEWEST = 3;

function newestRuns(steps: readonly (Step | Remark)[]): (Step | Remark)[] {
	return steps
		.filter((one) => isStep(one) && !isLook(one) && one.output !== "" && one.edits.length === 0)
		.slice(-NEWEST);
}

/** What the agent says of a call that it is about to make; the call says it, too. */
function isLeadIn(text: string): boolean {
	return (
		text.length < 160 && (/[:：]\s*$/.test(text) || !/[.。]\s+\S|\n/.test(text)) && !/\d|[✓✗✅❌]/.test(text)
	);
}

function isLook(step: Step): boolean {
	return step.looks && step.outcome === "ok" && step.kind === "call" && !isTelling(step);
}

/** Looking whose result is a figure or a state of the repository says something itself. */
function isTelling({ command }: Step): boolean {
	return command !== undefined && /\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(command);
}

function lookLine(steps: readonly Step[]): string {
	const read = [...new Set(steps.flatMap((step) => step.reads))].map((path) => shortPath(path));
	const other = steps.filter((step) => step.reads.length === 0).length;
	const names = read
		.slice(-4)
		.map((path) => safeLine(path, 60))
		.join(", ");
	const more = read.length > 4 ? ` (+${read.length - 4})` : "";
	const searches = other > 0 ? `${other} other look${other === 1 ? "" : "s"}` : "";
	return `looked at ${[names && names + more, searches].filter(Boolean).join(", ")}`;
}

function editLines(steps: readonly Step[]): string[] {
	const files = new Map<string, Omit<FileEdit, "path"> & { times: number }>();
	for (const step of steps) {
		for (const edit of step.edits) {
			const known = files.get(edit.path) ?? { times: 0, added: 0, removed: 0, kind: edit.kind };
			files.set(edit.path, {
				times: known.times + 1,
				added: known.added + edit.added,
				removed: known.removed + edit.removed,
				kind: known.kind,
			});
		}
	}
	return [...files].map(([path, file]) => {
		const times = file.times > 1 ? ` ×${file.times}` : "";
		return `${file.kind} ${safeLine(path, 120)}${times}${countsText(file)}`;
	});
}

/** Lines added and removed; of a file that was written whole nobody knows what stood there before. */
export function countsText({ kind, added, removed }: Pick<FileEdit, "kind" | "added" | "removed">): string {
	return kind === "written" || added + removed === 0 ? "" : ` (+${added} −${removed})`;
}

function runLine(step: Step, room: number, isNewest: boolean): string {
	const verb = verbOf(step);
	const what = safeLine(step.command === undefined ? step.argument : commandText(step.command), room);
	const telling = tellingLines(step, isNewest ? 4 : 2).map(({ text }) => safeLine(text, room));
	const lines =
		isNewest && telling.length === 0 ? [outputEnd(step.output, room * 2)].filter(Boolean) : telling;
	const prefix = { ok: "", failed: "FAILED", cancelled: "cancelled", pending: "no result yet" }[step.outcome];
	const shown = lines.join(" | ");
	const result = [prefix, shown].filter((part) => part !== "").join(": ");
	return result === "" ? `${verb}${what}` : `${verb}${what} → ${result}`;
}

/** The end of an output in which no line is told from the others by its form. */
function outputEnd(output: string, room: number): string {
	const text = cleanLine(safeText(output.slice(-4 * room)));
	return text.length <= room ? text : `… ${text.slice(-room).replace(/^\S*\s/, "")}`;
}

function verbOf(step: Step): string {
	if (step.kind === "shell") return "USER ran !";
	return step.command === undefined ? `${safeLine(step.name, 60)} ` : "ran ";
}

/** A command without the folder that it changes to first and the bodies of its here-documents. */
export function commandText(command: string): string {
	return command
		.replace(/((?<!<)<<(?!<)-?\s*(['"]?)(\w+)\2[^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|$)/g, "$1 …")
		.replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*&&\s*/, "")
		.replace(/\s+/g, " ")
		.trim();
}
