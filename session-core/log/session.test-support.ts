import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { unlikelyName } from "../../test/support/random.ts";
import type { Entry, SessionSource } from "./entry.ts";

export { SessionText, START } from "./session-text.test-support.ts";

/** Gives each test its own folder, which is removed afterwards. */
export function useTemporaryFolder(): () => string {
	let folder: string | undefined;
	afterEach(() => {
		if (folder) rmSync(folder, { recursive: true, force: true });
		folder = undefined;
	});
	return () => {
		if (folder === undefined) {
			folder = join(tmpdir(), `test-${unlikelyName()}`);
			mkdirSync(folder, { mode: 0o700 });
		}
		return folder;
	};
}

/** Writes a file and creates its parent folders. */
export function put(path: string, content: string | Buffer): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

/** Collects everything that a listing or a search yields, in order. */
export async function all<T>(results: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const result of results) list.push(result);
	return list;
}

const REPLY = { role: "assistant", content: [], usage: { input: 1, output: 1, cost: { total: 0 } } };

/** The lines of a session in the first version of the format, whose entries have no ids. */
export const VERSION_1 = [
	{
		type: "session",
		id: "v1",
		timestamp: "2025-11-01T10:00:00Z",
		cwd: "/code",
		provider: "acme",
		modelId: "m",
	},
	{ type: "message", timestamp: "2025-11-01T10:00:01Z", message: { role: "user", content: "Fix it" } },
	{ type: "message", timestamp: "2025-11-01T10:00:02Z", message: REPLY },
].map((line) => JSON.stringify(line));

/** A source over entries in file order. Their leaf is the last entry. */
export function sourceOf(entries: readonly Entry[]): SessionSource {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	return {
		getLeafEntry: () => entries.at(-1),
		getEntry: (id) => byId.get(id),
		getEntries: () => [...entries],
	};
}
