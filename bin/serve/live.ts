import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { type Lease, type LeaseState, liveLeases } from "../../session-core/live/lease.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";

/** What needs a look comes first. */
export const ATTENTION: readonly LeaseState[] = ["needs_you", "failed", "working", "idle"];

/** Quiet before changed leases are read, in milliseconds. */
const QUIET_MS = 40;
/** Between two looks without a notice, in milliseconds: a killed process gives none. */
const LOOK_MS = 2_000;
/** How old an answer may be, in milliseconds: many may ask at once. */
const RECENT_MS = 250;

/** The leases of all open sessions, kept up to date while somebody listens. */
export class LeaseWatch {
	readonly #agentDir: string;
	#onChange: (() => void) | undefined;
	#watcher: FSWatcher | undefined;
	#look: NodeJS.Timeout | undefined;
	#quiet: NodeJS.Timeout | undefined;
	#leases: readonly Lease[] = [];
	#text = "[]";
	#readAt = Number.NEGATIVE_INFINITY;

	constructor(agentDir: string) {
		this.#agentDir = agentDir;
	}

	/** Those of now, first those that need a look. The same array as long as nothing changes. */
	read(): readonly Lease[] {
		const rank = ({ state }: Lease) => ATTENTION.indexOf(state);
		const read = liveLeases(this.#agentDir, Date.now()).sort(
			(one, other) => rank(one) - rank(other) || one.since - other.since,
		);
		const text = JSON.stringify(read);
		this.#readAt = performance.now();
		if (text !== this.#text) {
			this.#text = text;
			this.#leases = read;
			this.#onChange?.();
		}
		return this.#leases;
	}

	/** Those of this moment, give or take a quarter of a second. */
	recent(): readonly Lease[] {
		return performance.now() - this.#readAt < RECENT_MS ? this.#leases : this.read();
	}

	/** What was last read. */
	get last(): readonly Lease[] {
		return this.#leases;
	}

	/** Watches from now on, for the one listener, until `close`. */
	watch(onChange: () => void): void {
		this.close();
		this.#onChange = onChange;
		this.#watcher = watched(liveFolder(this.#agentDir), () => {
			clearTimeout(this.#quiet);
			this.#quiet = setTimeout(() => this.read(), QUIET_MS).unref();
		});
		this.#look = setInterval(() => this.read(), LOOK_MS).unref();
	}

	close(): void {
		this.#onChange = undefined;
		this.#watcher?.close();
		clearInterval(this.#look);
		clearTimeout(this.#quiet);
	}
}

function watched(folder: string, onChange: () => void): FSWatcher | undefined {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const watcher = watch(folder, { persistent: false }, onChange);
		watcher.on("error", () => watcher.close());
		return watcher;
	} catch {
		// No watches are left, or nothing can be written here: the look every two seconds has to do.
		return undefined;
	}
}
