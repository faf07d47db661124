// Scores the search on questions about real sessions. A hit is correct if it is in the same turn as an entry that answers the question.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isObject } from "../session-core/json.ts";
import { findInSessions } from "../session-core/search/find.ts";
import { foundText } from "../session-core/search/report.ts";
import type { SearchHit } from "../session-core/search/search.ts";
import { syntheticId } from "../session-core/session-file/entries.ts";
import { parseLine } from "../session-core/session-file/parse-line.ts";

const KINDS = ["words", "tool", "paraphrase"] as const;
/** Maximum number of hits of a search. */
const LIMIT = 5;
/** Approximate number of characters per token. */
const TOKEN = 4;

interface Question {
	id: string;
	/** A folder of sessions, all of which are searched. */
	repo: string;
	kind: (typeof KINDS)[number];
	question: string;
	/** The entries that answer the question, by id or, for entries without one, by line (`L12`). */
	answers: { path: string; entry_ids: string[] }[];
}

interface Score {
	question: Question;
	/** Whether the first hit answers the question, and whether any of the first {@link LIMIT} hits does. */
	first: boolean;
	five: boolean;
	/** One divided by the rank of the first hit that answers the question; 0 if none does. */
	reciprocal: number;
	tokens: number;
}

/**
 * Prints hit@1, hit@5 and the mean reciprocal rank for each kind of question, and the median number of tokens per search. With `byPoint`, also prints the result of
 * each question.
 */
export async function evalRecall(file: string, sessions: string, byPoint: boolean): Promise<void> {
	const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
	const known = new Map<string, Map<string, number>>();
	const turnsOf = (path: string) => {
		const turns = known.get(path) ?? turnsIn(path);
		known.set(path, turns);
		return turns;
	};
	// The index of the sessions is kept in this folder.
	const agentDir = mkdtempSync(join(tmpdir(), "recall-eval-"));
	try {
		const scores: Score[] = [];
		for (const line of lines) {
			const score = await scoreOf(JSON.parse(line), sessions, agentDir, turnsOf);
			scores.push(score);
			const { question, first, five } = score;
			if (byPoint)
				console.log([first ? "first" : `${five}`, question.kind, question.id, question.question].join("\t"));
		}
		for (const kind of KINDS)
			report(
				kind,
				scores.filter(({ question }) => question.kind === kind),
			);
		report("all", scores);
	} finally {
		rmSync(agentDir, { recursive: true });
	}
}

function report(name: string, scores: readonly Score[]): void {
	if (scores.length === 0) return;
	const share = (right: number) =>
		`${right}/${scores.length} = ${((100 * right) / scores.length).toFixed(1)} %`;
	const tokens = scores.map((score) => score.tokens).toSorted((one, other) => one - other);
	const first = scores.filter((score) => score.first).length;
	const five = scores.filter((score) => score.five).length;
	const mean = scores.reduce((sum, { reciprocal }) => sum + reciprocal, 0) / scores.length;
	const median = tokens[Math.floor(tokens.length / 2)];
	console.log(
		`${name.padEnd(10)}  hit@1 ${share(first)}  hit@5 ${share(five)}  MRR ${mean.toFixed(2)}  about ${median} tokens a search (median)`,
	);
}

async function scoreOf(
	question: Question,
	sessions: string,
	agentDir: string,
	turnsOf: (path: string) => Map<string, number>,
): Promise<Score> {
	const folder = join(sessions, basename(question.repo));
	const request = { query: question.question, project: "all", limit: LIMIT, onlyRelevant: true } as const;
	const found = await findInSessions(request, { agentDir, cwd: "", folder });
	const right = new Set<string>();
	for (const { path, entry_ids: ids } of question.answers) {
		const full = join(folder, basename(path));
		for (const id of ids) {
			const turn = turnsOf(full).get(id);
			if (turn === undefined) console.error(`${question.id}: ${path} has no entry ${id}`);
			else right.add(`${full}:${turn}`);
		}
	}
	const hits = (found?.sessions ?? []).flatMap((session) => session.hits);
	const isRight = (hit: SearchHit | undefined) =>
		hit !== undefined && right.has(`${hit.path}:${turnsOf(hit.path).get(hit.entryId)}`);
	const text = found ? foundText(found, question.question, Date.now()) : "";
	return {
		question,
		first: isRight(hits[0]),
		five: hits.some(isRight),
		reciprocal: hits.some(isRight) ? 1 / (hits.findIndex(isRight) + 1) : 0,
		tokens: Math.round(text.length / TOKEN),
	};
}

/**
 * Returns the turn number of each entry. Entries before the first prompt have the number 0. Each entry is listed under its id (or a
 * synthetic id if it has none) and under its line number (`L12`).
 */
function turnsIn(path: string): Map<string, number> {
	const turns = new Map<string, number>();
	let turn = 0;
	let offset = 0;
	for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
		const { objects } = parseLine(line);
		if (objects.some(({ message }) => isObject(message) && message["role"] === "user")) turn++;
		for (const [at, { id }] of objects.entries()) {
			turns.set(typeof id === "string" ? id : syntheticId(offset, at), turn);
		}
		turns.set(`L${index + 1}`, turn);
		offset += Buffer.byteLength(line) + 1;
	}
	return turns;
}
