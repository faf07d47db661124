import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { type Lease, type LeaseState, liveLeases } from "../../session-core/live/lease.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";

/** The states, most urgent first. */
export const ATTENTION: readonly LeaseState[] = ["needs_you", "failed", "working", "idle"];

/** Milliseconds without a change before leases are read. */
const QUIET_MS = 40;
/** Milliseconds between two reads without a change, because a killed process causes none. */
const LOOK_MS = 2_000;
/** Milliseconds for which leases are not read again, because many requests may come at once. */
const RECENT_MS = 250;

/** The leases of all open sessions, kept up to date while anything listens. */
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

	/** Reads the leases, the most urgent first. Returns the same array as long as nothing changes. */
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

	/** Returns the leases of the last quarter of a second. */
	recent(): readonly Lease[] {
		return performance.now() - this.#readAt < RECENT_MS ? this.#leases : this.read();
	}

	/** The leases as they were last read. */
	get last(): readonly Lease[] {
		return this.#leases;
	}

	/** Watches for the one listener until `close`. */
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
		// The system has no more watches, or the folder is read-only: only the regular reads are used.
		return undefined;
	}
}
