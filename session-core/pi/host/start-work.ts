import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/** Increase this number if a value's shape changes in a way that an older copy of the package would not understand. */
const VERSION = 3;

/**
 * Returns the value with this name in the global object. All copies of this package find the value there: the host loads the modules again
 * for every session, and extensions that are loaded separately have their own copies. A package with another version number does not find
 * the value.
 */
export function inProcess<T>(name: string, create: () => T): T {
	const key = Symbol.for(`pi-session-suite:${name}:${VERSION}`);
	const kept = globalThis as { [key]?: T };
	kept[key] ??= create();
	return kept[key];
}

/**
 * Returns a function that imports a module when the function is first called. `load` must be a plain `import()` that does not wait for
 * another lazy import. Modules are imported one at a time, because newer hosts may return a module that is still being evaluated (on
 * 0.87.1, an imported binding was undefined). The module is resolved only once, because the loader needs several milliseconds for that,
 * even if the module is loaded.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
	let module: Promise<T> | undefined;
	return () => {
		module ??= inTurn(load).catch((error: unknown) => {
			module = undefined;
			throw error;
		});
		return module;
	};
}

let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(load: () => Promise<T>): Promise<T> {
	const next = last
		.then(load)
		.catch((error: unknown) => (recreateCache(error) ? load() : Promise.reject(error)));
	// If a module cannot be loaded, only the code that imported it receives the error, and other modules can still be loaded.
	last = next.catch(() => undefined);
	return next;
}

/**
 * Recreates the loader's cache folder. The host keeps compiled code in `<temp>/jiti` and creates that folder only at startup. If the
 * temporary folder is cleaned while pi is running, no more modules can be loaded (seen on 0.73.1). Returns true if the folder exists again.
 */
function recreateCache(error: unknown): boolean {
	const { code, path }: { code?: unknown; path?: unknown } = Object(error);
	const [, folder] = /^(.*[\\/]jiti)[\\/][^\\/]*$/.exec(String(path)) ?? [];
	if (code !== "ENOENT" || folder === undefined) return false;
	try {
		mkdirSync(folder, { recursive: true });
		return true;
	} catch {
		return false;
	}
}

/** Matches relative imports, except for type imports. Other text that looks like an import does no harm, because no such module exists. */
const IMPORT = /\b(?:import|export)\s*(?!\s|type\b)(?:[^"';]*?\bfrom\s*)?["'](\.[^"'\n]+)["']/g;

const preloaded = new Set<string>();

/** Imports a module and its dependencies in idle time, one module at a time, so that the host waits for one module at most. */
export async function preload(module: URL, isOver: () => boolean): Promise<void> {
	async function visit(url: URL): Promise<void> {
		if (isOver() || preloaded.has(url.href)) return;
		preloaded.add(url.href);
		const path = fileURLToPath(url);
		try {
			for (const [, name] of readFileSync(path, "utf8").matchAll(IMPORT))
				if (name) await visit(new URL(name, url));
			await new Promise((resolve) => setImmediate(resolve));
			if (!isOver()) await lazily(() => import(path))();
		} catch {
			// The module is imported again when it is needed. If that also fails, the failure is reported.
		}
	}

	await visit(module);
}

/**
 * Whether the context belongs to a session that has ended. If the user types a command while the session is being replaced, the host passes
 * this context to the command. Any use of the context throws, so the command cannot show an answer.
 */
export function isStale(ctx: Pick<ExtensionContext, "hasUI">): boolean {
	try {
		return ctx.hasUI === undefined;
	} catch {
		return true;
	}
}

/**
 * Starts the work of a command handler. The handler returns immediately, because pi 0.73.1 drops everything that is submitted while a
 * handler is running. Without a user, the handler waits for the work, because nothing else keeps the process alive. `isOver` returns true
 * if the session in which the command was typed has ended; nothing can be shown after that.
 */
export function startWork(
	ctx: Pick<ExtensionContext, "hasUI" | "ui">,
	work: () => Promise<void>,
	{ name, isOver }: { name: string; isOver(): boolean },
): Promise<void> | undefined {
	if (isStale(ctx)) return undefined;
	const { hasUI, ui } = ctx;
	if (!hasUI) return work();
	work().catch((error: unknown) => {
		if (!isOver())
			ui.notify(
				`${name}: an unexpected error occurred (${whyOf(error)}). If it occurs again, please report it.`,
				"error",
			);
	});
	return undefined;
}

export interface Deferred<T> {
	started: T | undefined;
	/** Starts the part immediately, unless it has already begun to start. Resolves when the part has started or has failed to start. */
	begin(): Promise<void>;
}

/** Starts the parts of a session one after another after a delay, so that the host can paint its first frames before it loads code. */
export class StartQueue {
	isOver = false;
	#timer: NodeJS.Timeout | undefined;
	#last: Promise<void>;

	constructor(afterMs: number) {
		this.#last = new Promise((resolve) => {
			this.#timer = setTimeout(resolve, afterMs);
		});
	}

	/**
	 * Adds a part that starts when all parts added before it have started. If starting fails, `failed` is called with a one-line reason,
	 * unless the session has ended. `module`, which `start` imports, is preloaded in idle time, so that a key that the user presses meanwhile
	 * waits for one module at most.
	 */
	add<T>(
		start: (isOver: () => boolean) => Promise<T | undefined>,
		{ module, failed }: { module?: URL; failed?: (why: string) => void } = {},
	): Deferred<T> {
		let starting: Promise<void> | undefined;
		const begin = async (): Promise<void> => {
			try {
				part.started = await start(() => this.isOver);
			} catch (error) {
				if (!this.isOver) failed?.(whyOf(error));
			}
		};
		const part: Deferred<T> = {
			started: undefined,
			begin() {
				starting ??= begin();
				return starting;
			},
		};
		this.#last = this.#last.then(async () => {
			if (module) await preload(module, () => this.isOver || starting !== undefined);
			if (!this.isOver) await part.begin();
		});
		return part;
	}

	end(): void {
		this.isOver = true;
		clearTimeout(this.#timer);
	}
}

export function whyOf(error: unknown): string {
	return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown error";
}
