import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { HOST_NODE, type Launch, type LaunchOptions, prepareLaunch } from "./launch.ts";
import { endProcesses, type ProcessEnd } from "./process-end.ts";
import { DEADLINE_MS, until } from "./until.ts";

export interface RpcLine {
	type: string;
	[field: string]: unknown;
}

export interface RpcOptions extends LaunchOptions {
	/** Timeout for the start, in milliseconds. Default: `DEADLINE_MS`. */
	deadlineMs?: number;
}

/** Starts the host in RPC mode. It is ready when it answers `get_state`. */
export async function startRpc({ deadlineMs, ...options }: RpcOptions = {}): Promise<RpcHost> {
	const launch = await prepareLaunch({ ...options, args: ["--mode", "rpc", ...(options.args ?? [])] });
	const host = new RpcHost(launch);
	try {
		await host.request({ type: "get_state" }, deadlineMs);
		return host;
	} catch (error) {
		await host.dispose();
		throw error;
	}
}

export class RpcHost {
	readonly lines: RpcLine[] = [];
	readonly model: Launch["model"];
	readonly sandbox: Launch["sandbox"];
	readonly exit: Promise<ProcessEnd>;
	/** Every byte of standard output and error, decoded. */
	raw = "";
	errors = "";
	readonly #launch: Launch;
	readonly #child: ChildProcessWithoutNullStreams;
	#rest = "";
	#serial = 0;
	#ended = false;

	constructor(launch: Launch) {
		this.#launch = launch;
		this.model = launch.model;
		this.sandbox = launch.sandbox;
		this.#child = spawn(HOST_NODE, launch.args, { cwd: launch.sandbox.cwd, env: launch.env });
		this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
		this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
			this.errors += text;
		});
		// Writing after the host has ended causes an error, which is ignored because `exit` reports the end.
		this.#child.stdin.on("error", () => undefined);
		this.exit = new Promise((resolve, reject) => {
			this.#child.once("error", reject);
			this.#child.once("close", (code, signal) => {
				this.#ended = true;
				resolve({ code, signal });
			});
		});
	}

	send(command: RpcLine): void {
		this.#child.stdin.write(`${JSON.stringify(command)}\n`);
	}

	request(command: RpcLine, deadlineMs = DEADLINE_MS): Promise<RpcLine> {
		this.#serial += 1;
		const id = `request-${this.#serial}`;
		this.send({ ...command, id });
		const isAnswer = (line: RpcLine) => line.type === "response" && line.id === id;
		return this.waitFor(isAnswer, `the response to ${command.type}`, deadlineMs);
	}

	/** The first line, past or future, that meets the condition. */
	waitFor(holds: (line: RpcLine) => boolean, what: string, deadlineMs = DEADLINE_MS): Promise<RpcLine> {
		const detail = (): string => `Last lines:\n${this.raw.slice(-2000)}\n${this.errors}`;
		return until(() => this.lines.find(holds), what, { deadlineMs, detail });
	}

	/** Closes standard input, which ends the host. */
	close(): Promise<ProcessEnd> {
		this.#child.stdin.end();
		return this.exit;
	}

	async dispose(): Promise<void> {
		const { pid } = this.#child;
		if (!this.#ended && pid !== undefined) await endProcesses([pid], this.exit, 3000);
		await this.#launch.release();
	}

	/** Splits at LF only. Node's readline also splits at U+2028, which is legal in JSON. */
	#receive(text: string): void {
		this.raw += text;
		const pieces = (this.#rest + text).split("\n");
		this.#rest = pieces.pop() ?? "";
		for (const piece of pieces) {
			if (piece.trim() !== "") this.lines.push(JSON.parse(piece) as RpcLine);
		}
	}
}
