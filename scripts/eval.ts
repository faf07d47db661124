/**
 * Writes the recap, recap prompt or title input of each labeled session to a file, and scores that file
 * with `score.mjs` in the labels' folder. With `--what recall`, scores the search instead.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
	parseLine,
	readWholeSession,
	type SessionSource,
	syntheticId,
	walkBranch,
} from "../session-core/log/index.ts";
import { renderTimeline } from "../session-core/log/timeline/render.ts";
import { ownLanguage, readTimeline } from "../session-core/log/timeline/timeline.ts";
import type { Timeline } from "../session-core/log/timeline/turn.ts";
import { wantedLanguage } from "../session-core/pi/model/ask.ts";
import { cardWords } from "../session-core/recap/card-words.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { notePrompt } from "../session-core/recap/note-prompt.ts";
import { recapText } from "../session-core/recap/text.ts";
import { findInSessions } from "../session-core/sessions/find.ts";
import { foundText } from "../session-core/sessions/search-report.ts";
import { isObject } from "../session-core/text/files/json.ts";
import { estimateTokens } from "../session-core/text/words.ts";
import { titleInput } from "../session-title/reading.ts";

interface Point {
	file: string;
	uptoLine: number;
	state?: string;
}

interface Question {
	id: string;
	repo: string;
	kind: "words" | "tool" | "paraphrase";
	question: string;
	/** An entry without an id is identified by its line number, such as `L12`. */
	answers: { path: string; entry_ids: string[] }[];
}

const USAGE = `usage: npm run --silent eval -- --labels FILE --sessions DIR --what prompt|offline|title-input --out FILE
       npm run --silent eval -- --what recall [--sessions DIR] [--by-point]`;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/**
 * The number of search hits that are examined for each question. A hit counts as correct if it is in the
 * same turn as one of the entries in the question's `answers`.
 */
const MOST_HITS = 5;
/**
 * The sets of questions are used to detect regressions in the search. Do not optimize the search for
 * specific questions.
 */
const SETS = ["questions.jsonl", "questions-2.jsonl"];

const { values } = parseArgs({
	options: {
		labels: { type: "string" },
		sessions: { type: "string" },
		what: { type: "string" },
		out: { type: "string" },
		"by-point": { type: "boolean", default: false },
	},
});
const { labels, sessions, what, out } = values;
if (what === "recall") {
	for (const name of SETS) {
		console.log(name);
		const file = join(ROOT, "test/recall", name);
		await evalRecall(file, sessions ?? join(ROOT, "../shared/sessions"), values["by-point"]);
	}
	process.exit();
}
const KINDS = ["prompt", "offline", "title-input"];
if (!labels || !sessions || !out || !what || !KINDS.includes(what)) {
	console.error(USAGE);
	process.exit(2);
}

