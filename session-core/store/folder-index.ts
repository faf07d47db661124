import { randomUUID } from "node:crypto";
import { pathIn } from "./folders.ts";
import { INDEX_FORMAT, readIndexHeader } from "./index-header.ts";
import { fromStored, type Indexed, toStored } from "./index-record.ts";
import { INDEX_VERSION } from "./index-version.ts";
import type { Steps } from "./pace.ts";
import type { FileStamp } from "./regular-file.ts";
import type { SummaryRecord } from "./summary.ts";

const TAB = 0x09;
const NEWLINE = 0x0a;
const WRITE_CHUNK = 128 * 1024;
/** Lines that later ones replaced may take this much room before the file is written anew, and as much as the rest. */
const SMALL_WASTE = 256 * 1024;

/** One file's line: its state, and the JSON behind it, as text or as the place where it stands. */
interface IndexLine extends FileStamp {
	json: string | { from: number; to: number };
}

/**
 * What is known of the files of one folder, a line a file: `name TAB size TAB mtime TAB JSON`; of several lines of one file
 * the last counts. JSON is parsed when it is asked for: an index of thousands loads in milliseconds. What is learned is
 * appended; now and then the whole is written anew.
 */
export class FolderIndex {
	readonly folder: string;
	readonly #bytes: Buffer;
	readonly #lines = new Map<string, IndexLine>();
	/** Names that were learned about since it was loaded. */
	readonly #fresh = new Set<string>();
	#isForgetful: boolean;
	/** Bytes of lines that count, as they stand in the file. */
	#used = 0;

	/** Without bytes it begins empty, and its file is written anew. */
	constructor(folder: string, bytes?: Buffer) {
		this.folder = folder;
		this.#bytes = bytes ?? Buffer.alloc(0);
		this.#isForgetful = bytes === undefined;
	}

	/** The file that it was loaded from, as it was then. */
	get loaded(): Buffer {
		return this.#bytes;
	}

	/** Which writing of the whole it was loaded from. */
	get generation(): string | undefined {
		return readIndexHeader(this.#bytes)?.generation;
	}

	/**
	 * What there is to write. `whole`: something was forgotten, and must not linger, or too much of the file counts no more.
	 */
	get pending(): "nothing" | "lines" | "whole" {
		const isChanged = this.#fresh.size > 0 || (this.#isForgetful && this.#bytes.length > 0);
		if (!isChanged) return "nothing";
		const waste = this.#bytes.length - this.#used;
		return this.#isForgetful || waste > Math.max(SMALL_WASTE, this.#used) ? "whole" : "lines";
	}

	/** Takes in the lines from `start`; yields now and then, so that it can be interrupted. */
	*load(start: number): Steps<never> {
		let loaded = 0;
		while (start < this.#bytes.length) {
			const end = this.#bytes.indexOf(NEWLINE, start);
			// Without its newline, the last line may be a part of one.
			if (end < 0) return;
			this.#loadLine(start, end);
			start = end + 1;
			if (++loaded % 256 === 0) yield;
		}
	}

	/** When a file had last changed, as far as is known: where to look first. */
	changedAt(name: string): number | undefined {
		return this.#lines.get(name)?.mtimeMs;
	}

	/** What is known of the file in this very state. */
	current(name: string, stamp: FileStamp): Indexed | undefined {
		const line = this.#lines.get(name);
		const same = line?.size === stamp.size && line.mtimeMs === stamp.mtimeMs;
		return same ? this.#read(name, line) : undefined;
	}

	/** The record of the file's last known state. */
	previous(name: string): SummaryRecord | undefined {
		const line = this.#lines.get(name);
		const known = line && this.#read(name, line);
		return known && "summary" in known ? known : undefined;
	}

	set(name: string, stamp: FileStamp, known: Indexed): void {
		// A tab or a newline in the name would break the format; such a file is simply read every time.
		if (/[\t\n]/.test(name)) return;
		const json = JSON.stringify(toStored(known));
		const line = this.#lines.get(name);
		if (line?.size === stamp.size && line.mtimeMs === stamp.mtimeMs && this.#json(line) === json) return;
		this.#fresh.add(name);
		if (line) this.#used -= lengthOf(line);
		this.#lines.set(name, { ...stamp, json });
	}

	/** Forgets files that are gone. */
	keepOnly(names: Pick<ReadonlySet<string>, "has">): void {
		for (const name of this.#lines.keys()) {
			if (names.has(name)) continue;
			this.#lines.delete(name);
			this.#fresh.delete(name);
			this.#isForgetful = true;
		}
	}

	/** The whole file's text, in pieces. */
	*text(): Generator<string> {
		// No two files begin alike: so a writer knows the one that it has loaded from one that took its place.
		const generation = randomUUID();
		const header = { format: INDEX_FORMAT, version: INDEX_VERSION, folder: this.folder, generation };
		yield* this.#inPieces(`${JSON.stringify(header)}\n`, this.#lines.keys());
	}

	/** The lines that were learned since it was loaded, in pieces. */
	*lines(): Generator<string> {
		// The line before may be torn, where a disk was full.
		yield* this.#inPieces("\n", this.#fresh);
	}

	*#inPieces(start: string, names: Iterable<string>): Generator<string> {
		let piece = start;
		for (const name of names) {
			const line = this.#lines.get(name);
			if (!line) continue;
			piece += `${name}\t${line.size}\t${line.mtimeMs}\t${this.#json(line)}\n`;
			if (piece.length < WRITE_CHUNK) continue;
			yield piece;
			piece = "";
		}
		yield piece;
	}

	#loadLine(start: number, end: number): void {
		const size = this.#bytes.indexOf(TAB, start) + 1;
		const mtime = this.#bytes.indexOf(TAB, size) + 1;
		const json = this.#bytes.indexOf(TAB, mtime) + 1;
		if (size === 0 || mtime === 0 || json === 0 || json > end) return;
		const name = this.#bytes.toString("utf8", start, size - 1);
		const before = this.#lines.get(name);
		if (before) this.#used -= lengthOf(before);
		const line = {
			size: Number(this.#bytes.toString("latin1", size, mtime - 1)),
			mtimeMs: Number(this.#bytes.toString("latin1", mtime, json - 1)),
			json: { from: json, to: end },
		};
		this.#lines.set(name, line);
		this.#used += lengthOf(line);
	}

	#read(name: string, line: IndexLine): Indexed | undefined {
		try {
			const { size, mtimeMs } = line;
			return fromStored(JSON.parse(this.#json(line)), pathIn(this.folder, name), { size, mtimeMs });
		} catch {
			// A damaged line is a file that has to be read again.
			return undefined;
		}
	}

	#json({ json }: IndexLine): string {
		return typeof json === "string" ? json : this.#bytes.toString("utf8", json.from, json.to);
	}
}

/** Bytes of a line in the loaded file, without its name and stamp: those are few. */
function lengthOf({ json }: IndexLine): number {
	return typeof json === "string" ? 0 : json.to - json.from;
}
