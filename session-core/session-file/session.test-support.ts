import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";

/** A folder of its own for each test, gone afterwards. */
export function useTemporaryFolder(): () => string {
	let folder: string | undefined;
	afterEach(() => {
		if (folder) rmSync(folder, { recursive: true, force: true });
		folder = undefined;
	});
	return () => {
		folder ??= mkdtempSync(join(tmpdir(), "session-store-"));
		return folder;
	};
}

/** Writes a file, with the folders on its way. */
export function put(path: string, content: string | Buffer): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

export const START = Date.UTC(2026, 0, 31, 12);

export interface HeaderFields {
	id?: string;
	version?: number;
	cwd?: string;
	timestamp?: string;
	parentSession?: string;
}

/** Lines of a session as the host writes them: each entry the child of the one before. */
export class SessionText {
	readonly lines: string[] = [];
	readonly ids: string[] = [];
	#parent: string | null = null;

	constructor(header: HeaderFields = {}) {
		this.raw({
			type: "session",
			version: 3,
			id: "s-1",
			timestamp: this.#time(),
			cwd: "/code/app",
			...header,
		});
	}

	entry(type: string, fields: Record<string, unknown> = {}): this {
		const id = `e${this.ids.length.toString(16).padStart(7, "0")}`;
		this.raw({ type, id, parentId: this.#parent, timestamp: this.#time(), ...fields });
		this.ids.push(id);
		this.#parent = id;
		return this;
	}

	user(text: string): this {
		return this.entry("message", { message: { role: "user", content: [{ type: "text", text }] } });
	}

	assistant(text: string, fields: Record<string, unknown> = {}): this {
		const content = [{ type: "text", text }];
		const message = {
			role: "assistant",
			content,
			provider: "acme",
			model: "m-1",
			stopReason: "stop",
			usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
			...fields,
		};
		return this.entry("message", { message });
	}

	name(name: string): this {
		return this.entry("session_info", { name });
	}

	title(title: string, source: "auto" | "manual"): this {
		return this.entry("custom", { customType: "session-suite:title", data: { title, source } });
	}

	/** Tool output of about this many bytes, none of which matters. */
	padding(bytes: number): this {
		const content = [{ type: "text", text: "x ".repeat(bytes / 2) }];
		return this.entry("message", {
			message: { role: "toolResult", toolCallId: "c", toolName: "bash", content },
		});
	}

	raw(object: unknown): this {
		this.lines.push(JSON.stringify(object));
		return this;
	}

	toString(): string {
		return `${this.lines.join("\n")}\n`;
	}

	#time(): string {
		return new Date(START + this.lines.length * 1_000).toISOString();
	}
}

/** Everything that a listing or a search gives, in order. */
export async function all<T>(results: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const result of results) list.push(result);
	return list;
}