const points: Point[] = JSON.parse(readFileSync(labels, "utf8"));
const folder = mkdtempSync(join(tmpdir(), "timeline-eval-"));
const lines: string[] = [];
let right = 0;
let judged = 0;
try {
	for (const [index, point] of points.entries()) {
		const { source, cwd } = await openAt(point, index);
		const timeline = readTimeline(walkBranch(source), { cwd });
		const { file, uptoLine, state } = point;
		lines.push(JSON.stringify({ file, uptoLine, text: await scoredText(timeline, source, cwd) }));
		if (state === undefined) continue;
		judged++;
		if (agrees(state, timeline)) right++;
		else if (values["by-point"])
			console.log(`${file}:${uptoLine}  outcome ${timeline.outcome}, label ${state}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
writeFileSync(out, `${lines.join("\n")}\n`);

const scorer = [
	join(dirname(labels), "score.mjs"),
	labels,
	out,
	...(values["by-point"] ? ["--by-point"] : []),
];
const scored = spawnSync(process.execPath, scorer, { encoding: "utf8" });
process.stderr.write(scored.stderr);
console.log(scored.stdout.trimEnd() + (judged > 0 ? ` | outcome ${right}/${judged}` : ""));
process.exitCode = scored.status ?? 1;

async function openAt(point: Point, index: number): Promise<{ source: SessionSource; cwd: string }> {
	const cut = readFileSync(join(sessions ?? "", point.file), "utf8")
		.split("\n")
		.slice(0, point.uptoLine);
	const copy = join(folder, `${index}-${basename(point.file)}`);
	writeFileSync(copy, `${cut.join("\n")}\n`);
	const opened = await readWholeSession(copy);
	if (!opened.ok) throw new Error(`${point.file}: ${opened.reason}`);
	return { source: opened.session, cwd: opened.session.header?.cwd ?? "" };
}

async function scoredText(timeline: Timeline, source: SessionSource, cwd: string): Promise<string> {
	if (what === "prompt")
		return notePrompt({
			timeline: renderTimeline(timeline),
			language: wantedLanguage(ownLanguage(timeline), undefined).hint,
		});
	if (what === "title-input") return titleInput(source, cwd);
	// The recap is written in the session's own language, regardless of the locale.
	const words = cardWords(undefined, {})(ownLanguage(timeline));
	return recapText(offlineRecap(timeline, words), words);
}

function agrees(state: string, { outcome }: Timeline): boolean {
	return state === "partial" ? outcome === "done" || outcome === "waiting" : outcome === state;
}

/**
 * Prints hit@1, hit@5 and the mean reciprocal rank for each kind of question. With `byPoint`, also prints
 * the rank of the first correct result for each question.
 */
async function evalRecall(file: string, sessions: string, byPoint: boolean): Promise<void> {
	const known = new Map<string, Map<string, string>>();
	const turnOf = (path: string, id: string) => {
		const turns = known.get(path) ?? turnsIn(path);
		known.set(path, turns);
		return turns.get(id);
	};
	const agentDir = mkdtempSync(join(tmpdir(), "recall-eval-"));
	const scores: { kind: string; rank: number; tokens: number }[] = [];
	try {
		for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
			const { id, repo, kind, question: query, answers }: Question = JSON.parse(line);
			const folder = join(sessions, basename(repo));
			const request = { query, project: "all", limit: MOST_HITS, onlyRelevant: true } as const;
			const found = await findInSessions(request, { agentDir, cwd: "", folder });
			const right = answers.flatMap(({ path, entry_ids: ids }) =>
				ids.map((entry) => turnOf(join(folder, basename(path)), entry)),
			);
			if (right.includes(undefined)) console.error(`${id}: a file has no such entry`);
			const hits = (found?.sessions ?? []).flatMap((session) => session.hits);
			const rank = 1 + hits.findIndex((hit) => right.includes(turnOf(hit.path, hit.entryId)));
			const text = found ? foundText(found, query, Date.now()) : "";
			scores.push({ kind, rank, tokens: estimateTokens(text) });
			if (byPoint) console.log([rank, kind, id, query].join("\t"));
		}
	} finally {
		rmSync(agentDir, { recursive: true });
	}
	for (const kind of ["words", "tool", "paraphrase", "all"]) {
		const some = scores.filter((score) => kind === "all" || score.kind === kind);
		const share = (right: typeof some) =>
			`${right.length}/${some.length} = ${((100 * right.length) / some.length).toFixed(1)} %`;
		const answered = some.filter(({ rank }) => rank > 0);
		const first = answered.filter(({ rank }) => rank === 1);
		const mean = answered.reduce((sum, { rank }) => sum + 1 / rank, 0) / some.length;
		const tokens = some.map((score) => score.tokens).toSorted((one, other) => one - other);
		console.log(
			`${kind.padEnd(10)}  hit@1 ${share(first)}  hit@5 ${share(answered)}  MRR ${mean.toFixed(2)}  about ${tokens[Math.floor(tokens.length / 2)]} tokens a search (median)`,
		);
	}
}

function turnsIn(path: string): Map<string, string> {
	const turns = new Map<string, string>();
	let turn = 0;
	let offset = 0;
	for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
		const { objects } = parseLine(line);
		if (objects.some(({ message }) => isObject(message) && message["role"] === "user")) turn++;
		const ids = objects.map(({ id }, at) => (typeof id === "string" ? id : syntheticId(offset, at)));
		for (const id of [...ids, `L${index + 1}`]) turns.set(id, `${path}:${turn}`);
		offset += Buffer.byteLength(line) + 1;
	}
	return turns;
}
