import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { LeaseState } from "../sessions/live/index.ts";
import type { DoctorSection } from "./host/doctor.ts";
import { followSession, type SessionHandlers, type StartReason } from "./host/host-events.ts";
import { inProcess, lazily, StartQueue, whyOf } from "./host/start-work.ts";

/** What happens in a session that a command has just opened, for example `/resume-from`. */
export interface Continuation {
	/** The prompt to insert. If undefined, the session's first suggested next step is inserted; if empty, nothing is inserted. */
	prompt: string | undefined;
	send: boolean;
}

export interface ResumePort {
	/** Reports whether a card replaces the recap in a reopened session, and whether the card for this state is visible now. */
	claims(stamp: string): Promise<{ claimed: boolean; shown: boolean }>;
	noted(): void;
	/** Hides the card, because a recap is about to be shown. */
	giveWay(): void;
	/** Hides the card when the user types `/recap clear`. Returns false if no card was visible. */
	clear(): boolean;
	/** Inserts the prompt of a continuation, or sends the prompt if `send` is set. */
	goOn(continuation: Continuation): Promise<void>;
}

interface LivePort {
	/** Called when the terminal gains or loses the focus. In both cases, the user has just been looking at it. */
	focusReported(): void;
	/** Called when a model's note on the current state has arrived. The note may say that the agent is waiting for the user. */
	noted(): void;
	/** Called when this process has renamed the session, because hosts before 0.86 do not report this and overwrite the terminal's title. */
	renamed(): void;
}

interface TitlePort {
	/** Called when a model's note on the current state has arrived, or when it is certain that no note will arrive. */
	noted(): void;
}

interface RecapPort {
	/** Whether a note on the current state has been requested, or will be requested before the user returns. */
	isNoting(): boolean;
	/** Hides the recap, because a card is about to show the same state. */
	giveWay(stamp: string): void;
	/** Returns for how many more milliseconds the user counts as looking at the terminal, or 0 if nobody is looking. */
	looksForMs(): number;
}

/** For this number of milliseconds, no code is loaded, so that the host can paint its first frames on the same thread. */
const FIRST_PAINT_MS = 100;
/**
 * A headless run sends its first request within this number of milliseconds. Loading code after that delays nothing, because the model is
 * already working.
 */
const FIRST_REQUEST_MS = 200;

/** The state that the extensions share in one host session. Each extension sets its port when the session opens. */
export class Shared {
	resume: ResumePort | undefined;
	live: LivePort | undefined;
	recap: RecapPort | undefined;
	title: TitlePort | undefined;
	/** The functions that create the sections of `/recap doctor`. A function returns undefined if its extension has nothing to report. */
	readonly sections: (() => Promise<DoctorSection | undefined> | undefined)[] = [];
	readonly pi: Pick<ExtensionAPI, "appendEntry" | "getThinkingLevel">;
	/** Whether the session's file is damaged. Nothing is added to a damaged file automatically. session-resume sets this field. */
	isDamaged = false;
	/** What another process was doing in this session when this process opened it. Undefined as soon as a run starts in this process. */
	elsewhere: LeaseState | undefined;
	/** Automatic model calls wait until this promise resolves: the user then stays in a session that another process has open. */
	question: Promise<unknown> | undefined;
	/** The queue of parts that start after the host's first paint. */
	readonly starts: StartQueue;
	readonly #said = new Set<string>();

	constructor({ hasUI }: Pick<ExtensionContext, "hasUI">, pi: Shared["pi"]) {
		this.starts = new StartQueue(hasUI ? FIRST_PAINT_MS : FIRST_REQUEST_MS);
		this.pi = pi;
	}

