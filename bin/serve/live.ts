import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { type Lease, type LeaseState, liveLeases } from "../../session-core/live/lease-files.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";

/** The states, most urgent first. */
export const ATTENTION: readonly LeaseState[] = ["needs_you", "failed", "working", "idle"];

/** Number of milliseconds without further changes after which the leases are read again. */
const QUIET_MS = 40;
/** Milliseconds between two periodic reads of the leases. These reads are needed because no file changes when a process is killed. */
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

	/** Reads the leases and returns them in order of urgency. Returns the same array object until a lease changes. */
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

	/** Returns leases that were read at most {@link RECENT_MS} milliseconds ago. */
	recent(): readonly Lease[] {
		return performance.now() - this.#readAt < RECENT_MS ? this.#leases : this.read();
	}

	/** Returns the leases from the most recent read, without reading them again. */
	get last(): readonly Lease[] {
		return this.#leases;
	}

	/** Watches the leases until `close` is called, and reports changes to a single listener. */
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
		// Either the system has no file watches left or the folder is read-only, so the leases are read only at regular intervals.
		return undefined;
	}
}
