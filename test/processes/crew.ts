import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Answer, Job } from "./worker.ts";

const RUNNER = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/** What came of a job. */
export interface Report {
	/** The last value that the worker said was done. */
	value: string | undefined;
	failures: string[];
	/** It was killed before it could say that the job was done. */
	killed: boolean;
}

/** A real process that does one job after the other. */
export class Worker {
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	readonly #answers: AsyncIterator<string>;

	private constructor(prefix: readonly string[]) {
		const [program = "", ...args] = [...prefix, process.execPath, RUNNER, WORKER];
		this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
		// Jobs are still written to one that was killed on purpose.
		this.#child.stdin.on("error", () => undefined);
		this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
	}

	/** `prefix`: a program that runs it, with its arguments. */
	static async start(prefix: readonly string[] = []): Promise<Worker> {
		const worker = new Worker(prefix);
		await worker.#report();
		return worker;
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	async do(job: Job): Promise<Report> {
		this.#child.stdin.write(`${JSON.stringify(job)}\n`);
		return this.#report();
	}

	/** SIGKILL: it cannot put anything in order. Resolves when it is gone. */
	async kill(): Promise<void> {
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
		this.#child.kill("SIGKILL");
		await once(this.#child, "exit");
	}

	async #report(): Promise<Report> {
		const report: Report = { value: undefined, failures: [], killed: false };
		for (;;) {
			const { value: line, done } = await this.#answers.next();
			if (done) return { ...report, killed: true };
			const answer: Answer = JSON.parse(line);
			if (answer.done) return report;
			if (answer.failed === undefined) report.value = answer.value;
			else report.failures.push(answer.failed);
		}
	}
}
