import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Sendable } from "../recap/index.ts";
import type { LeaseState } from "../sessions/live/index.ts";
import { bugText, logBug, reportBug, sendBugs } from "../text/background.ts";
import type { DoctorSection } from "./doctor.ts";
import { SessionFollower, type SessionHandlers, type StartReason } from "./host/host-events.ts";
import { claimExtensions } from "./host/register.ts";
import { CORE, type Deferred, inProcess, lazily, StartQueue, startWork } from "./host/start-work.ts";

export interface Continuation {
	/**
	 * The prompt to put into the editor. If undefined, the first suggested next step is used. An empty
	 * string leaves the editor unchanged.
	 */
	prompt: string | undefined;
	/** The prompt to send. If a run has already started, the prompt is put into the editor instead. */
	send?: Sendable | undefined;
}

const typed = <T>(value: T): T => value;
const nothing = (): void => undefined;
const no = (): boolean => false;
const noSection = async (): Promise<DoctorSection | undefined> => undefined;

/** Default functions for an extension that is not installed or not loaded yet. */
const ABSENT = {
	resume: {
		claims: async (_stamp: string) => ({ claimed: false, shown: false }),
		noted: nothing,
		hideCard: nothing,
		clearCard: no,
		continueWith: async (_continuation: Continuation): Promise<void> => undefined,
		doctor: noSection,
	},
	live: {
		/** While the session file is damaged, the extensions do not append to the file automatically. */
		isDamaged: typed<boolean>(false),
		/**
		 * The activity of another pi process that already had the session open when this process opened the
		 * session. The value is cleared when a new run starts.
		 */
		elsewhere: typed<LeaseState | undefined>(undefined),
		/**
		 * Automatic model calls wait until the user has decided whether to continue in a session that
		 * another process has open.
		 */
		question: typed<Promise<unknown> | undefined>(undefined),
		focusReported: nothing,
		noted: nothing,
		/**
		 * Must be called after a session has been renamed, because pi versions before 0.86 emit no event and
		 * reset the terminal title.
		 */
		renamed: nothing,
	},
	recap: {
		isNoting: no,
		hideRecap: (_stamp: string): void => undefined,
		/** Returns how long, in milliseconds, the user is assumed to keep looking at the terminal. */
		looksForMs: () => 0,
	},
	title: { noted: nothing, doctor: noSection },
	recall: { doctor: noSection },
};

type Ports = typeof ABSENT;

/**
 * The delay after startup, in milliseconds, before the extensions' code is loaded. Without the delay,
 * pi would paint its first frames later.
 */
const FIRST_PAINT_MS = 100;
/**
 * The delay, in milliseconds, before a headless run loads the extensions' code. Without the delay,
 * loading would slow down the run's first request.
 */
const FIRST_REQUEST_MS = 200;

/**
 * The way in which a session ended. `continued` means that pi keeps using the same session manager, so
 * no final record is saved. `exit` means that the process is exiting, so only synchronous work can be
 * completed.
 */
export type SessionEnd = "closed" | "continued" | "exit";

export class Shared {
	readonly ports: Readonly<Ports> = { ...ABSENT };
	readonly pi: Pick<ExtensionAPI, "appendEntry" | "getThinkingLevel">;
	/**
	 * This signal is aborted when the session ends. After that, pi's session objects throw errors, so
	 * asynchronous code must check the signal after each `await`.
	 */
	readonly over: AbortSignal;
	readonly starts: StartQueue;
	readonly #life = new AbortController();
	readonly #said = new Set<string>();

	constructor({ hasUI }: Pick<ExtensionContext, "hasUI">, pi: Shared["pi"]) {
		this.over = this.#life.signal;
		this.starts = new StartQueue(hasUI ? FIRST_PAINT_MS : FIRST_REQUEST_MS, this.over);
		this.pi = pi;
	}

	end(): void {
		this.#life.abort();
	}

	offer(ports: Partial<Ports>): void {
		for (const name of Object.keys(ports) as (keyof Ports)[])
			if (this.ports[name] !== ABSENT[name])
				throw new Error(`the functions of ${name} are already registered`);
		Object.assign(this.ports, ports);
	}

