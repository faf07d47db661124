import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { headAndTail, pathNamer, shortPath, shownLine } from "../../text/index.ts";
import { isEvicted, quoteRequest } from "../index.ts";
import { changeLine, mergedEdit } from "./edits.ts";
import { resultLines } from "./result.ts";
import { commandText } from "./shell.ts";
import {
	editedPaths,
	type FileChange,
	hasRequest,
	isStep,
	type Link,
	type Remark,
	type Step,
	stepsOf,
	type Turn,
} from "./turn.ts";
import { readTurns } from "./turns.ts";

const REQUEST = 600;
const REPLY = 800;
const STEP = 150;
const EDIT = 110;
const REMARK = 200;

export function requestText(turn: Turn, room: number): string {
	const name = turn.expansion === undefined ? "" : `[skill ${shownLine(turn.expansion, 60)}] `;
	const images = turn.images > 0 ? `[${turn.images === 1 ? "image" : `${turn.images} images`}] ` : "";
	return `${name}${images}${shownLine(quoteRequest(turn.request ?? "", room), room)}`.trim();
}

export function turnLine(turn: Turn, links: readonly Link[], room: number): string {
	const request = requestText(turn, Math.floor(room * 0.5));
	const names = lastNames(editedPaths(stepsOf(turn)));
	const made = links.slice(-2).map((link) => shownLine(`${link.locator} ${link.label}`, 90));
	const changes = [names && `edited ${names}`, ...made].filter(Boolean).join("; ");
	const left = Math.max(60, room - request.length - changes.length);
	const answer =
		turn.reply === undefined ? endText(turn) : `AGENT: ${shownLine(turn.reply, Math.min(left, 160))}`;
	return [`${label(turn)} ${request}`, leftOutText(turn), changes, answer].filter(Boolean).join(" → ");
}

export function turnDetail(turn: Turn, isLast: boolean): string[] {
	const { reply } = turn;
	const quoted = reply === undefined ? "" : headAndTail(reply, REPLY).replace(/\n+/g, " ");
	const end = quoted === "" ? endText(turn) && `(${endText(turn)})` : `AGENT: ${quoted}`;
	return [
		`${label(turn)} ${requestText(turn, REQUEST)}`.trimEnd(),
		...stepLines(turn).map((line) => `  - ${line}`),
		...(isLast || end === "" ? [] : [`  ${end}`]),
	];
}

function leftOutText({ leftOut }: Turn): string {
	const { steps = 0, requests = false } = leftOut ?? {};
	const parts = [steps > 0 && `${steps} ${steps === 1 ? "step" : "steps"}`, requests && "later requests"];
	const text = parts.filter(Boolean).join(" and ");
	return text && `(${text} left out)`;
}

function label(turn: Turn): string {
	return hasRequest(turn) || turn.expansion !== undefined ? `#${turn.number} USER:` : "(no request)";
}

export function endText(turn: Turn): string {
	if (turn.end === "aborted") return turn.steps.length === 0 ? "aborted before any output" : "aborted";
	return turn.end === "error" ? `failed: ${shownLine(turn.errorMessage, 120)}` : "";
}

/**
 * Joins consecutive reads into one line, and also joins consecutive edits of the same file. Every other
 * step gets its own line with the most informative lines of its output.
 */
export function stepLines(turn: Turn, remark = REMARK): string[] {
	const { steps, reply } = turn;
	const lines = [leftOutText(turn)].filter(Boolean);
	let looked: Step[] = [];
	let edited: Step[] = [];
	const flush = (): void => {
		if (looked.length > 0) lines.push(lookLine(looked));
		lines.push(...editLines(edited));
		edited = [];
		looked = [];
	};
	for (const one of steps) {
		if (!isStep(one)) {
			flush();
			lines.push(`AGENT: ${shownLine(one.text, reply === undefined ? remark * 3 : remark)}`);
		} else if (isLook(one)) looked.push(one);
		else if (one.outcome === "ok" && one.edits.length > 0 && one.command === undefined) edited.push(one);
		else {
			flush();
			lines.push(runLine(one));
		}
	}
	flush();
	return lines;
}

