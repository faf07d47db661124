import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openSession } from "../sessions/describe.ts";
import { handOverFile } from "../sessions/hand-over.ts";
import { listSessions } from "../sessions/listing.ts";
import { sessionAt } from "../sessions/summary.ts";
import { atOnce } from "../text/files/index.ts";
import { BRIEF, NEWEST_REQUESTS, Window } from "./branch.ts";
import { readMessage } from "./entry.ts";
import { FOREIGN } from "./format.ts";
import { readLogSlowly } from "./log-file.ts";
import { ClaudeLog, CodexLog, requestsIn } from "./logs.test-support.ts";
import { put, useTemporaryFolder } from "./session.test-support.ts";
import { FileBranch } from "./session-file.ts";

const folder = useTemporaryFolder();

/** What is known about a generated file. */
interface Truth {
	path: string;
	id: string;
	requests: string[];
	/** The question with which the session ends. */
	question: string;
	/** The name that the user gave the session. */
	name?: string;
	/** Whether a newer file of the same session replaces it in lists. */
	isOlder: boolean;
}

const uuid = (count: number) => `0190c0de-0000-7000-8000-${String(count).padStart(12, "0")}`;

/** An event in a session. */
const happening = fc.constantFrom("turn", "turn", "steps", "compaction", "copies", "back", "rollback");
/** Each kind of damage occurs in two of the runs. */
const DAMAGES = ["none", "crlf", "bom", "torn", "cut", "glued", "pairs", "whole"];
const layout = fc.record({
	happenings: fc.array(happening, { minLength: 1, maxLength: 8 }),
	/** Reverts and forks: the event after which each begins, and the events in it. */
	branches: fc.array(
		fc.record({ isFork: fc.boolean(), cut: fc.nat(7), happenings: fc.array(happening, { maxLength: 4 }) }),
		{ maxLength: 3 },
	),
});

const LONG_PIECE = `{"type":"attachment","text":"${"Torn. ".repeat(600)}`;

function damaged(text: string, how: string): string {
	const lines = text.trimEnd().split("\n");
	if (how === "crlf") return `${lines.join("\r\n")}\r\n`;
	if (how === "bom") return `\uFEFF${text}`;
	// Only whole lines count, so the pieces change nothing.
	if (how === "torn")
		return `${lines.map((line, at) => (at % 2 ? line.slice(0, 40) + line : line)).join("\n")}\n`;
	// A long piece hides what follows it.
	if (how === "cut") return `${lines.map((line) => LONG_PIECE + line).join("\n")}\n`;
	// The newline between two writers is lost: once, often, or in the whole log.
	if (how === "glued") return `${lines.slice(0, -2).join("\n")}\n${lines.slice(-2).join("")}\n`;
	if (how === "pairs") return `${lines.map((line, at) => (at % 2 ? `${line}\n` : line)).join("")}\n`;
	return how === "whole" ? `${lines.join("")}\n` : text;
}

/** Numbers the requests, so that each is unique in a run. */
class Words {
	count = 0;
	task = (about: string) => `Port module ${++this.count} of the ${about} to the new queue`;
	question = () => `Shall I also port module ${++this.count}?`;
}

/** `before`: the requests at each point to which the user can go back, with the line's id. */
function play(
	log: ClaudeLog,
	happenings: readonly string[],
	words: Words,
): { requests: string[]; question: string } {
	let requests: string[] = [];
	let points: { at: string | null; requests: string[] }[] = [];
	const turn = () => {
		points.push({ at: log.last, requests });
		const task = words.task("server");
		requests = [...requests, task];
		log.user(task).says(`Ported ${words.count}.`);
	};
	turn();
	for (const what of happenings) {
		if (what === "turn") turn();
		if (what === "steps") log.ran("Bash", { command: "make" }, "ok");
		if (what === "compaction" || what === "copies") {
			const old = log.lines.slice(1, 3);
			if (what === "copies") log.lines.push(...old);
			log.compacted();
			if (what === "copies") log.line("system", { subtype: "stop_hook_summary", parentUuid: "u2" });
			points = [];
		}
		const point = points.at(-1);
		if (what === "back" && point && point.at !== null) {
			const task = words.task("client");
			requests = [...point.requests, task];
			log.user(task, { parentUuid: point.at }).says(`Ported ${words.count}.`);
		}
	}
	const question = words.question();
	const last = words.task("tests");
	log.user(last).says(`Done. ${question}`);
	return { requests: [...requests, last], question };
}

function claudeFiles({ happenings, damage: how }: Layout, words: Words): Truth[] {
	const id = uuid(1);
	const log = new ClaudeLog({ id });
	const played = play(log, happenings, words);
	log.raw({ type: "custom-title", customTitle: "Ported", sessionId: id });
	const place = (name: string, text: string) =>
		put(join(folder(), "claude/projects/-p", `${name}.jsonl`), text);
	const path = place(id, damaged(String(log), how));
	// In a fork, which Claude Code writes as a copy, the lines still contain the id of the original
	// session.
	const question = words.question();
	const task = words.task("fork");
	log.user(task).says(`Forked. ${question}`);
	const fork = place(uuid(2), damaged(String(log), how));
	return [
		{ path, id, ...played, name: "Ported", isOlder: false },
		{ path: fork, id: uuid(2), requests: [...played.requests, task], question, isOlder: false },
	];
}

interface Point {
	requests: string[];
	base: ReturnType<CodexLog["base"]>;
}

