import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { type Lease, type LeaseState, liveLeases } from "../../session-core/live/lease-files.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";

/** The states, most urgent first. */
export const ATTENTION: readonly LeaseState[] = ["needs_you", "failed", "working", "idle"];

/** After a change, the leases are read once nothing has changed for this many milliseconds. */
const QUIET_MS = 40;
/** Milliseconds between two regular reads. They are needed because a killed process changes no file. */
const LOOK_MS = 2_000;
/** Leases that were read less than this many milliseconds ago are reused, because many requests may arrive at once. */
const RECENT_MS = 250;

/** Keeps the leases of all open sessions up to date while there is a listener. */
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

	/** Reads the leases and returns them in order of urgency. As long as nothing changes, the array is the same object. */
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

	/** Returns the leases, read at most a quarter of a second ago. */
	recent(): readonly Lease[] {
		return performance.now() - this.#readAt < RECENT_MS ? this.#leases : this.read();
	}

	/** Returns the leases that were read last, without reading them again. */
	get last(): readonly Lease[] {
		return this.#leases;
	}

	/** Watches the leases for the only listener, until `close`. */
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
		// Either the system has no watches left or the folder is read-only, so leases are only read at regular intervals.
		return undefined;
	}
}
