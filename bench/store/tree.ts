import { closeSync, ftruncateSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { projectFolder, sessionsRoot } from "../../session-core/store/folders.ts";

export interface TreeShape {
	sessions: number;
	/** Of each session. */
	bytes: number;
	folders: number;
}

/** Stands in one prompt of one session in a hundred. */
export const RARE_WORD = "Schnabeltier";
/** Stands in the very last session that a search comes to, and nowhere else. */
export const LAST_WORD = "Siebenschläfer";

const START = Date.UTC(2026, 0, 1);
/** Different bodies; the rest differ in header, prompt and name only. */
const BODIES = 16;
const WORDS =
	"the parser reads every line and keeps what it can while a torn tail is left for the next writer so nothing is lost".split(
		" ",
	);

/** Generates a tree of sessions as the host lays them out: prompts, replies with calls, tool output, names and recaps. */
export function growTree(agentDir: string, { sessions, bytes, folders }: TreeShape): void {
	const bodies = Array.from({ length: BODIES }, (_, seed) => bodyOf(bytes, seed));
	for (let index = 0; index < sessions; index++) {
		const cwd = `/code/project-${index % folders}`;
		const folder = projectFolder(sessionsRoot(agentDir), cwd);
		if (index < folders) mkdirSync(folder, { recursive: true });
		const time = START + index * 60_000;
		const id = `01a1ffd6-c1b4-73fe-bf2a-${index.toString(16).padStart(12, "0")}`;
		const path = join(folder, `${new Date(time).toISOString().replace(/[:.]/g, "-")}_${id}.jsonl`);
		const [middle = "", end = ""] = bodies[index % BODIES] ?? [];
		writeFileSync(
			path,
			headOf(id, cwd, time, index) + middle + (index % 2 === 0 ? nameLines(index) : "") + end,
		);
		utimesSync(path, time / 1_000, time / 1_000);
	}
}

/** One session of a gigabyte: a hole between its ends, which costs no room and reads like any other bytes. Gives its path. */
export function addGiant(agentDir: string, bytes: number): string {
	const folder = projectFolder(sessionsRoot(agentDir), "/code/project-0");
	const path = join(folder, "2026-06-01T00-00-00-000Z_01a1ffd6-0000-7000-8000-000000000000.jsonl");
	const [, end = ""] = bodyOf(100_000, 1);
	writeFileSync(path, headOf("giant", "/code/project-0", START, 1));
	const file = openSync(path, "r+");
	const tail = `\n${end}`;
	ftruncateSync(file, bytes);
	writeSync(file, tail, bytes - Buffer.byteLength(tail));
	closeSync(file);
	return path;
}

function headOf(id: string, cwd: string, time: number, index: number): string {
	const timestamp = new Date(time).toISOString();
	const mark = index % 100 === 50 ? ` ${RARE_WORD}` : "";
	const last = index === 0 ? ` ${LAST_WORD}` : "";
	return lines([
		{ type: "session", version: 3, id, timestamp, cwd },
		{ type: "model_change", id: "00000001", parentId: null, timestamp, provider: "acme", modelId: "m-1" },
		message("00000002", "00000001", {
			role: "user",
			content: text(`Please fix bug ${index} in the parser${mark}${last}`),
		}),
	]);
}

/** What the suite itself adds in mid-session. */
function nameLines(index: number): string {
	const title = `Fix bug ${index} in the parser`;
	const data = { title, source: "auto", model: "acme/m-1", last_message_id: "00000002" };
	return lines([
		{
			type: "custom",
			customType: "session-suite:title",
			data,
			id: "0000000a",
			parentId: "00000002",
			timestamp: stamp,
		},
		{ type: "session_info", id: "0000000b", parentId: "0000000a", timestamp: stamp, name: title },
	]);
}

const stamp = new Date(START).toISOString();

/** Turns up to a size, in two parts: before and after the place where names stand; a recap at the end. */
function bodyOf(bytes: number, seed: number): [string, string] {
	const random = lehmer(seed + 1);
	const turns: string[] = [];
	for (let length = 0, turn = 1; length < bytes - 2_000; turn++) {
		turns.push(turnOf(turn, random));
		length += turns.at(-1)?.length ?? 0;
	}
	const half = Math.ceil(turns.length / 2);
	return [turns.slice(0, half).join(""), turns.slice(half).join("") + recapLine(lastId(turns.length))];
}

function turnOf(turn: number, random: () => number): string {
	const id = (step: number) => idOf(turn, step);
	const call = {
		type: "toolCall",
		id: `call_${turn}`,
		name: "bash",
		arguments: { command: `ls ${prose(40, random)}` },
	};
	const thinking = { type: "thinking", thinking: prose(200, random) };
	const output = {
		role: "toolResult",
		toolCallId: `call_${turn}`,
		toolName: "bash",
		content: text(prose(3_000, random)),
	};
	return lines([
		message(id(0), id(-13), { role: "user", content: text(prose(200, random)) }),
		message(id(1), id(0), assistant([thinking, ...text(prose(300, random)), call], "toolUse")),
		message(id(2), id(1), output),
		message(id(3), id(2), assistant(text(prose(500, random)), "stop")),
	]);
}

function idOf(turn: number, step: number): string {
	return (turn * 16 + step).toString(16).padStart(8, "0");
}

function lastId(turns: number): string {
	return idOf(turns, 3);
}

function recapLine(parentId: string): string {
	const data = {
		id: "r-1",
		kind: "session",
		subject_id: "s-1",
		generator: { type: "heuristic" },
		headline: "Fixed the parser of torn lines",
		bullets: [
			"Edited src/parser.ts (+40 −3)",
			"Ran the tests: 212 passed",
			"Wrote a regression test for torn lines",
		],
		next_actions: ["Run the linter", "Write the changelog entry"],
		artifacts: [{ kind: "file", label: "src/parser.ts", locator: "src/parser.ts" }],
		outcome: "done",
		checks: "passed",
		resume_hint: {
			seed_instruction: "Continue with the linter, then write the changelog entry for the parser fix.",
		},
		workspace: { cwd: "/code/project-0", git_branch: "main", git_head: "0123456789abcdef" },
		last_message_id: parentId,
		created_at: START / 1_000,
	};
	return lines([
		{
			type: "custom",
			customType: "session-suite:recap",
			data,
			id: "0000000c",
			parentId,
			timestamp: stamp,
		},
	]);
}

function message(id: string, parentId: string, content: object): object {
	return { type: "message", id, parentId, timestamp: stamp, message: { ...content, timestamp: START } };
}

function assistant(content: object[], stopReason: string): object {
	const cost = { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 };
	const usage = { input: 1_200, output: 340, cacheRead: 9_000, cacheWrite: 0, totalTokens: 10_540, cost };
	return {
		role: "assistant",
		content,
		api: "openai-completions",
		provider: "acme",
		model: "m-1",
		usage,
		stopReason,
	};
}

function text(value: string): object[] {
	return [{ type: "text", text: value }];
}

function prose(length: number, random: () => number): string {
	let result = "";
	while (result.length < length) result += `${WORDS[Math.floor(random() * WORDS.length)]} `;
	return result;
}

function lines(objects: object[]): string {
	return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

/** A small generator of repeatable randomness (Lehmer, 48271 mod 2³¹−1). */
function lehmer(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
