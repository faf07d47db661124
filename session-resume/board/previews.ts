import type { BoardPorts } from "./ports.ts";
import type { Row } from "./row.ts";
import type { Preview } from "./state.ts";

/** The cursor has to rest this long before a file is read for its preview. */
const PREVIEW_MS = 90;

/** Reads the preview of the session under the cursor, and remembers it while the file is unchanged. */
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
	 * First the card, from the end of the file, then the data that require the whole file. There is no retry if the
	 * file cannot be read.
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
