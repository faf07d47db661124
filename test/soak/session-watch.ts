import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sessionsRoot } from "../../session-core/catalog/folders.ts";
import type { Sandbox } from "../host/sandbox.ts";
import { placesNow } from "./trash.ts";

interface Seen {
	/** Size and time when it was last read. */
	stamp: string;
	lines: Set<string>;
}

/** Remembers every complete line of all session files. None may disappear. */
export class SessionWatch {
	readonly #sandbox: Pick<Sandbox, "root" | "agentDir">;
	readonly #root: string;
	readonly #seen = new Map<string, Seen>();

	constructor(sandbox: Pick<Sandbox, "root" | "agentDir">) {
		this.#sandbox = sandbox;
		this.#root = sessionsRoot(sandbox.agentDir);
	}

	get lines(): number {
		return [...this.#seen.values()].reduce((sum, { lines }) => sum + lines.size, 0);
	}

	/** Reads new lines. Returns faults for missing ones. */
	look(): string[] {
		return [...new Set([...this.files(), ...this.#seen.keys()])].flatMap((path) => this.#lookAt(path));
	}

	#lookAt(path: string): string[] {
		const places = placesNow(path, this.#sandbox);
		if (places.length === 0) return [`the whole of ${path}`];
		const stamp = places
			.map((place) => statSync(place))
			.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`)
			.join(" ");
		const before = this.#seen.get(path);
		if (before?.stamp === stamp) return [];
		// The text after the last newline may be an incomplete line.
		const lines = new Set(places.flatMap((place) => readFileSync(place, "utf8").split("\n").slice(0, -1)));
		this.#seen.set(path, { stamp, lines });
		const gone = [...(before?.lines ?? [])].filter((line) => !lines.has(line));
		return gone.map((line) => `lost from ${places.join(" and ")}: ${line.slice(0, 200)}`);
	}

	/** All session files of all projects. A fork is created in a hidden folder first, which does not count. */
	files(): string[] {
		return readdirSync(this.#root, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".jsonl") && !/(?:^|[/\\])\./.test(name))
			.map((name) => join(this.#root, name));
	}
}
