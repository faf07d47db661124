import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

export interface WorkOptions {
	/** The command, as its answers begin. */
	name: string;
	/** The session instance that it was typed in has ended: its host objects refuse everything then. */
	isOver(): boolean;
}

/**
 * Whether the session of this context has ended. The host still hands such a context to a command that is typed while it
 * replaces the session; any use of it throws, so the command has nobody to answer.
 */
export function isStale(ctx: Pick<ExtensionContext, "hasUI">): boolean {
	try {
		return ctx.hasUI === undefined;
	} catch {
		return true;
	}
}

/**
 * Start what a command's handler does. The handler itself returns at once: 0.73.1 throws away what is submitted while one
 * runs. Without a user nothing else would keep the process alive; there the work is waited for.
 */
export function startWork(
	ctx: Pick<ExtensionContext, "hasUI" | "ui">,
	work: () => Promise<void>,
	{ name, isOver }: WorkOptions,
): Promise<void> | undefined {
	if (isStale(ctx)) return undefined;
	const { hasUI, ui } = ctx;
	if (!hasUI) return work();
	work().catch((error: unknown) => {
		// The session was replaced under it: nobody waits for an answer there any more.
		if (isOver()) return;
		ui.notify(`${name}: failed (${whyOf(error)}).`, "error");
	});
	return undefined;
}

/** Time for the host to paint its first frames, in ms. Loading is work on the same thread, so it begins after that. */
export const FIRST_PAINT_MS = 100;

/** What starts a little later than its session. */
export interface Deferred<T> {
	/** What was started; undefined: not yet, or not at all. */
	readonly started: T | undefined;
	/** Start now, if it has not begun: for what cannot wait. Resolves once it has started, or could not. */
	begin(): Promise<void>;
	/** The session is over: nothing starts by itself any more. */
	end(): void;
}

export interface DeferredOptions {
	afterMs: number;
	/** It could not start, in one line; not called once the session is over. */
	failed?(why: string): void;
}

/** Start a part of an extension after the host's first paint. `isOver` turns true when the session ends meanwhile. */
export function startLater<T>(
	start: (isOver: () => boolean) => Promise<T | undefined>,
	{ afterMs, failed }: DeferredOptions,
): Deferred<T> {
	let started: T | undefined;
	let starting: Promise<void> | undefined;
	let isOver = false;
	const begin = (): Promise<void> => {
		clearTimeout(handle);
		starting ??= start(() => isOver).then(
			(result) => {
				started = result;
			},
			(error: unknown) => {
				if (!isOver) failed?.(whyOf(error));
			},
		);
		return starting;
	};
	const handle = setTimeout(begin, afterMs);
	return {
		get started() {
			return started;
		},
		begin,
		end() {
			isOver = true;
			clearTimeout(handle);
		},
	};
}

function whyOf(error: unknown): string {
	return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown error";
}
