import type { ChunkedLine } from "../../session-core/store/lines.ts";
import { wholeLines } from "../../session-core/store/whole-lines.ts";
import { readGitPlace } from "./git-place.ts";
import type { Row, SessionFacts } from "./types.ts";

export interface SessionFactsDeps {
	/** Tokens that a model takes; undefined where nobody knows the model. */
	contextWindow(provider: string, id: string): number | undefined;
	signal: AbortSignal;
}

/** Larger files are not counted for a look at the board, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** What only the whole file tells, and the repository that the session runs in. Reads without holding anybody up; ends with the signal. */
export async function readSessionFacts(
	row: Pick<Row, "path" | "cwd" | "size" | "provider">,
	{ contextWindow, signal }: SessionFactsDeps,
): Promise<SessionFacts> {
	const [counted, place] = await Promise.all([
		row.size <= LARGEST ? count(row.path, signal) : undefined,
		readGitPlace(row.cwd),
	]);
	const room = row.provider && contextWindow(row.provider.name, row.provider.model);
	const { messages, cost, tokens } = counted ?? {};
	return {
		messages,
		// A session of a local model costs nothing, which needs no figure.
		cost: cost === 0 ? undefined : cost,
		fill: room && tokens ? Math.min(1, tokens / room) : undefined,
		...place,
	};
}

interface Counted {
	messages: number;
	/** In the currency of the model's price table, all branches. */
	cost: number;
	/** In the context after the last reply; 0 where nothing tells. */
	tokens: number;
}

async function count(path: string, signal: AbortSignal): Promise<Counted | undefined> {
	const counted: Counted = { messages: 0, cost: 0, tokens: 0 };
	const read = await wholeLines(
		path,
		(line) => {
			addLine(counted, line);
			return undefined;
		},
		{ signal, maxLineBytes: LARGEST },
	);
	return read.ok ? counted : undefined;
}

/** The beginning of a line, where the host writes what kind of entry it is. In bytes. */
const KIND = 400;
const USAGE = '"usage":{';
/** A usage is shorter than this, in bytes. */
const USAGE_BYTES = 1_000;

/** Looks at the few bytes that count: to parse what a whole session says would take fifty times as long. */
export function addLine(counted: Counted, line: ChunkedLine): void {
	if ("tooLong" in line) return;
	const { bytes } = line;
	const kind = bytes.toString("latin1", 0, KIND);
	// Behind a compaction, nobody knows how full the context is before the next reply.
	if (kind.includes('"type":"compaction"')) counted.tokens = 0;
	if (!/"type":\s?"message"/.test(kind)) return;
	counted.messages++;
	// Inside of what somebody said, the quotation marks would be escaped.
	const at = bytes.lastIndexOf(USAGE);
	if (at < 0) return;
	const usage = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/.exec(
		bytes.toString("latin1", at + USAGE.length - 1, at + USAGE_BYTES),
	)?.[0];
	if (usage === undefined) return;
	counted.cost += numberIn(usage, "total");
	const tokens =
		numberIn(usage, "totalTokens") || PARTS.reduce((sum, part) => sum + numberIn(usage, part), 0);
	if (tokens > 0) counted.tokens = tokens;
}

const PARTS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** The first number of this name: counts stand before costs, which have the same names. */
function numberIn(json: string, name: string): number {
	const found = new RegExp(`"${name}":\\s?([\\d.eE+-]+)`).exec(json)?.[1];
	const value = Number(found);
	return Number.isFinite(value) && value > 0 ? value : 0;
}
