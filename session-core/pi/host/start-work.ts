import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { bugText, logBug } from "../../text/background.ts";

/**
 * Increase this version if the shape of a shared value changes in a way that older copies of the package
 * would not understand.
 */
const VERSION = 5;

/** Shared values are global, because pi loads this package's modules again for every session. */
export function inProcess<T>(name: string, create: () => T): T {
	const key = Symbol.for(`pi-session-suite:${name}:${VERSION}`);
	const kept = globalThis as { [key]?: T };
	kept[key] ??= create();
	return kept[key];
}

/**
 * Imports modules one at a time, because pi 0.87.1 may return a module that is still being evaluated.
 * `load` must not wait for another import of this kind, because that would cause a deadlock.
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
		.then(() => {
			if (HAS_CACHE) createFolder(COMPILE_CACHE);
			return load();
		})
		.catch((error: unknown) => (recreateCache(error) ? load() : Promise.reject(error)));
	last = next.catch(() => undefined);
	return next;
}

/**
 * pi creates its compile cache only at startup. While the folder does not exist, no module can be loaded.
 * A module that imports the module that failed stays broken until pi restarts, so the folder is created
 * before each import.
 */
const COMPILE_CACHE = join(tmpdir(), "jiti");
const HAS_CACHE = existsSync(COMPILE_CACHE);

function recreateCache(error: unknown): boolean {
	const { code, path }: { code?: unknown; path?: unknown } = Object(error);
	const [, folder] = /^(.*[\\/]jiti)[\\/][^\\/]*$/.exec(String(path)) ?? [];
	return code === "ENOENT" && folder !== undefined && createFolder(folder);
}

function createFolder(folder: string): boolean {
	try {
		mkdirSync(folder, { recursive: true });
		return true;
	} catch {
		return false;
	}
}

/**
 * The folders of session-core. Each folder imports only from itself and from folders that precede it in
 * this list.
 */
export const CORE_FOLDERS = [
	...["text/files", "text/secrets", "text", "log", "log/timeline", "settings", "recap"],
	...["sessions/live", "sessions/search", "sessions", "pi/host", "pi/model", "pi"],
];
export const CORE = CORE_FOLDERS.map((name) => new URL(`../../../session-core/${name}/`, import.meta.url));

const MODULE = /(?<!\.test|\.test-support)\.(?:ts|mjs)$/;

/**
 * Imports all modules in the given folders one at a time, so that a key press never waits for more than
 * one import.
 */
export async function preload(folders: readonly URL[], isOver: () => boolean): Promise<void> {
	for (const path of folders.flatMap(modulesIn)) {
		await new Promise((resolve) => setImmediate(resolve));
		if (isOver()) return;
		// A failed preload is ignored, because the module is imported again when needed.
		await inTurn(() => import(path)).catch(() => undefined);
	}
}

/** Returns no modules if the extension was bundled into one file, because the folder is missing then. */
function modulesIn(folder: URL): string[] {
	const path = fileURLToPath(folder);
	if (!existsSync(path)) return [];
	return readdirSync(path).flatMap((name) => (MODULE.test(name) ? [join(path, name)] : []));
}

/**
 * If the user types a command while pi is replacing the session, the command receives the old session's
 * context, which throws an error on any use.
 */
export function isStale(ctx: Pick<ExtensionContext, "hasUI">): boolean {
	try {
		return ctx.hasUI === undefined;
	} catch {
		return true;
	}
}

/**
 * In interactive and RPC mode, does not wait for `work`, because pi 0.73.1 drops input that is
 * submitted while a command handler is running. In print and JSON mode, returns a promise, because
 * nothing else keeps the process alive.
 */
export function startWork(
	ctx: Pick<ExtensionContext, "hasUI" | "ui">,
	work: () => Promise<void>,
	{ name, over }: { name: string; over: AbortSignal },
): Promise<void> | undefined {
	const { hasUI, ui } = ctx;
	if (!hasUI) return work();
	work().catch((error: unknown) => {
		logBug(name, error);
		if (!over.aborted) ui.notify(bugText(name, error), "error");
	});
	return undefined;
}

export interface Deferred<T> {
	started: T | undefined;
	begin(): Promise<void>;
}

export class StartQueue {
	readonly #afterMs: number;
	readonly #over: AbortSignal;
	#last: Promise<void> | undefined;

	/** `afterMs` is the delay in milliseconds, counted from the first call to `add`. */
	constructor(afterMs: number, over: AbortSignal) {
		this.#afterMs = afterMs;
		this.#over = over;
	}

	add<T>(
		start: () => Promise<T | undefined>,
		{ folders, failed }: { folders?: readonly URL[]; failed?: (why: string) => void } = {},
	): Deferred<T> {
		const over = this.#over;
		let starting: Promise<void> | undefined;
		const begin = async (): Promise<void> => {
			try {
				part.started = await start();
			} catch (error) {
				if (!over.aborted) failed?.(error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "");
			}
		};
		const part: Deferred<T> = {
			started: undefined,
			begin() {
				starting ??= begin();
				return starting;
			},
		};
		this.#last ??= new Promise((resolve) => {
			const timer = setTimeout(resolve, this.#afterMs);
			over.addEventListener("abort", () => clearTimeout(timer), { once: true });
		});
		this.#last = this.#last.then(async () => {
			if (folders) await preload(folders, () => over.aborted || starting !== undefined);
			if (!over.aborted) await part.begin();
		});
		return part;
	}
}

/**
 * If there is no user, the text is written to stderr, because stdout is reserved for the run's
 * output.
 */
export function warn({ hasUI, ui }: Pick<ExtensionContext, "hasUI" | "ui">, text: string): void {
	if (hasUI) ui.notify(text, "warning");
	else process.stderr.write(`${text}\n`);
}
