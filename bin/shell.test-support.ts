import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { put, SessionText } from "../session-core/log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "../session-core/sessions/folders.ts";
import { LeaseHolder } from "../session-core/sessions/live/lease-files.ts";
import type { LeaseState } from "../session-core/sessions/live/liveness.mjs";
import { main } from "./main.ts";
import type { Surroundings } from "./shell/world.ts";

type Typed = Partial<Surroundings> & { columns?: number };

/** Runs the shell command in this process, in the isolated world below `root`. */
export class Shell {
	readonly #root: () => string;

	constructor(root: string | (() => string)) {
		this.#root = typeof root === "string" ? () => root : root;
	}

	get agentDir(): string {
		return join(this.#root(), "agent");
	}

	get cwd(): string {
		return join(this.#root(), "project");
	}

	/** Puts a program into the folder that comes first in the `PATH`. */
	program(name: string, script: string): void {
		chmodSync(put(join(this.#root(), "bin", name), `#!/bin/sh\n${script}\n`), 0o755);
	}

	/** Stores a session of the project, and returns the path of its file. */
	session(name: string, text: SessionText | string, cwd = this.cwd): string {
		mkdirSync(this.cwd, { recursive: true });
		return put(join(projectFolder(sessionsRoot(this.agentDir), cwd), `${name}.jsonl`), String(text));
	}

	open(sessionId: string, state: LeaseState = "idle", sessionFile?: string, since = Date.now()): LeaseHolder {
		const file = sessionFile === undefined ? {} : { sessionFile };
		const session = { sessionId, ...file, cwd: this.cwd, isInteractive: true };
		const holder = new LeaseHolder(this.agentDir, session, state, since);
		holder.claim();
		return holder;
	}

	/** Stores a session with a request, a reply and a name; returns the path of its file. */
	named(id: string, name: string, cwd = this.cwd): string {
		return this.session(id, named(id, name, cwd), cwd);
	}

	/** Runs a command and parses the JSON that it prints. A string is split into words at its spaces. */
	// biome-ignore lint/suspicious/noExplicitAny: tests check the shape
	async json(typed: string | readonly string[], more: Typed = {}): Promise<any> {
		return JSON.parse((await this.run(typed, more)).out);
	}

	/** Runs a command. If `columns` is set, the command's output is a terminal of this width. */
	async run(
		typed: string | readonly string[],
		{ columns, ...more }: Typed = {},
	): Promise<{ code: number; out: string; err: string }> {
		const words = typeof typed === "string" ? typed.split(" ").filter(Boolean) : typed;
		const text = { out: "", err: "" };
		const sink = (name: "out" | "err") => ({
			write: (part: string) => (text[name] += part),
			isTTY: columns !== undefined,
			columns,
		});
		const code = await main(words, {
			env: { PATH: `${join(this.#root(), "bin")}:${process.env["PATH"]}`, LANG: "C" },
			cwd: this.cwd,
			now: Date.now,
			out: sink("out"),
			err: sink("err"),
			agentDir: this.agentDir,
			sessionDir: undefined,
			...more,
		});
		return { code, ...text };
	}
}

/** Returns a session of the project at `cwd` that has a request, a reply and a name. */
export function named(id: string, name: string, cwd: string): SessionText {
	return new SessionText({ id, cwd }).user(`Please ${name.toLowerCase()}`).assistant("Done.").name(name);
}
