import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { Tokens } from "../../bin/serve/guard.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../bin/serve/server.ts";
import { projectFolder, sessionsRoot } from "../../session-core/sessions/folders.ts";
import { LeaseHolder } from "../../session-core/sessions/live/lease-files.ts";
import type { LeaseState } from "../../session-core/sessions/live/liveness.mjs";

export class AgentFolder {
	readonly path: string;

	constructor(path = mkdtempSync(join(tmpdir(), "pi-sessions-serve-"))) {
		this.path = path;
	}

	/** Writes a session file into the folder of `cwd`; returns its path. `at`: modification time. */
	put(id: string, text: string, { cwd = "/code/app", at }: { cwd?: string; at?: Date } = {}): string {
		const folder = projectFolder(sessionsRoot(this.path), cwd);
		mkdirSync(folder, { recursive: true });
		const path = join(folder, `2026-03-12T14-00-00-000Z_${id}.jsonl`);
		writeFileSync(path, text);
		if (at) utimesSync(path, at, at);
		return path;
	}

	claim(sessionId: string, state: LeaseState, since = Date.now(), sessionFile?: string): LeaseHolder {
		const file = sessionFile === undefined ? {} : { sessionFile };
		const holder = new LeaseHolder(this.path, { sessionId, ...file }, state, since);
		holder.claim();
		return holder;
	}

	remove(): void {
		rmSync(this.path, { recursive: true, force: true });
	}
}

/** Starts a server for an agent folder on a free port of loopback. The caller closes it. */
export async function serveFolder(
	agentDir: string,
	options: Partial<ServerOptions> = {},
): Promise<{ server: RunningServer; tokens: Tokens }> {
	const loopback = { port: 0, address: "127.0.0.1", env: {} };
	const server = await startServer({ agentDir, ...loopback, ...options });
	return { server, tokens: server.tokens };
}

/** Starts a headless browser. Root needs --no-sandbox; the page is our own. */
export function startBrowser(executablePath: string): Promise<Browser> {
	const isRoot = process.getuid?.() === 0;
	return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}
