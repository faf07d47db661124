import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathNamer, shortPath, shownLine } from "../../text/index.ts";
import { runLine } from "./render-turn.ts";
import { isStep, type Remark, type Step, stepsOf } from "./turn.ts";
import { readTurns } from "./turns.ts";

export interface Doing {
	doing: string | undefined;
	calls: number;
	changed: string[];
}

export function readDoing(messages: readonly unknown[], cwd: string): Doing {
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
