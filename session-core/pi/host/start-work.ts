import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/** Increase this number if a kept value changes in a way that an older copy of the package would not understand. */
const VERSION = 3;

/**
 * Returns the value that is kept under a name in the global object, where all copies of this package can find it: the host loads the
 * modules again for every session, and extensions that are loaded separately have their own copies. Packages with another version do not
 * find the value.
 */
export function inProcess<T>(name: string, create: () => T): T {
	const key = Symbol.for(`pi-session-suite:${name}:${VERSION}`);
	const kept = globalThis as { [key]?: T };
	kept[key] ??= create();
	return kept[key];
}

/**
 * Returns a function that imports a module when it is needed. `load` is a plain `import()`; it must not wait for another lazy import.
 * Modules are imported one at a time, because newer hosts may return a module that is still being evaluated (seen on 0.87.1: an imported
 * binding was undefined), so two imports with common dependencies must not run at once. A module is resolved only once, because the loader
 * takes several milliseconds for that, even if the module is loaded.
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
	// A module that cannot be loaded does not prevent other modules from being loaded. Only its own importer receives the error.
	last = next.catch(() => undefined);
	return next;
}

/**
 * Recreates the loader's cache folder. The host keeps compiled code in `<temp>/jiti`, which it creates only when it starts. If the
 * temporary folder is cleaned while pi is open for days, no further module can be loaded (seen on 0.73.1). Returns true if the folder
 * exists again.
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

/** Matches relative imports that are not type-only. Text that only looks like an import names no module and is skipped. */
const IMPORT = /\b(?:import|export)\s*(?!\s|type\b)(?:[^"';]*?\bfrom\s*)?["'](\.[^"'\n]+)["']/g;

const preloaded = new Set<string>();

/** Imports a module and all its dependencies in idle time, one module at a time, so that the host never waits for more than one module. */
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
			// A module that cannot be loaded now is loaded, or its failure reported, when it is needed.
		}
	}

	await visit(module);
}

/**
 * Whether this context's session has ended. The host passes the context of an ended session to a command that is typed while the session is
 * being replaced. Any use of such a context throws, so the command cannot answer.
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
 * handler runs. If there is no user, the handler waits for the work, because nothing else would keep the process alive. `isOver`: whether
 * the session in which the command was typed has ended, so that nothing can be shown any more.
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
		if (!isOver()) ui.notify(`${name}: failed (${whyOf(error)}).`, "error");
	});
	return undefined;
}

export interface Deferred<T> {
	started: T | undefined;
	/** Starts the part now, unless starting has already begun. Resolves when the part has started or failed to start. */
	begin(): Promise<void>;
}

/** The parts of a session that start after a delay, one after another, so that the host can paint its first frames before code is loaded. */
export class StartQueue {
	/** Whether the session has ended. */
	isOver = false;
	#timer: NodeJS.Timeout | undefined;
	#last: Promise<void>;

	constructor(afterMs: number) {
		this.#last = new Promise((resolve) => {
			this.#timer = setTimeout(resolve, afterMs);
		});
	}

	/**
	 * Adds a part, which starts after those that were added before. `failed` gets a one-line reason unless the session has ended. `module`, which `start` imports, is preloaded in idle time,
	 * so that a key that is typed meanwhile waits for one module at most.
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
