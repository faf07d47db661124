import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder, sessionsRoot } from "../../session-core/catalog/folders.ts";
import { LeaseHolder, type LeaseState } from "../../session-core/live/lease-files.ts";

/** A temporary agent folder. */
export class AgentFolder {
	readonly path = mkdtempSync(join(tmpdir(), "pi-sessions-serve-"));

	/** Writes a session file into the folder of `cwd`; returns its path. `at`: modification time. */
	put(id: string, text: string, { cwd = "/code/app", at }: { cwd?: string; at?: Date } = {}): string {
		const folder = projectFolder(sessionsRoot(this.path), cwd);
		mkdirSync(folder, { recursive: true });
		const path = join(folder, `2026-03-12T14-00-00-000Z_${id}.jsonl`);
		writeFileSync(path, text);
		if (at) utimesSync(path, at, at);
		return path;
	}

	/** Claims a session, as a pi that has it open does. */
	claim(sessionId: string, state: LeaseState, since = Date.now(), sessionFile?: string): LeaseHolder {
		const holder = new LeaseHolder(this.path, { sessionId, sessionFile }, state, since);
		holder.claim();
		return holder;
	}

	remove(): void {
		rmSync(this.path, { recursive: true, force: true });
	}
}
