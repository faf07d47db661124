import { type Lease, liveLeases } from "../../session-core/live/lease-files.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";
import { type FolderWatch, watchFolder } from "../../session-core/watch-folder.ts";
import { urgencyOf } from "../../session-core/words/state-looks.ts";

/** Returns the number of live sessions in each state. */
export function countsOf(live: readonly Lease[]) {
	const counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

/** Number of milliseconds without further changes after which the leases are read again. */
const QUIET_MS = 40;
/** Milliseconds between two periodic reads of the leases. These reads are needed because no file changes when a process is killed. */
const LOOK_MS = 2_000;

/** The leases of all open sessions, in order of urgency. */
export class LeaseWatch {
	readonly #agentDir: string;
	#leases: readonly Lease[] = [];
	#onChange: (() => void) | undefined;
	#watch: FolderWatch | undefined;
	#look: NodeJS.Timeout | undefined;
	#quiet: NodeJS.Timeout | undefined;

	constructor(agentDir: string) {
		this.#agentDir = agentDir;
	}

	/** Reads the leases, and reports a change to the listener. */
	read(): readonly Lease[] {
		const before = JSON.stringify(this.#leases);
		this.#leases = liveLeases(this.#agentDir, Date.now()).sort(
			(one, other) => urgencyOf(one.state) - urgencyOf(other.state) || one.since - other.since,
		);
		if (JSON.stringify(this.#leases) !== before) this.#onChange?.();
		return this.#leases;
	}

	/** Returns the leases from the most recent read. */
	get last(): readonly Lease[] {
		return this.#leases;
	}

	/** Reads the leases whenever they may have changed, until `close` is called. */
	watch(onChange: () => void): void {
		this.#onChange = onChange;
		this.#watch = watchFolder(liveFolder(this.#agentDir), () => {
			clearTimeout(this.#quiet);
			this.#quiet = setTimeout(() => this.read(), QUIET_MS).unref();
		});
		this.#look = setInterval(() => {
			this.#watch?.renew();
			this.read();
		}, LOOK_MS).unref();
		this.read();
	}

	close(): void {
		this.#onChange = undefined;
		this.#watch?.end();
		clearInterval(this.#look);
		clearTimeout(this.#quiet);
	}
}