function isLook(step: Step): boolean {
	const isInformative = /\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(step.command ?? "");
	return (
		step.looks && step.outcome === "ok" && step.kind === "call" && !(isInformative && step.output !== "")
	);
}

function lookLine(steps: readonly Step[]): string {
	const looks = [...new Set(steps.map((step) => named(step, 70)))];
	return `only read: ${looks.slice(-4).join("; ")}${more(looks.length - 4)}`;
}

const MANY = 12;
const LEAST_CHANGE = 40;

function editLines(steps: readonly Step[]): string[] {
	const all = steps.flatMap(({ edits }) => edits);
	const files = new Map<string, FileChange>();
	for (const edit of all) files.set(edit.path, mergedEdit(files.get(edit.path), edit));
	if (files.size > MANY) return [`edited ${lastNames([...files.keys()])}`];
	return [...files.values()].map((file) => {
		const diffs = all.filter(({ path, diff }) => path === file.path && diff !== "");
		const each = Math.floor(EDIT / Math.max(1, diffs.length));
		const changes = each < LEAST_CHANGE ? [] : diffs.map(({ diff }) => changeLine(diff, each));
		const shown = changes.filter(Boolean).join("; ");
		return `${file.kind} ${changeText(file)}${shown && `: ${shown}`}`;
	});
}

/**
 * If a file was written as a whole, its changed lines are not counted, because the earlier content is
 * unknown.
 */
export function changeText({ path, kind, times, added, removed }: FileChange): string {
	return [
		shownLine(path, 120),
		times > 1 ? ` ×${times}` : "",
		kind === "removed" ? " (removed)" : "",
		kind === "edited" && added + removed > 0 ? ` (+${added} −${removed})` : "",
	].join("");
}

const OUTCOMES = { ok: "", failed: "FAILED", cancelled: "cancelled", pending: "no result yet" };

export function runLine(step: Step): string {
	const results = resultLines(step, 2).map(({ text }) => shownLine(text, STEP));
	const result = [OUTCOMES[step.outcome], results.join(" | ")].filter(Boolean).join(": ");
	const tool = step.command === undefined ? `${shownLine(step.name, 60)} ` : "ran ";
	const verb = step.kind === "shell" ? "USER ran !" : tool;
	return `${verb}${named(step, STEP)}${result && ` → ${result}`}`;
}

function named({ command, argument }: Step, room: number): string {
	const text = command === undefined ? argument : commandText(command);
	return isEvicted(text) ? "…" : shownLine(text, room);
}

function lastNames(paths: readonly string[]): string {
	const names = paths.slice(-4).map((path) => shownLine(shortPath(path), 60));
	return names.join(", ") + more(paths.length - names.length);
}

function more(count: number): string {
	return count > 0 ? ` (+${count})` : "";
}

export function readDoing(messages: readonly unknown[], cwd: string) {
	const entries = messages.map((message, index) => ({ type: "message", id: String(index), message }));
	const turns = readTurns(entries, pathNamer(cwd));
	const steps = turns.flatMap(stepsOf);
	const last = turns.at(-1);
	const newest = last?.reply ?? last?.steps.at(-1);
	const changed = steps.filter(({ outcome }) => outcome === "ok").flatMap(({ edits }) => edits);
	return {
		doing: newest === undefined ? undefined : shownLine(textOf(newest)) || undefined,
		calls: steps.length,
		changed: [...new Set(changed.map(({ path }) => absolute(path, cwd)))],
	};
}

function textOf(newest: string | Step | Remark): string {
	if (typeof newest === "string") return newest;
	if (!isStep(newest)) return newest.text;
	const [edit] = newest.edits;
	const isEdit = edit !== undefined && newest.outcome === "ok" && newest.command === undefined;
	return isEdit ? `${edit.kind} ${shortPath(edit.path)}` : runLine(newest);
}

function absolute(name: string, cwd: string): string {
	return name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
}
