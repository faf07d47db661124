import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Job } from "./race-worker.ts";

const RUNNER = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const WORKER = fileURLToPath(new URL("race-worker.ts", import.meta.url));

/** A real process that does jobs on session files, one after the other. */
export class RaceProcess {
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	readonly #lines: AsyncIterator<string>;

	private constructor() {
		this.#child = spawn(process.execPath, [RUNNER, WORKER], { stdio: ["pipe", "pipe", "inherit"] });
		// Jobs are still written to one that was killed on purpose.
		this.#child.stdin.on("error", () => undefined);
		this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
	}

	/** Start one that ends with the running test. */
	static async start(): Promise<RaceProcess> {
		const process = new RaceProcess();
		onTestFinished(() => process.kill());
		await process.#lines.next();
		return process;
	}

	/** Hand over a job; `finished` tells when it is done. */
	give(job: Job): void {
		this.#child.stdin.write(`${JSON.stringify(job)}\n`);
	}

	/** Resolves with false if the process is gone. */
	async finished(): Promise<boolean> {
		return (await this.#lines.next()).done !== true;
	}

	/** SIGKILL: it cannot put anything in order. */
	async kill(): Promise<void> {
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
		this.#child.kill("SIGKILL");
		await once(this.#child, "exit");
	}
}
