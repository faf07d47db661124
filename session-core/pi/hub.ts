import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Shared } from "./commons.ts";
import { followSession, type SessionHandlers, type StartReason } from "./host/host-events.ts";
import { createStartQueue, inProcess, lazily, whyOf } from "./host/start-work.ts";

export type { ResumePort, Shared } from "./commons.ts";

export type Extension = (pi: ExtensionAPI, hub: Hub) => void;

/** The channel of the host's event bus on which copies of this package find each other. The channel's name is the same in all versions. */
const COPIES = "pi-session-suite:copies";

/**
 * Asks whether an extension is already registered. The copy that has registered the extension sets `by` to the path of its own entry point.
 */
interface Query {
	extension: string;
	by?: string;
}

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
	let hub: Hub | undefined;
	const elsewhere: Required<Query>[] = [];
	for (const [name, register] of Object.entries(extensions)) {
		const query: Query = { extension: name };
		pi.events.emit(COPIES, query);
		const { by } = query;
		if (by !== undefined) {
			elsewhere.push({ extension: name, by });
			continue;
		}
		// The event bus outlives the session if the host reloads its extensions, some of which may have been removed.
		const leave = pi.events.on(COPIES, (asked) => {
			const other = asked as Query;
			if (other.extension === name) other.by ??= fileURLToPath(entry);
		});
		pi.on("session_shutdown", leave);
		hub ??= createHub(pi);
		register(pi, hub);
	}
	const [first] = elsewhere;
	if (!first) return;
	let isSaid = false;
	pi.on("session_start", ({ reason }, { hasUI, ui }) => {
		// pi 0.73.1 reports the start twice in RPC mode.
		if (isSaid || (reason !== "startup" && reason !== "reload")) return;
		isSaid = true;
		const names = elsewhere.map(({ extension }) => extension).join(", ");
		const text = `${names}: another copy is already loaded from ${first.by}, so the copy in ${fileURLToPath(entry)} is off. Run pi list to see both, and pi remove <source> to remove one.`;
		if (hasUI) ui.notify(text, "warning");
		else process.stderr.write(`${text}\n`);
	});
}

interface PartHandlers extends Omit<SessionHandlers, "opened"> {
	opened(reason: StartReason, ctx: ExtensionContext, shared: Shared): unknown;
}

export type Hub = ReturnType<typeof createHub>;

const commons = lazily(() => import("./commons.ts"));
/** If a module cannot be loaded, the extension that needs it reports the failure. */
const ignored = () => undefined;

/** Subscribes to the host's events once, and passes them to the extensions in the order in which they joined. */
export function createHub(pi: Pick<ExtensionAPI, "on"> & Shared["pi"]) {
	let ui: ExtensionContext["ui"] | undefined;
	let shared: Shared | undefined;

	const parts: { name: string; handlers: PartHandlers }[] = [];
	/** A fault in one extension is reported under its name, and reaches neither the host nor the other extensions. */
	const failed = (name: string, error: unknown): undefined => {
		const text = `${name}: failed (${whyOf(error)}).`;
		if (!ui) process.stderr.write(`${text}\n`);
		// The UI throws if it is used after its session has ended.
		else if (shared?.isOver === false) ui.notify(text, "error");
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
	let open: ExtensionContext | undefined;
	const search = async (ctx: ExtensionContext): Promise<void> => {
		const { searchBranch } = await commons();
		if (open === ctx) await searchBranch(ctx);
	};

	followSession(pi, {
		opened(reason, ctx) {
			ui = ctx.hasUI ? ctx.ui : undefined;
			const now = shareSession(ctx, pi);
			shared = now;
			open = ctx;
			// The search for secrets runs before the extensions start, because they read the state. The code of the search is loaded only
			// after the first paint.
			now.starts.add(() => search(ctx), { module: new URL("./commons.ts", import.meta.url) });
			return tell((part) => part.opened(reason, ctx, now));
		},
		closed(reason) {
			shared?.end();
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

/** The shared data of each open session, keyed by the host's session manager. */
const sessions = inProcess("sessions", () => new WeakMap<object, Shared>());

/** Milliseconds in which the host can paint its first frames. Loading uses the same thread, so it begins only after this delay. */
const FIRST_PAINT_MS = 100;
/**
 * Milliseconds within which a headless run sends its first request. After that, loading delays nothing, because the model is already
 * working.
 */
const FIRST_REQUEST_MS = 200;

export function sharedIn(session: object): Shared | undefined {
	const shared = sessions.get(session);
	return shared?.isOver ? undefined : shared;
}

function shareSession(
	{ sessionManager, hasUI }: { sessionManager: object; hasUI: boolean },
	pi: Shared["pi"],
): Shared {
	const known = sharedIn(sessionManager);
	if (known) return known;
	const shared = createShared(hasUI ? FIRST_PAINT_MS : FIRST_REQUEST_MS, pi);
	sessions.set(sessionManager, shared);
	return shared;
}

function createShared(startAfterMs: number, pi: Shared["pi"]): Shared {
	const said = new Set<string>();
	const starts = createStartQueue(startAfterMs);
	let isOver = false;
	return {
		resume: undefined,
		live: undefined,
		recap: undefined,
		title: undefined,
		commons: undefined,
		pi,
		isDamaged: false,
		elsewhere: undefined,
		question: undefined,
		sections: [],
		starts,
		sayOnce(key, say) {
			if (said.has(key)) return;
			said.add(key);
			say();
		},
		get isOver() {
			return isOver;
		},
		end() {
			isOver = true;
			starts.end();
		},
	};
}
