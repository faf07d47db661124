import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { glanceAt, type Line, parseLine, type Rates, wholeLines } from "../log/index.ts";
import { isObject, type JsonObject, type ModelName, partOf, shownName } from "../text/index.ts";

export interface PreviewFacts {
	messages: number | undefined;
	cost: number | undefined;
	contextWindow?: number | undefined;
	rates?: Rates;
	branch: string | undefined;
	worktree: string | undefined;
}

interface PreviewFactsDeps {
	/**
	 * Returns the model's context window in tokens and its prices per million tokens, or undefined if the
	 * model is unknown.
	 */
	model(provider: string, id: string): { contextWindow: number; cost: Rates } | undefined;
	signal: AbortSignal;
}

const LARGEST = 64 * 1024 * 1024;

export async function readPreviewFacts(
	row: { path: string; cwd: string; size: number; model: ModelName | undefined },
	{ model, signal }: PreviewFactsDeps,
): Promise<PreviewFacts> {
	const counted = { messages: 0, cost: 0 };
	const take = (line: Line) => addLine(counted, line);
	const [read, place] = await Promise.all([
		row.size <= LARGEST ? wholeLines(row.path, take, { signal, longest: LARGEST }) : undefined,
		readGitPlace(row.cwd),
	]);
	const known = row.model && model(row.model.provider, row.model.id);
	const prices = Object.entries(known?.cost ?? {});
	return {
		messages: read?.ok ? counted.messages : undefined,
		cost: (read?.ok && counted.cost) || undefined,
		contextWindow: known?.contextWindow,
		rates: Object.fromEntries(prices.map(([kind, price]) => [kind, price / 1_000_000])),
		...place,
	};
}

const USAGE = '"usage":{';
const USAGE_BYTES = 1_000;

/** Searches the raw bytes, because parsing every line as JSON would take fifty times as long. */
function addLine(counted: { messages: number; cost: number }, line: Line): undefined {
	const { bytes } = line;
	const { type, message } = glanceAt(line)?.entry ?? entryOn(bytes) ?? {};
	if (type !== "message") return;
	// pi stores its own prompt in entries with the `system` role, which do not count as messages.
	if (!isObject(message) || message["role"] !== "system") counted.messages++;
	const at = bytes.lastIndexOf(USAGE);
	if (at < 0) return;
	const usage = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/.exec(
		bytes.toString("latin1", at + USAGE.length - 1, at + USAGE_BYTES),
	)?.[0];
	const cost = Number(/"total":\s?([\d.eE+-]+)/.exec(usage ?? "")?.[1]);
	if (cost > 0 && cost < Number.POSITIVE_INFINITY) counted.cost += cost;
}

function entryOn(bytes: Buffer): JsonObject | undefined {
	const { objects } = parseLine(bytes.toString("utf8"));
	return objects.find((entry) => entry["type"] === "message") ?? objects[0];
}

/** Reads the files in `.git` directly, so that no process is started. */
export async function readGitPlace(cwd: string): Promise<Pick<PreviewFacts, "branch" | "worktree">> {
	const none = { branch: undefined, worktree: undefined };
	if (!isAbsolute(cwd)) return none;
	for (let folder = resolve(cwd); ; folder = dirname(folder)) {
		const git = join(folder, ".git");
		const found = await stat(git).catch(() => undefined);
		if (found) {
			// In a worktree or a submodule, `.git` is a file that contains the path of the real Git directory.
			const place = found.isDirectory() ? git : /^gitdir: (.+)$/m.exec(smallText(git))?.[1];
			if (place === undefined) return none;
			const gitdir = resolve(folder, place);
			const branch = /^ref: refs\/heads\/(.+)$/m.exec(smallText(join(gitdir, "HEAD")))?.[1];
			const isWorktree = basename(dirname(gitdir)) === "worktrees";
			return {
				branch: branch && shownName(branch).slice(0, 80),
				worktree: isWorktree ? shownName(basename(gitdir)) : undefined,
			};
		}
		if (dirname(folder) === folder) return none;
	}
}

function smallText(path: string): string {
	return partOf(path, 0, 4_096).toString("utf8");
}