function codexFiles({ happenings, damage: how, branches }: Layout, words: Words): Truth[] {
	let next = 10;
	const files: Truth[] = [];
	const write = (ids: string, text: string) => {
		const time = String(files.length).padStart(2, "0");
		return put(
			join(folder(), "codex/sessions/2026/03/02", `rollout-2026-03-02T10-${time}-00-${ids}.jsonl`),
			text,
		);
	};
	const played = (log: CodexLog, past: string[], todo: readonly string[], rollout: string) => {
		let requests = past;
		const points: Point[] = [];
		for (const what of ["turn", ...todo]) {
			if (what === "turn") {
				const task = words.task("server");
				requests = [...requests, task];
				log.user(task).says(`Ported ${words.count}.`);
			}
			if (what === "steps") log.ran("exec_command", { cmd: "make" }, "ok");
			if (what === "compaction") log.line("compacted", { message: "Modules were ported." });
			if (what === "rollback") {
				const turns = Math.min(requests.length - past.length - 1, 2);
				requests = requests.slice(0, requests.length - turns);
				if (turns > 0) log.event("thread_rolled_back", { num_turns: turns });
			}
			points.push({ requests, base: log.base(rollout) });
		}
		const question = words.question();
		const task = words.task("tests");
		log.user(task).says(`Done. ${question}`);
		return { requests: [...requests, task], question, points };
	};
	const id = uuid(next++);
	const log = new CodexLog({ id });
	const first = played(log, [], happenings, id);
	// A file that another one names as its base must not change, so only a file without branches is
	// damaged.
	const path = write(id, branches.length === 0 ? damaged(String(log), how) : String(log));
	files.push({ path, id, requests: first.requests, question: first.question, isOlder: false });
	let current = { truth: files[0], thread: id, points: first.points };
	for (const { isFork, cut, happenings: todo } of branches) {
		const point = current.points[cut % current.points.length];
		if (!point || !current.truth) continue;
		const rollout = uuid(next++);
		const thread = isFork ? rollout : current.thread;
		const more = isFork ? { forked_from_id: current.thread } : {};
		const branch = new CodexLog({ id: thread, history_base: point.base, ...more });
		const done = played(branch, point.requests, todo, rollout);
		const file = write(isFork ? rollout : `${thread}_${rollout}`, String(branch));
		if (!isFork) current.truth.isOlder = true;
		const truth = {
			path: file,
			id: thread,
			requests: done.requests,
			question: done.question,
			isOlder: false,
		};
		files.push(truth);
		current = { truth, thread, points: done.points };
	}
	return files;
}

type Layout = (typeof layout extends fc.Arbitrary<infer T> ? T : never) & { damage: string };

/** When each generated file was last changed in any way. */
const stamps = () =>
	["claude", "codex"].flatMap((agent) =>
		readdirSync(join(folder(), agent), { recursive: true, encoding: "utf8" }).map((name) => {
			const { ctimeMs, size } = statSync(join(folder(), agent, name));
			return `${name} ${ctimeMs} ${size}`;
		}),
	);

it("lists, reads and hands over what a session is, in every layout of its files, and writes nothing to them", async () => {
	let run = 0;
	await fc.assert(
		fc.asyncProperty(layout, async (generated) => {
			const one = { ...generated, damage: DAMAGES[run++ % DAMAGES.length] ?? "" };
			for (const name of ["claude", "codex", "pi"])
				rmSync(join(folder(), name), { recursive: true, force: true });
			const words = new Words();
			const truths = [...claudeFiles(one, words), ...codexFiles(one, words)];
			const before = stamps();
			const env = { CLAUDE_CONFIG_DIR: join(folder(), "claude"), CODEX_HOME: join(folder(), "codex") };
			const rows = await listSessions({ agentDir: join(folder(), "pi"), folders: [], formats: FOREIGN, env });
			const listed = rows.map(({ id, path }) => `${id} ${path}`).sort();
			expect(listed).toEqual(
				truths.flatMap(({ id, path, isOlder }) => (isOlder ? [] : [`${id} ${path}`])).sort(),
			);
			for (const { path, id, requests, question, name, isOlder } of truths) {
				const row = await sessionAt(path);
				expect({ id: row?.id, isOlder: row?.newerFile !== undefined }).toEqual({ id, isOlder });
				if (name) expect(row?.name).toBe(name);
				const opened = row && (await openSession(row));
				if (!opened?.ok) throw new Error(`${basename(dirname(path))} cannot be read`);
				expect(requestsIn(opened.reading.timeline)).toEqual(requests);
				const isInOrder = opened.file.header?.format.isInOrder === true;
				const brief = await readLogSlowly(path, async (file) => {
					const branch = atOnce(FileBranch.open(file, new Window(BRIEF), isInOrder));
					return { ok: true, ...atOnce(branch.slice()) };
				});
				if (!brief.ok) throw new Error(brief.detail);
				const texts = brief.entries.flatMap((entry) => {
					const message = readMessage(entry);
					return message?.role === "user" ? [message.text] : [];
				});
				expect(texts.slice(-NEWEST_REQUESTS)).toEqual(requests.slice(-NEWEST_REQUESTS));
				const handed = await handOverFile({ path, id }, Date.now());
				if (!handed.ok) throw new Error(handed.detail);
				expect(handed.prompt.endsWith(`\n> ${question}\n\n`)).toBe(true);
				const others = truths
					.flatMap((truth) => truth.requests)
					.filter((request) => !requests.includes(request));
				expect(others.filter((other) => handed.prompt.includes(other))).toEqual([]);
			}
			expect(stamps()).toEqual(before);
		}),
		{ numRuns: 16 },
	);
}, 60_000);
