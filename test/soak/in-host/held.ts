import type { EventEmitter } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A resource that the suite's code holds open in this process. */
interface Held {
	what: string;
	isOpen(): boolean;
}

/** File and line of the suite's code. Other code is not watched. */
const OURS = /\/(session-(?:core|recap|title|resume|recall)\/[\w./-]+:\d+):\d+\)?$/;

/** Tracks what the suite opens: timers, listeners, file watchers, and handlers on the host's event bus. */
export class HeldThings {
	#held: Held[] = [];
	readonly #buses = new WeakSet<object>();

	/** Starts tracking; call once per process. */
	begin(): void {
		this.#watchTimers();
		for (const [name, emitter] of EMITTERS) this.#watchListeners(name, emitter);
		this.#watchWatchers();
	}

	/** The open resources, with the line that opened them. */
	open(): string[] {
		this.#held = this.#held.filter(({ isOpen }) => isOpen());
		return this.#held.map(({ what }) => what).sort();
	}

	/** Tracks handlers on this bus. */
	watchBus(bus: { on(channel: string, handler: (data: unknown) => void): () => void }): void {
		if (this.#buses.has(bus)) return;
		this.#buses.add(bus);
		const on = bus.on.bind(bus);
		bus.on = (channel, handler) => {
			const off = on(channel, handler);
			let isOn = true;
			this.#note(`a handler of ${channel}`, callerOfCaller(), () => isOn);
			return () => {
				isOn = false;
				off();
			};
		};
	}

	#watchTimers(): void {
		for (const name of ["setTimeout", "setInterval"] as const) {
			const original = globalThis[name];
			const watched = (...args: unknown[]) => {
				const handle: NodeJS.Timeout & { _destroyed?: boolean } = Reflect.apply(original, globalThis, args);
				this.#note(name, callerOfCaller(), () => handle._destroyed !== true);
				return handle;
			};
			Object.assign(globalThis, { [name]: Object.assign(watched, original) });
		}
	}

	#watchListeners(name: string, emitter: EventEmitter): void {
		const on = emitter.on.bind(emitter);
		emitter.on = (event, listener) => {
			on(event, listener);
			this.#note(`a listener of ${name}.${String(event)}`, callerOfCaller(), () =>
				emitter.listeners(event).includes(listener),
			);
			return emitter;
		};
	}

	#watchWatchers(): void {
		const { watch } = fs;
		const watched = (...args: unknown[]) => {
			const watcher: fs.FSWatcher = Reflect.apply(watch, fs, args);
			let isOpen = true;
			const close = watcher.close.bind(watcher);
			watcher.close = () => {
				isOpen = false;
				close();
			};
			this.#note("a watcher", callerOfCaller(), () => isOpen);
			return watcher;
		};
		Object.assign(fs, { watch: watched });
		syncBuiltinESMExports();
	}

	#note(what: string, where: string | undefined, isOpen: () => boolean): void {
		if (where !== undefined) this.#held.push({ what: `${what} (${where})`, isOpen });
	}
}

const EMITTERS: readonly (readonly [string, EventEmitter])[] = [
	["process", process],
	["stdin", process.stdin],
	["stdout", process.stdout],
];

/** The caller of the function that calls this; undefined: not the suite. */
function callerOfCaller(): string | undefined {
	const limit = Error.stackTraceLimit;
	Error.stackTraceLimit = 3;
	const frame = new Error().stack?.split("\n")[3] ?? "";
	Error.stackTraceLimit = limit;
	return OURS.exec(frame)?.[1];
}
