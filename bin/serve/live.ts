import { type FSWatcher, mkdirSync, watch } from "node:fs";
import type { LiveTarget } from "../../session-core/live-terminal/where.ts";
import { type LeaseState, liveFolder } from "../../session-core/store/lease.ts";
import { liveLeases } from "../../session-core/store/live.ts";
import type { Item, LiveOf } from "./item.ts";

/** A session that is open in some process. */
export interface LiveSession extends LiveOf {
	sessionId: string;
	sessionFile: string | undefined;
	/** Where its process and its terminal are. */
	target: LiveTarget;
}

/** What needs a look comes first. */
export const ATTENTION: readonly LeaseState[] = ["needs_you", "failed", "working", "idle"];

/** Calm before changed leases are read, and how often they are read without a notice: a killed process gives none. In ms. */
const CALM_MS = 40;
const LOOK_MS = 2_000;
const RECENT_MS = 250;

export interface LiveDeps {
	/** The leases as they are. */
	read(): LiveSession[];
	/** Calls `onChange` when a lease may have changed; undefined where that cannot be watched. */
	watch(onChange: () => void): { close(): void } | undefined;
}

/** What every session does, kept up to date while somebody listens. */
export class LiveSessions {
	readonly #deps: LiveDeps;
	readonly #listeners = new Set<() => void>();
	#watcher: { close(): void } | undefined;
	#look: NodeJS.Timeout | undefined;
	#calm: NodeJS.Timeout | undefined;
	#sessions: LiveSession[] = [];
	#text = "[]";
	#readAt = Number.NEGATIVE_INFINITY;

	constructor(deps: LiveDeps) {
		this.#deps = deps;
	}

	/** Those that are open now, first those that need a look. */
	read(): readonly LiveSession[] {
		const rank = ({ state }: LiveSession) => ATTENTION.indexOf(state);
		const read = this.#deps.read().sort((one, other) => rank(one) - rank(other) || one.since - other.since);
		const text = JSON.stringify(read);
		this.#readAt = performance.now();
		if (text !== this.#text) {
			this.#text = text;
			this.#sessions = read;
			for (const listener of this.#listeners) listener();
		}
		return this.#sessions;
	}

	/** Those of this moment, give or take a quarter of a second: many may ask at once. */
	recent(): readonly LiveSession[] {
		return performance.now() - this.#readAt < RECENT_MS ? this.#sessions : this.read();
	}

	/** What was last read. */
	get last(): readonly LiveSession[] {
		return this.#sessions;
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		if (this.#listeners.size === 1) this.#start();
		return () => {
			this.#listeners.delete(listener);
			if (this.#listeners.size === 0) this.close();
		};
	}

	close(): void {
		this.#watcher?.close();
		this.#watcher = undefined;
		clearInterval(this.#look);
		clearTimeout(this.#calm);
	}

	#start(): void {
		this.#watcher = this.#deps.watch(() => {
			clearTimeout(this.#calm);
			this.#calm = setTimeout(() => this.read(), CALM_MS);
			this.#calm.unref();
		});
		this.#look = setInterval(() => this.read(), LOOK_MS);
		this.#look.unref();
	}
}

/** Finds what a session of the board does, by its file or its id. */
export function liveFinder(
	live: readonly LiveSession[],
): (item: Pick<Item, "path" | "id">) => LiveSession | undefined {
	const byKey = new Map<string, LiveSession>();
	for (const session of live.toReversed()) {
		byKey.set(session.sessionId, session);
		if (session.sessionFile !== undefined) byKey.set(session.sessionFile, session);
	}
	return ({ path, id }) => byKey.get(path) ?? byKey.get(id);
}

/** The live sessions of a real agent folder. */
export function openLive(agentDir: string): LiveSessions {
	return new LiveSessions({
		read: () =>
			liveLeases(agentDir, Date.now()).map((target) => {
				const { sessionId, sessionFile, state, since } = target;
				return { sessionId, sessionFile, state, since, target };
			}),
		watch: (onChange) => watched(liveFolder(agentDir), onChange),
	});
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
