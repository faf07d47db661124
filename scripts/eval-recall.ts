// Scores the search with questions about real sessions.
// A search result is correct if it is in the same turn as an entry that answers the question.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseLine, syntheticId } from "../session-core/log/index.ts";
import { findInSessions } from "../session-core/sessions/find.ts";
import { foundText } from "../session-core/sessions/search-report.ts";
import { isObject } from "../session-core/text/files/json.ts";

const LIMIT = 5;
/** The estimated number of characters per token. */
const TOKEN = 4;

interface Question {
	id: string;
	repo: string;
	kind: "words" | "tool" | "paraphrase";
	question: string;
	/** An entry without an id is identified by its line number, such as `L12`. */
	answers: { path: string; entry_ids: string[] }[];
}

/**
 * Prints hit@1, hit@5 and the mean reciprocal rank for each kind of question. With `byPoint`, also prints
 * the rank of the first correct result for each question.
 */
export async function evalRecall(file: string, sessions: string, byPoint: boolean): Promise<void> {
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
			const request = { query, project: "all", limit: LIMIT, onlyRelevant: true } as const;
			const found = await findInSessions(request, { agentDir, cwd: "", folder });
			const right = answers.flatMap(({ path, entry_ids: ids }) =>
				ids.map((entry) => turnOf(join(folder, basename(path)), entry)),
			);
			if (right.includes(undefined)) console.error(`${id}: a file has no such entry`);
			const hits = (found?.sessions ?? []).flatMap((session) => session.hits);
			const rank = 1 + hits.findIndex((hit) => right.includes(turnOf(hit.path, hit.entryId)));
			const text = found ? foundText(found, query, Date.now()) : "";
			scores.push({ kind, rank, tokens: Math.round(text.length / TOKEN) });
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
