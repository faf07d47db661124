import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../../session-core/json.ts";
import { readRegular, readSpan } from "../../session-core/regular-file.ts";
import { type Line, parseLine, type Rates, wholeLines } from "../../session-core/session-file/index.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import { shownName } from "../../session-core/text/index.ts";
import type { Row } from "./row.ts";

/** The data that the preview shows in addition to the contents of the row. It is read when the cursor rests on the row. */

/** The preview of a session. Parts that have not been read yet are absent. */
export interface Preview {
	/** Identifies the version of the file from which the preview was read. */
	stamp: string;
	/** The description derived from the end of the file; `described` is undefined if there is nothing to describe. */
	card?: { described: Description | undefined };
	facts?: PreviewFacts;
}

/** Facts about a session that can be determined only by reading the complete session file or the repository. */
export interface PreviewFacts {
	messages: number | undefined;
	/** The cost, in the currency of the model's price table. */
	cost: number | undefined;
	/** The size of the model's context window in tokens. */
	contextWindow?: number | undefined;
	/** The prices of the session's model in the host's registry. */
	rates?: Rates;
	/** The branch that is checked out in the session's folder. */
	branch: string | undefined;
	worktree: string | undefined;
}

export interface PreviewPorts {
	card(row: Row): Promise<Description | undefined>;
	/** Reads the complete file. The signal aborts when the cursor leaves the row. */
	previewFacts(row: Row, signal: AbortSignal): Promise<PreviewFacts>;
}

/** Time in milliseconds that the cursor must rest on a row before the row's file is read for the preview. */
const PREVIEW_MS = 90;

/** Reads the preview of the session under the cursor, and keeps it as long as the file does not change. */
export class Previews {
	readonly #ports: PreviewPorts;
	readonly #changed: () => void;
	readonly #read = new Map<string, Preview>();
	#timer: NodeJS.Timeout | undefined;
	#current = { of: "", over: new AbortController() };

	constructor(ports: PreviewPorts, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, stamp }: Row): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.stamp === stamp ? preview : undefined;
	}

	follow(row: Row | undefined): void {
		if (!row || `${row.path} ${row.stamp}` === this.#current.of) return;
		this.end();
		this.#current = { of: `${row.path} ${row.stamp}`, over: new AbortController() };
		this.#timer = setTimeout(() => void this.#readOf(row), PREVIEW_MS).unref();
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#current.over.abort();
	}

	/**
	 * Reads the end of the file for the card first, and then the data that requires the complete file. If the file cannot be read, no
	 * further attempt is made.
	 */
	async #readOf(row: Row): Promise<void> {
		const { signal } = this.#current.over;
		if (!this.of(row)?.card) {
			const described = await this.#ports.card(row).catch(() => undefined);
			this.#add(row, { card: { described } });
		}
		if (signal.aborted || this.of(row)?.facts) return;
		const facts = await this.#ports.previewFacts(row, signal).catch(() => undefined);
		if (facts && !signal.aborted) this.#add(row, { facts });
	}

	#add(row: Row, read: Omit<Preview, "stamp">): void {
		this.#read.set(row.path, { ...this.of(row), ...read, stamp: row.stamp });
		this.#changed();
	}
}

interface PreviewFactsDeps {
	/** Returns a model of the host's registry; undefined if the model is unknown. Its prices are per million tokens. */
	model(provider: string, id: string): { contextWindow: number; cost: Rates } | undefined;
	signal: AbortSignal;
}

/** Maximum size in bytes of a file that is read completely for a preview. */
const LARGEST = 64 * 1024 * 1024;

/** Reads the complete session file in chunks, stopping if the signal aborts, and determines the branch of the session's repository. */
export async function readPreviewFacts(
	row: Pick<Row, "path" | "cwd" | "size" | "modelName">,
	{ model, signal }: PreviewFactsDeps,
): Promise<PreviewFacts> {
	const [counted, place] = await Promise.all([
		row.size <= LARGEST ? count(row.path, signal) : undefined,
		readGitPlace(row.cwd),
	]);
	const { contextWindow, cost: prices = {} } =
		(row.modelName && model(row.modelName.provider, row.modelName.id)) ?? {};
	const { messages, cost } = counted ?? {};
	return {
		messages,
		// With a local model, a session costs nothing, so no cost is shown.
		cost: cost === 0 ? undefined : cost,
		contextWindow,
		rates: Object.fromEntries(Object.entries(prices).map(([kind, price]) => [kind, price / 1_000_000])),
		...place,
	};
}

