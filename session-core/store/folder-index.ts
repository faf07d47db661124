import { pathIn } from "./folders.ts";
import { fromStored, type Indexed, toStored } from "./index-record.ts";
import type { Steps } from "./pace.ts";
import type { FileStamp } from "./regular-file.ts";
import type { SummaryRecord } from "./summary.ts";

/** Raised whenever a summary, or the cleaning of its texts, changes: older indexes are then built anew. */
export const INDEX_VERSION = 1;

export const INDEX_FORMAT = "session-suite index";

const TAB = 0x09;
const NEWLINE = 0x0a;
const WRITE_CHUNK = 128 * 1024;

/** One file's line: its state, and the JSON behind it, as text or as the place where it stands. */
interface IndexLine extends FileStamp {
	json: string | { from: number; to: number };
}

/**
 * What is known of the files of one folder, a line a file: `name TAB size TAB mtime TAB JSON`. JSON is parsed when it is
 * asked for: an index of thousands loads in milliseconds and is written back without being rebuilt.
 */
export class FolderIndex {
	readonly folder: string;
	readonly #bytes: Buffer;
	readonly #lines = new Map<string, IndexLine>();
	#changed = false;

	constructor(folder: string, bytes: Buffer = Buffer.alloc(0)) {
		this.folder = folder;
		this.#bytes = bytes;
	}

	/** Something was learned or forgotten since it was loaded. */
	get changed(): boolean {
		return this.#changed;
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
		this.#changed = true;
		this.#lines.set(name, { ...stamp, json: JSON.stringify(toStored(known)) });
	}

	/** Forgets files that are gone. */
	keepOnly(names: ReadonlySet<string>): void {
		for (const name of this.#lines.keys()) {
			if (names.has(name)) continue;
			this.#lines.delete(name);
			this.#changed = true;
		}
	}

	/** The whole file's text, in pieces. */
	*text(): Generator<string> {
		let piece = `${JSON.stringify({ format: INDEX_FORMAT, version: INDEX_VERSION, folder: this.folder })}\n`;
		for (const [name, line] of this.#lines) {
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
		this.#lines.set(name, {
			size: Number(this.#bytes.toString("latin1", size, mtime - 1)),
			mtimeMs: Number(this.#bytes.toString("latin1", mtime, json - 1)),
			json: { from: json, to: end },
		});
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
