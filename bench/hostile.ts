import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { entriesOf } from "../session-core/search/entry-text.ts";
import { readQuery } from "../session-core/search/query.ts";
import { readAround, safeWith } from "../session-core/search/read.ts";
import { searchSessions } from "../session-core/search/search.ts";
import { safeText } from "../session-core/text/safe.ts";
import { shownLine } from "../session-core/text/shown-line.ts";
import { timelineOf } from "../session-core/timeline/log.test-support.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { anyOf, type Random, seeded } from "../test/support/random.ts";
import { atMost, type BenchRow, figureOnly, least, repeated, timeOf } from "./lib/harness.ts";

const SIZES = [100_000, 200_000, 400_000];
const TEXTS = 24;
const RUNS = 5;
/** A longer time for twice the text than this is more than linear. */
const DOUBLING = 2.4;
/** Shorter times count as this time, because they mostly depend on how memory is allocated. */
const NOISE_MS = 8;
/** The longest time for which the host's event loop may stand still. */
const STEP_MS = 16;

/** Pieces with which patterns begin, repeat and end. */
const PIECES =
	`é|ä |"|\\"|\\\\\\"|{"a":"|"password":"|? |. |\n|\t|  | (|[|=|KEY=|: |--token |-----BEGIN |LS0tLS1CRUdJTi|AbC9+/|eyJhbGci.|sk-|%3D|Bearer |://a:b@|error: |1 failed |a|ab |1.2|- [ ] x\n|中文。|\x1b[0m|…|→|\`|a-|_`.split(
		"|",
	);

const query = readQuery('"in the end we decided to use the new one for all" décision');
const WAYS: Readonly<Record<string, (text: string) => unknown>> = {
	Redaction: (text) => safeText(text),
	"The search for words": (text) =>
		query?.patterns.map((pattern) => pattern.test(Buffer.from(text).toString("latin1"))),
	"An entry of a search": (text) => entriesOf(entryLine(text), 0, safeWith(new Set())),
	"Timeline and its rendering": (text) => renderTimeline(timelineOf(sessionOf(text), { cwd: "/code/app" })),
	"An offline recap": (text) => offlineRecap(timelineOf(sessionOf(text), { cwd: "/code/app" })),
	"A line of a list": (text) => shownLine(text),
};

/** Measures how the time grows with the length of hostile text, and how long a search and a read of such a session stop the event loop. */
export async function rows(): Promise<BenchRow[]> {
	const seed = Number(process.env["BENCH_SEED"] ?? Date.now() % 100_000);
	return [
		figureOnly("Seed of the texts (BENCH_SEED)", seed, ""),
		...Object.entries(WAYS).map(([name, read]) => doubling(name, read, seeded(seed))),
		...(await steps(seeded(seed))),
	];
}

/** Returns the largest factor by which the time grows when a text doubles: the mean of two doublings, because single ones are noisy. */
function doubling(name: string, read: (text: string) => unknown, random: Random): BenchRow {
	let worst = 0;
	for (let count = 0; count < TEXTS; count++) {
		const unit = unitOf(random);
		const texts = SIZES.map((size) => unit.repeat(Math.ceil(size / unit.length)));
		const times = texts.map((): number[] => []);
		// The sizes are measured alternately, so that other work on the machine affects all of them.
		for (let run = 0; run < RUNS; run++)
			for (const [index, text] of texts.entries()) times[index]?.push(timeOf(() => read(text)));
		const [short = 0, , long = 0] = times.map(least);
		worst = Math.max(worst, Math.sqrt(long / Math.max(short, NOISE_MS)));
	}
	return atMost(
		`${name}: mean factor when hostile text doubles twice (100 to 400 KB), largest of ${TEXTS}`,
		worst,
		DOUBLING,
		"×",
	);
}

function unitOf(random: Random): string {
	return Array.from({ length: 1 + Math.floor(random() * 4) }, () => anyOf(random, PIECES)).join("");
}

function sessionOf(text: string): Parameters<typeof timelineOf>[0] {
	return [
		{ user: text },
		{ tool: "write", args: { path: "a.json", content: text } },
		{ bash: "npm test", out: text, fails: true },
		{ says: text },
	];
}

function entryLine(text: string): Buffer {
	const content = [{ type: "toolCall", id: "c", name: "write", arguments: { path: "a", content: text } }];
	const message = { role: "assistant", content };
	return Buffer.from(JSON.stringify({ type: "message", id: "1", message }));
}

/** Measures the longest time without a turn of the event loop while a session with one large entry is searched and read. */
async function steps(random: Random): Promise<BenchRow[]> {
	const folder = mkdtempSync(join(tmpdir(), "hostile-bench-"));
	const path = join(folder, "s.jsonl");
	const fixture = {
		rows: Array.from({ length: 4_000 }, (_, id) => ({ id, token: `t${random()}`, name: `zeppelin "${id}"` })),
	};
	const texts = {
		"JSON inside JSON": JSON.stringify({ body: JSON.stringify({ body: JSON.stringify(fixture) }) }),
		"hostile text": unitOf(random).repeat(200_000).slice(0, 500_000),
	};
	const measured: BenchRow[] = [];
	try {
		for (const [name, text] of Object.entries(texts)) {
			const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00Z", cwd: "/" };
			const ask = { type: "message", id: "0", message: { role: "user", content: "look at the zeppelin" } };
			writeFileSync(path, `${JSON.stringify(header)}\n${JSON.stringify(ask)}\n${entryLine(text)}\n`);
			const search = async () => {
				for await (const _ of searchSessions({ query: "zeppelin", rows: [{ path }] }));
			};
			const read = () => readAround(path, "1", 3);
			for (const [what, run] of [
				["Search", search],
				["Read", read],
			] as const) {
				const step = least(await repeated(RUNS, () => longestStep(run)));
				const size = `${Math.round(text.length / 1_000)} KB of ${name}`;
				measured.push(atMost(`${what} of a session with ${size}: longest step`, step, STEP_MS, "ms"));
			}
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return measured;
}

/** Returns the longest time without a turn of the event loop while a call runs. */
async function longestStep(run: () => Promise<unknown>): Promise<number> {
	let last = performance.now();
	let step = 0;
	let isOver = false;
	const turn = () => {
		const now = performance.now();
		step = Math.max(step, now - last);
		last = now;
		if (!isOver) setImmediate(turn);
	};
	setImmediate(turn);
	await run();
	turn();
	isOver = true;
	return step;
}
