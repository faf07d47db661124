import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { LeaseState } from "../sessions/live/index.ts";
import type { DoctorSection } from "./host/doctor.ts";
import { followSession, type SessionHandlers, type StartReason } from "./host/host-events.ts";
import { inProcess, lazily, StartQueue, whyOf } from "./host/start-work.ts";

/** How a session continues after a command has opened it. */
export interface Continuation {
	/** The prompt to insert. If undefined, the first of the session's own next steps is inserted. If empty, nothing is inserted. */
	prompt: string | undefined;
	send: boolean;
}

export interface ResumePort {
	/** Whether a card replaces the recap in a reopened session, and whether the card for this state is on the screen. */
	claims(stamp: string): Promise<{ claimed: boolean; shown: boolean }>;
	noted(): void;
	/** Hides the card, because a recap is shown. */
	giveWay(): void;
	/** Hides the card for `/recap clear`. Returns false if there was no card. */
	clear(): boolean;
	/** Continues in this session, which a command has opened. */
	goOn(continuation: Continuation): Promise<void>;
}

interface LivePort {
	/** The terminal has gained or lost the focus. In both cases, the user has just been looking at it. */
	focusReported(): void;
	/** A model's note on the current state has arrived, and may say whether the agent is waiting for the user. */
	noted(): void;
	/**
	 * The session was renamed here. Hosts before 0.86 do not report that a session was renamed, and they overwrite the terminal's title.
	 */
	renamed(): void;
}

interface TitlePort {
	/** A model's note on the current state has arrived, or no note will arrive. */
	noted(): void;
}

interface RecapPort {
	/** Whether a note on the current state has been requested, or will be before the user is back. */
	isNoting(): boolean;
	/** Hides the recap, because a card shows the same state. */
	giveWay(stamp: string): void;
	/** Returns the number of milliseconds for which the user still counts as looking at the terminal; 0 if nobody is looking. */
	looksForMs(): number;
}

/** Milliseconds in which the host can paint its first frames. Loading uses the same thread, so it begins only after this delay. */
const FIRST_PAINT_MS = 100;
/**
 * Milliseconds within which a headless run sends its first request. After that, loading delays nothing, because the model is already
 * working.
 */
const FIRST_REQUEST_MS = 200;

/** What the extensions share in one host session. An extension sets its port when the session opens. */
export class Shared {
	resume: ResumePort | undefined;
	live: LivePort | undefined;
	recap: RecapPort | undefined;
	title: TitlePort | undefined;
	/** One function for each section of `/recap doctor`. A function returns undefined if its extension has nothing to report. */
	readonly sections: (() => Promise<DoctorSection | undefined> | undefined)[] = [];
	readonly pi: Pick<ExtensionAPI, "appendEntry" | "getThinkingLevel">;
	/** Whether the session's file is damaged, in which case nothing is added to it automatically. session-resume sets this. */
	isDamaged = false;
	/** What another process was doing in this session when the session was opened here; undefined once a run has started here. */
	elsewhere: LeaseState | undefined;
	/** Resolves when the user has decided to stay in a session that another process has open. Automatic model calls wait for it. */
	question: Promise<unknown> | undefined;
	/** The parts that start after the host's first paint. */
	readonly starts: StartQueue;
	readonly #said = new Set<string>();

	constructor({ hasUI }: Pick<ExtensionContext, "hasUI">, pi: Shared["pi"]) {
		this.starts = new StartQueue(hasUI ? FIRST_PAINT_MS : FIRST_REQUEST_MS);
		this.pi = pi;
	}

	/** Shows a message once, even if several extensions want to show it. `key` identifies the message. */
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
/** If the session cannot be read, the function that reads its state reports it. */
const ignored = () => undefined;

/** Subscribes to the host's events once, and passes them to the extensions in the order in which they joined. */
export function createHub(pi: Pick<ExtensionAPI, "on"> & Shared["pi"]) {
	let ui: ExtensionContext["ui"] | undefined;
	let shared: Shared | undefined;
	let open: ExtensionContext | undefined;
	const parts: { name: string; handlers: PartHandlers }[] = [];

	/** A fault in one extension is reported under its name, and reaches neither the host nor the other extensions. */
	const failed = (name: string, error: unknown): undefined => {
		const text = `${name}: failed (${whyOf(error)}).`;
		if (!ui) process.stderr.write(`${text}\n`);
		// The UI throws if it is used after its session has ended.
		else if (shared?.starts.isOver === false) ui.notify(text, "error");
	};
	/** Calls a handler of each extension. Returns a promise only if there is something to wait for. */
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
	/** Searches new entries for secrets in time slices, so that reading the state does not block. */
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
			// The search for secrets runs before the extensions start, because they read the state. The code of the search is loaded only
			// after the first paint.
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
			// The search usually ends before the next turn does. If the search is still in progress, reading the state completes it.
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
		/** Follows the host's session on behalf of an extension. */
		follow: (name: string, handlers: PartHandlers) => void parts.push({ name, handlers }),
	};
}

/** The channel of the host's event bus on which copies of this package find each other. The channel's name is the same in all versions. */
const COPIES = "pi-session-suite:copies";

/**
 * Asks whether an extension is already registered. The copy that has registered the extension sets `by` to the path of its own entry point.
 */
interface Query {
	extension: string;
	by?: string;
}

export type Extension = (pi: ExtensionAPI, hub: Hub) => void;

/**
 * Registers the extensions that no other copy of this package has registered. The host refuses to start if two extensions register the same
 * flag, which would happen if the suite and a separate package of one of its extensions are both installed. If there are two copies of an
 * extension, the copy that is loaded first is used, regardless of the versions. `entry`: the URL of the copy's entry point.
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
		// The event bus outlives the session if the host reloads its extensions, some of which may have been removed.
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
		// pi 0.73.1 reports the start twice in RPC mode.
		if (isSaid || (reason !== "startup" && reason !== "reload")) return;
		isSaid = true;
		if (hasUI) ui.notify(text, "warning");
		else process.stderr.write(`${text}\n`);
	});
}