	sayOnce(key: string, say: () => void): void {
		if (!this.#said.has(key)) say();
		this.#said.add(key);
	}
}

const sessions = inProcess("sessions", () => new WeakMap<object, Shared>());

export function sharedIn(session: object): Shared | undefined {
	const shared = sessions.get(session);
	return shared?.over.aborted ? undefined : shared;
}

interface PartHandlers extends Omit<SessionHandlers, "opened" | "closed"> {
	opened(reason: StartReason, ctx: ExtensionContext, shared: Shared): unknown;
	closed?(how: SessionEnd): unknown;
}

interface OpenSession {
	ctx: ExtensionContext;
	shared: Shared;
	isReplaced(): boolean;
}

export type Hub = ReturnType<typeof createHub>;

const log = lazily(() => import("../log/index.ts"));

export function createHub(pi: Pick<ExtensionAPI, "on"> & Shared["pi"]) {
	let ui: ExtensionContext["ui"] | undefined;
	let over = AbortSignal.abort();
	let open: OpenSession | undefined;
	const parts: { name: string; handlers: PartHandlers }[] = [];

	const show = (name: string, bug: unknown): void => {
		const text = bugText(name, bug);
		if (!ui) process.stderr.write(`${text}\n`);
		// pi's UI object throws an error if it is used after the session has ended.
		else if (!over.aborted) ui.notify(text, "error");
	};
	/**
	 * Catches each extension's errors separately, so that a bug in one extension does not affect pi or the
	 * other extensions.
	 */
	const failed = (name: string, error: unknown): undefined => void reportBug(name, error);
	/** Returns a promise only if a handler returned a promise, so that pi does not wait unnecessarily. */
	const tell = (call: (handlers: PartHandlers) => unknown): Promise<unknown> | undefined => {
		const results = parts.map(({ name, handlers }) => {
			try {
				const result = call(handlers);
				return result instanceof Promise ? result.catch((error) => failed(name, error)) : result;
			} catch (error) {
				return failed(name, error);
			}
		});
		return results.some((result) => result instanceof Promise) ? Promise.all(results) : undefined;
	};
	/**
	 * Searches new entries for secrets in time slices, because a long search would block the interface.
	 */
	const search = async ({ ctx, shared }: OpenSession): Promise<void> => {
		const { hostSource, searchInSlices, walkBranch } = await log();
		if (!shared.over.aborted) await searchInSlices(walkBranch(hostSource(ctx.sessionManager)).entries);
	};

	const end = (how: SessionEnd) => {
		if (!open) return undefined;
		open.shared.end();
		open = undefined;
		process.off("exit", exiting);
		return tell((part) => part.closed?.(how));
	};
	// On SIGHUP, pi exits without a `session_shutdown` event.
	const exiting = () => void end("exit");

	new SessionFollower({
		opened(reason, ctx) {
			ui = ctx.hasUI ? ctx.ui : undefined;
			const { sessionManager: manager } = ctx;
			const id = manager.getSessionId();
			const shared = sharedIn(manager) ?? new Shared(ctx, pi);
			const now = { ctx, shared, isReplaced: () => manager.getSessionId() !== id };
			sessions.set(manager, shared);
			over = shared.over;
			open = now;
			process.once("exit", exiting);
			sendBugs({ show });
			// The search for secrets must start before any extension reads the session's entries.
			shared.starts.add(() => search(now), { folders: CORE });
			return tell((part) => part.opened(reason, ctx, shared));
		},
		closed: (isReload) => end(isReload || open?.isReplaced() ? "continued" : "closed"),
		runStarted: (started) => void tell((part) => part.runStarted?.(started)),
		turnEnded: (messages) => {
			// The error is only logged, because the same error is shown when the session is read again.
			if (open) search(open).catch((bug: unknown) => logBug("session-suite", bug));
			void tell((part) => part.turnEnded?.(messages));
		},
		settled: (outcome) => void tell((part) => part.settled?.(outcome)),
		submitted: () => void tell((part) => part.submitted?.()),
		moved: () => void tell((part) => part.moved?.()),
		renamed: () => void tell((part) => part.renamed?.()),
		dialog: (...dialog) => void tell((part) => part.dialog?.(...dialog)),
	}).listen(pi);

	return {
		get over(): AbortSignal {
			return over;
		},
		end,
		follow: (name: string, handlers: PartHandlers) => void parts.push({ name, handlers }),
	};
}

interface PartDeps<T> {
	name: string;
	folders: readonly URL[];
	load(): Promise<(ctx: ExtensionContext, shared: Shared) => T>;
}

const host = lazily(() => import("./host/index.ts"));

/**
 * Loads an extension for one open session after pi's first paint. In print and JSON mode, the extension is
 * loaded only while a command is running.
 */
export class SessionPart<T extends { start(): void; end(how: SessionEnd): void }> {
	readonly #deps: PartDeps<T>;
	#shared: Shared | undefined;
	#running: Deferred<T> | undefined;

	constructor(deps: PartDeps<T>) {
		this.#deps = deps;
	}

	get started(): T | undefined {
		return this.#shared?.over.aborted ? undefined : this.#running?.started;
	}

	open(ctx: ExtensionContext, shared: Shared, opened?: (part: T) => void): void {
		const { name, folders, load } = this.#deps;
		this.#shared = shared;
		if (!ctx.hasUI) return;
		this.#running = shared.starts.add(
			async () => {
				const create = await load();
				if (shared.over.aborted) return undefined;
				const part = create(ctx, shared);
				part.start();
				opened?.(part);
				return part;
			},
			{
				folders,
				failed: (why) => ctx.ui.notify(`${name}: cannot start (${why}). Reinstall the package.`, "warning"),
			},
		);
	}

	async loaded(): Promise<T | undefined> {
		await this.#running?.begin();
		return this.started;
	}

	run(
		ctx: ExtensionContext,
		work: (part: T) => Promise<void>,
		name = this.#deps.name,
	): Promise<void> | undefined {
		const shared = this.#shared;
		if (!shared) return undefined;
		if (!ctx.hasUI) return this.#print(ctx, shared, work);
		const act = async () => {
			const part = await this.loaded();
			if (part) await work(part);
		};
		return startWork(ctx, act, { name, over: shared.over });
	}

	close(how: SessionEnd): void {
		this.#running?.started?.end(how);
	}

	async #print(ctx: ExtensionContext, shared: Shared, work: (part: T) => Promise<void>): Promise<void> {
		const { printMode } = await host();
		const create = await this.#deps.load();
		const start = (printing: ExtensionContext) => {
			const part = create(printing, shared);
			part.start();
			return part;
		};
		await printMode(ctx, start, work);
	}
}

export type Extension = (pi: ExtensionAPI, hub: Hub) => void;

/**
 * Registers the extensions that no other copy of this package has registered. `entry` is the URL of this
 * copy's entry point.
 */
export function registerExtensions(
	pi: ExtensionAPI,
	entry: string,
	extensions: Readonly<Record<string, Extension>>,
): void {
	let hub: Hub | undefined;
	for (const name of claimExtensions(pi, entry, Object.keys(extensions))) {
		hub ??= createHub(pi);
		extensions[name]?.(pi, hub);
	}
}
