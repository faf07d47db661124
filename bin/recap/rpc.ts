import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject } from "../../session-core/json.ts";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { machineFor } from "../shell/machine.ts";
import { programFor } from "../shell/program.ts";

export interface RpcOptions {
	/** Behind `pi --mode rpc`. */
	args: readonly string[];
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
	deadlineMs: number;
}

/** A pi without a screen, as a program drives it (the host's `docs/rpc.md`). */
export interface Rpc {
	/** Names of what can be typed. */
	commands(): Promise<string[]>;
	/** Types a command of an extension; gives the first thing that it says. */
	ask(command: string, deadlineMs: number): Promise<string>;
	end(): Promise<void>;
}

const NOT_FOUND = "pi is not found in PATH.";

/** How the answers of session-resume begin. */
const ANSWER = /^(?:recap-card|resume): /;
/** Milliseconds that pi may take to end by itself. */
const GRACE_MS = 3_000;

/** Starts it; resolves when it answers. */
export async function startRpc(
	options: RpcOptions,
): Promise<{ ok: true; pi: Rpc } | { ok: false; told: string }> {
	const { args, cwd, env, deadlineMs } = options;
	const startable = programFor("pi", ["--mode", "rpc", ...args], machineFor(env));
	if (!startable.ok) return { ok: false, told: NOT_FOUND };
	const child = spawn(startable.file, startable.args, {
		cwd,
		env,
		stdio: ["pipe", "pipe", "pipe"],
		windowsVerbatimArguments: startable.verbatim,
	});
	const client = new Client(child);
	try {
		const names = await client.send({ type: "get_commands" }, deadlineMs);
		const pi = {
			commands: async () => namesIn(names),
			ask: client.ask.bind(client),
			end: () => ended(child),
		};
		return { ok: true, pi };
	} catch (error) {
		await ended(child);
		if (errorCode(error) === "ENOENT") return { ok: false, told: NOT_FOUND };
		const why = cleanLine(error instanceof Error ? error.message : String(error));
		return { ok: false, told: `pi cannot be asked (${clipColumns(why, 200)}).` };
	}
}

class Client {
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #heard = new Set<(line: JsonObject) => void>();
	readonly #gone: Promise<never>;
	#sent = 0;

	constructor(child: ChildProcessWithoutNullStreams) {
		this.#child = child;
		let complaint = "";
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			complaint = (complaint + text).slice(-400);
		});
		// One that ends early closes the pipe; its end tells the rest.
		child.stdin.on("error", () => undefined);
		createInterface({ input: child.stdout }).on("line", (line) => this.#take(line));
		this.#gone = new Promise((_, reject) => {
			child.once("error", reject);
			child.once("exit", () => reject(new Error(complaint.trim() || "it ended")));
		});
		this.#gone.catch(() => undefined);
	}

	/** Sends a request; gives the data of its answer. */
	async send(request: JsonObject, deadlineMs: number): Promise<unknown> {
		const id = `${++this.#sent}`;
		const answer = this.#next((line) => line["type"] === "response" && line["id"] === id);
		this.#child.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
		return (await this.#within(answer, deadlineMs))["data"];
	}

	async ask(command: string, deadlineMs: number): Promise<string> {
		// Others may say something of their own at any time.
		const said = this.#next(
			({ type, method, message }) =>
				type === "extension_ui_request" && method === "notify" && ANSWER.test(String(message)),
		);
		await this.send({ type: "prompt", message: command }, deadlineMs);
		return String((await this.#within(said, deadlineMs))["message"]).replace(ANSWER, "");
	}

	#next(matches: (line: JsonObject) => boolean): Promise<JsonObject> {
		return new Promise((resolve) => {
			const hear = (line: JsonObject) => {
				if (!matches(line)) return;
				this.#heard.delete(hear);
				resolve(line);
			};
			this.#heard.add(hear);
		});
	}

	async #within(answer: Promise<JsonObject>, deadlineMs: number): Promise<JsonObject> {
		const tooLate = new AbortController();
		const late = pause(deadlineMs, undefined, { signal: tooLate.signal }).then(() => {
			throw new Error(`no answer in ${Math.round(deadlineMs / 1_000)} seconds`);
		});
		late.catch(() => undefined);
		try {
			return await Promise.race([answer, late, this.#gone]);
		} finally {
			tooLate.abort();
		}
	}

	#take(line: string): void {
		try {
			const value: unknown = JSON.parse(line);
			if (isObject(value)) for (const hear of [...this.#heard]) hear(value);
		} catch {
			// An extension's own printing: not for us.
		}
	}
}

function namesIn(data: unknown): string[] {
	const commands = isObject(data) && Array.isArray(data["commands"]) ? data["commands"] : [];
	return commands.flatMap((one: unknown) =>
		isObject(one) && typeof one["name"] === "string" ? [one["name"]] : [],
	);
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	child.stdin.end();
	child.kill("SIGTERM");
	const kill = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
	await exit;
	clearTimeout(kill);
}
