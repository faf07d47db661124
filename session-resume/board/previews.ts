import type { BoardPorts } from "./ports.ts";
import type { Row } from "./row.ts";
import type { Preview } from "./state.ts";

/** Time in milliseconds that the cursor must rest on a row before the row's file is read for the preview. */
const PREVIEW_MS = 90;

/** Reads the preview of the session under the cursor, and keeps it as long as the file does not change. */
export class Previews {
	readonly #ports: Pick<BoardPorts, "card" | "sessionFacts">;
	readonly #changed: () => void;
	readonly #read = new Map<string, Preview>();
	#timer: NodeJS.Timeout | undefined;
	#current = { of: "", over: new AbortController() };

	constructor(ports: Pick<BoardPorts, "card" | "sessionFacts">, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, stamp }: Row): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.stamp === stamp ? preview : undefined;
	}

	/** The cursor is on this row. */
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
		const facts = await this.#ports.sessionFacts(row, signal).catch(() => undefined);
		if (facts && !signal.aborted) this.#add(row, { facts });
	}

	#add(row: Row, read: Omit<Preview, "stamp">): void {
		this.#read.set(row.path, { ...this.of(row), ...read, stamp: row.stamp });
		this.#changed();
	}
}