	/** Shows a message only once, even if several extensions want to show it. `key` identifies the message. */
	sayOnce(key: string, say: () => void): void {
		if (!this.#said.has(key)) say();
		this.#said.add(key);
	}
}

/** The shared data of each open session, keyed by the host's session manager. */
const sessions = inProcess("sessions", () => new WeakMap<object, Shared>());

export function sharedIn(session: object): Shared | undefined {
	const shared = sessions.get(session);
	return shared?.starts.isOver ? undefined : shared;
}

interface PartHandlers extends Omit<SessionHandlers, "opened"> {
	opened(reason: StartReason, ctx: ExtensionContext, shared: Shared): unknown;
}

export type Hub = ReturnType<typeof createHub>;

const log = lazily(() => import("../log/index.ts"));
/** An error is ignored here, because the code that reads the session's state reports that the session cannot be read. */
const ignored = () => undefined;

/** Subscribes to the host's events once and passes them to the extensions, in the order in which the extensions joined. */
export function createHub(pi: Pick<ExtensionAPI, "on"> & Shared["pi"]) {
	let ui: ExtensionContext["ui"] | undefined;
	let shared: Shared | undefined;
	let open: ExtensionContext | undefined;
	const parts: { name: string; handlers: PartHandlers }[] = [];

	/** Reports an extension's error under the extension's name, so that the error affects neither the host nor the other extensions. */
	const failed = (name: string, error: unknown): undefined => {
		const text = `${name}: an unexpected error occurred (${whyOf(error)}). If it occurs again, please report it.`;
		if (!ui) process.stderr.write(`${text}\n`);
		// The host's UI throws an error if it is used after its session has ended.
		else if (shared?.starts.isOver === false) ui.notify(text, "error");
	};
	/** Calls one handler of each extension. Returns a promise only if at least one handler returns a promise. */
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
	/** Searches new entries for secrets in time slices, so that reading the session's state does not block the host. */
	const search = async (ctx: ExtensionContext): Promise<void> => {
		const { hostSource, searchInSlices, walkBranch } = await log();
		if (open === ctx) await searchInSlices(walkBranch(hostSource(ctx.sessionManager)).entries);
	};

	followSession(pi, {
		opened(reason, ctx) {
			ui = ctx.hasUI ? ctx.ui : undefined;
			const now = sharedIn(ctx.sessionManager) ?? new Shared(ctx, pi);
			sessions.set(ctx.sessionManager, now);
			shared = now;
			open = ctx;
			// The extensions read the session's state, so the search for secrets comes before them. The search's code is loaded only after the first
			// paint.
			now.starts.add(() => search(ctx), { module: new URL("./commons.ts", import.meta.url) });
			return tell((part) => part.opened(reason, ctx, now));
		},
		closed(reason) {
			shared?.starts.end();
			open = undefined;
			return tell((part) => part.closed(reason));
		},
		runStarted: (started) => void tell((part) => part.runStarted?.(started)),
		turnEnded: (messages) => {
			// The search for secrets usually ends before the next turn does. Otherwise, the code that reads the session's state completes the
			// search.
			if (open) search(open).catch(ignored);
			tell((part) => part.turnEnded?.(messages));
		},
		settled: (outcome) => void tell((part) => part.settled?.(outcome)),
		submitted: () => void tell((part) => part.submitted?.()),
		moved: () => void tell((part) => part.moved?.()),
		renamed: () => void tell((part) => part.renamed?.()),
		dialog: (...dialog) => void tell((part) => part.dialog?.(...dialog)),
	});

	return {
		/** Adds an extension, whose handlers are then called for the events of the host's session. */
		follow: (name: string, handlers: PartHandlers) => void parts.push({ name, handlers }),
	};
}

/** Copies of this package find each other on this channel of the host's event bus, so its name is the same in all versions. */
const COPIES = "pi-session-suite:copies";

/** Asks whether another copy has registered an extension. A copy that has done so sets `by` to the path of its own entry point. */
interface Query {
	extension: string;
	by?: string;
}

export type Extension = (pi: ExtensionAPI, hub: Hub) => void;

/**
 * Registers the extensions that no other copy of this package has registered. If two extensions registered the same flag, the host would
 * refuse to start. This would happen if both the suite and the separate package of one extension are installed. The copy that is loaded
 * first is used, whatever its version. `entry` is the URL of the entry point of this copy.
 */
export function registerExtensions(
	pi: ExtensionAPI,
	entry: string,
	extensions: Readonly<Record<string, Extension>>,
): void {
	const own = fileURLToPath(entry);
	let hub: Hub | undefined;
	const elsewhere: Query[] = [];
	for (const [extension, register] of Object.entries(extensions)) {
		const query: Query = { extension };
		pi.events.emit(COPIES, query);
		if (query.by !== undefined) {
			elsewhere.push(query);
			continue;
		}
		// When the host reloads its extensions, the event bus keeps its listeners, although some extensions may have been removed.
		const leave = pi.events.on(COPIES, (asked) => {
			const other = asked as Query;
			if (other.extension === extension) other.by ??= own;
		});
		pi.on("session_shutdown", leave);
		hub ??= createHub(pi);
		register(pi, hub);
	}
	const [first] = elsewhere;
	if (!first) return;
	const names = elsewhere.map(({ extension }) => extension).join(", ");
	const text = `${names}: another copy is already loaded from ${first.by}, so the copy in ${own} is off. Run pi list to see both, and pi remove <source> to remove one.`;
	let isSaid = false;
	pi.on("session_start", ({ reason }, { hasUI, ui }) => {
		// In RPC mode, pi 0.73.1 emits `session_start` twice.
		if (isSaid || (reason !== "startup" && reason !== "reload")) return;
		isSaid = true;
		if (hasUI) ui.notify(text, "warning");
		else process.stderr.write(`${text}\n`);
	});
}
