import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sessionsRoot } from "../../session-core/store/folders.ts";

interface Seen {
	/** Size and time of the last look: an unchanged file is not read again. */
	stamp: string;
	lines: Set<string>;
}

/** Remembers every whole line that ever stood in a session file: none may ever be gone. */
export class SessionWatch {
	readonly #root: string;
	readonly #seen = new Map<string, Seen>();

	constructor(agentDir: string) {
		this.#root = sessionsRoot(agentDir);
	}

	get lines(): number {
		return [...this.#seen.values()].reduce((sum, { lines }) => sum + lines.size, 0);
	}

	/** Takes in what was written since; says what is gone. */
	look(): string[] {
		const lost: string[] = [];
		for (const path of this.files()) {
			const { size, mtimeMs } = statSync(path);
			const stamp = `${size} ${mtimeMs}`;
			const before = this.#seen.get(path);
			if (before?.stamp === stamp) continue;
			// What stands after the last newline may be a line that is being written.
			const lines = new Set(readFileSync(path, "utf8").split("\n").slice(0, -1));
			for (const line of before?.lines ?? []) {
				if (!lines.has(line)) lost.push(`lost from ${path}: ${line.slice(0, 200)}`);
			}
			this.#seen.set(path, { stamp, lines });
		}
		for (const path of this.#seen.keys()) if (!existsSync(path)) lost.push(`the whole of ${path}`);
		return lost;
	}

	/** Every session file of every project. A fork is made in a hidden folder first: that is none yet. */
	files(): string[] {
		return readdirSync(this.#root, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".jsonl") && !/(?:^|[/\\])\./.test(name))
			.map((name) => join(this.#root, name));
	}
}