interface Counted {
	messages: number;
	/** The cost of all branches, in the currency of the model's price table. */
	cost: number;
}

async function count(path: string, signal: AbortSignal): Promise<Counted | undefined> {
	const counted: Counted = { messages: 0, cost: 0 };
	const take = (line: Line) => void addLine(counted, line);
	const read = await wholeLines(path, take, { signal, longest: LARGEST });
	return read.ok ? counted : undefined;
}

/** Number of bytes at the start of a line that are enough to contain the entry's type. */
const KIND = 400;
const USAGE = '"usage":{';
/** Maximum length of a usage object in bytes. */
const USAGE_BYTES = 1_000;

/**
 * Adds the figures of a line to the totals. Only the relevant bytes are read, because parsing a whole session would take fifty times as
 * long.
 */
function addLine(counted: Counted, { bytes }: Line): void {
	const kind = bytes.toString("latin1", 0, KIND);
	const [, type, role] = ENTRY.exec(kind) ?? placeOf(bytes);
	if (type !== "message") return;
	// The host stores its own prompt in entries with the role `system`.
	if (role !== "system") counted.messages++;
	// Inside a message, the quotation marks would be escaped, so this search finds only the host's own field.
	const at = bytes.lastIndexOf(USAGE);
	if (at < 0) return;
	const usage = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/.exec(
		bytes.toString("latin1", at + USAGE.length - 1, at + USAGE_BYTES),
	)?.[0];
	const cost = Number(/"total":\s?([\d.eE+-]+)/.exec(usage ?? "")?.[1]);
	if (cost > 0 && cost < Number.POSITIVE_INFINITY) counted.cost += cost;
}

/** Matches an entry as the host writes it: its type first, then the fields of every entry, and the role first in a message. */
const ENTRY = /^\{"type":"(\w+)"(?:(?:,"\w+":(?:"[^"]*"|null))*,"message":\{"role":"(\w+)")?/;

/** Returns the type and the role of an entry that another program wrote, in the same form as a match of {@link ENTRY}. */
function placeOf(bytes: Buffer): (string | undefined)[] {
	const [entry = {}] = parseLine(bytes.toString("utf8")).objects;
	const { type, message } = entry;
	return ["", String(type), isObject(message) ? String(message["role"]) : undefined];
}

/** Returns the branch that is checked out in a folder, and the name of the worktree if the folder is in one. Does not start a process. */
export async function readGitPlace(cwd: string): Promise<Pick<PreviewFacts, "branch" | "worktree">> {
	const none = { branch: undefined, worktree: undefined };
	if (!isAbsolute(cwd)) return none;
	for (let folder = resolve(cwd); ; folder = dirname(folder)) {
		const git = join(folder, ".git");
		const found = await stat(git).catch(() => undefined);
		if (found) {
			// In a worktree or a submodule, `.git` is a file that contains the path of the actual Git directory.
			const place = found.isDirectory() ? git : /^gitdir: (.+)$/m.exec(textOf(git))?.[1];
			if (place === undefined) return none;
			const gitdir = resolve(folder, place);
			const branch = /^ref: refs\/heads\/(.+)$/m.exec(textOf(join(gitdir, "HEAD")))?.[1];
			const isWorktree = basename(dirname(gitdir)) === "worktrees";
			return {
				branch: branch && shownName(branch).slice(0, 80),
				worktree: isWorktree ? shownName(basename(gitdir)) : undefined,
			};
		}
		if (dirname(folder) === folder) return none;
	}
}

/** Returns the text of a small file; empty if it cannot be read. */
function textOf(path: string): string {
	const read = readRegular(path, (file) => readSpan(file, 0, 4_096));
	return Buffer.isBuffer(read) ? read.toString("utf8") : "";
}
