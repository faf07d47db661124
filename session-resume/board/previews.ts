import { startTimer } from "../../session-core/text/index.ts";
import type { Preview } from "./acts.ts";
import type { Row } from "./list.ts";

/** How long, in milliseconds, the cursor must rest on a session's row before its preview is loaded. */
const PREVIEW_MS = 90;

interface PreviewPorts {
	preview(row: Row, signal: AbortSignal): AsyncIterable<Preview>;
}

export class Previews {
	readonly #ports: PreviewPorts;
	readonly #changed: () => void;
	readonly #read = new Map<string, Preview & { version: string }>();
	#followed = "";
	#timer: NodeJS.Timeout | undefined;
	#over = new AbortController();

	constructor(ports: PreviewPorts, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, version }: Row): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.version === version ? preview : undefined;
	}

	follow(row: Row | undefined): void {
		if (!row || `${row.path} ${row.version}` === this.#followed) return;
		this.end();
		this.#followed = `${row.path} ${row.version}`;
		this.#over = new AbortController();
		const { signal } = this.#over;
		if (this.of(row)?.facts) return;
		this.#timer = startTimer("sessions", PREVIEW_MS, () => this.#readOf(row, signal));
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#over.abort();
	}

	async #readOf(row: Row, signal: AbortSignal): Promise<void> {
		const { path, version } = row;
		for await (const preview of this.#ports.preview(row, signal)) {
			if (signal.aborted) return;
			this.#read.set(path, { ...preview, version });
			this.#changed();
		}
	}
}
