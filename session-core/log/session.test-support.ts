import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { unlikelyName } from "../../test/support/random.ts";

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
