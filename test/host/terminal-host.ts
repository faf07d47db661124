import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { type JobControl, underJobControl } from "./job-control.ts";
import { FOCUS_IN, FOCUS_OUT, KEYS, type Key } from "./keys.ts";
import { HOST_NODE, type Launch, type LaunchOptions, prepareLaunch } from "./launch.ts";
import { endProcesses, type ProcessEnd, sendSignal } from "./process-end.ts";
import { Screen, type ScreenCondition } from "./screen.ts";
import { readSession, type SessionLine, sessionFiles } from "./session-files.ts";
import { DEADLINE_MS, until } from "./until.ts";

export interface TerminalOptions extends LaunchOptions {
	cols?: number;
	rows?: number;
	/** `prompt` (default): resolves when the editor is painted and extensions are bound. */
	waitFor?: "prompt" | "none";
	/** Timeout for the start, in milliseconds. Default: `DEADLINE_MS`. */
	deadlineMs?: number;
	/** `shell`: under a shell with job control, so that Ctrl+Z suspends the host. Default: `none`. */
	jobControl?: "shell" | "none";
}

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 3000;

/** Starts the real host in a pseudo-terminal, with private folders and a scripted model. */
export async function startHost(options: TerminalOptions = {}): Promise<TerminalHost> {
	const launch = await prepareLaunch(options);
	const host = new TerminalHost(launch, options);
	if (options.waitFor === "none") return host;
	try {
		await host.waitForPrompt(options.deadlineMs);
		return host;
	} catch (error) {
		await host.dispose();
		throw error;
	}
}

export class TerminalHost {
	readonly screen: Screen;
	/** Resolves when the process is gone and its last bytes are on the screen. */
	readonly exit: Promise<ProcessEnd>;
	readonly model: Launch["model"];
	readonly sandbox: Launch["sandbox"];
	/** Every byte that the host wrote, decoded. */
	raw = "";
	/** The time at which the process was started, in milliseconds, from `performance.now()`. */
	readonly startedAt = performance.now();
	readonly #launch: Launch;
	readonly #pty: IPty;
	readonly #shell: JobControl | undefined;
	#written: Promise<void> = Promise.resolve();
	#ended: ProcessEnd | undefined;

	constructor(launch: Launch, options: TerminalOptions) {
		const { cols = 100, rows = 30 } = options;
		this.#launch = launch;
		this.model = launch.model;
		this.sandbox = launch.sandbox;
		this.screen = new Screen(cols, rows, (bytes) => this.type(bytes));
		this.#shell =
			options.jobControl === "shell"
				? underJobControl(
						[HOST_NODE, ...launch.args],
						// Several hosts may share a sandbox.
						join(launch.sandbox.temp, `host-${randomUUID()}.pid`),
					)
				: undefined;
		this.#pty = spawn(this.#shell?.program ?? HOST_NODE, this.#shell?.args ?? launch.args, {
			name: "xterm-256color",
			cols,
			rows,
			cwd: launch.sandbox.cwd,
			env: { ...launch.env, ...this.#shell?.env },
		});
		this.#pty.onData((data) => this.#receive(data));
		this.exit = new Promise((resolve) => {
			this.#pty.onExit(({ exitCode, signal }) => {
				const end = { code: exitCode, signal: signal === undefined || signal === 0 ? null : signal };
				this.#ended = end;
				void this.#written.then(() => {
					this.screen.close(`the host ended with code ${end.code}`);
					resolve(end);
				});
			});
		});
	}

	get pid(): number {
		return this.#shell?.pid() ?? this.#pty.pid;
	}

	/**
	 * Resolves when the editor is painted and the extensions are bound. After binding them, the host sets
	 * the window title, so a title shows that they are bound.
	 */
	async waitForPrompt(deadlineMs = DEADLINE_MS): Promise<void> {
		const isReady = (text: string) => this.screen.title !== "" && PROMPT.test(text);
		await this.screen.waitFor(isReady, "the host's prompt", deadlineMs);
	}

	/** Sends bytes. Resolves with the screen's text as soon as the screen meets the condition, if any. */
	type(text: string): void;
	type(text: string, shows: ScreenCondition): Promise<string>;
	type(text: string, shows?: ScreenCondition): Promise<string> | undefined {
		if (!this.#ended) this.#pty.write(text);
		return shows && this.screen.waitFor(shows);
	}

	key(key: Key): void;
	key(key: Key, shows: ScreenCondition): Promise<string>;
	key(key: Key, shows?: ScreenCondition): Promise<string> | undefined {
		this.type(KEYS[key]);
		return shows && this.screen.waitFor(shows);
	}

	/** Types a line and Enter at once: a completion list would consume a later Enter. Resolves like `type`. */
	submit(line: string): void;
	submit(line: string, shows: ScreenCondition): Promise<string>;
	submit(line: string, shows?: ScreenCondition): Promise<string> | undefined {
		this.type(`${line}${KEYS.enter}`);
		return shows && this.screen.waitFor(shows);
	}

	quit(): Promise<ProcessEnd> {
		this.key("ctrl+d");
		return this.exit;
	}

	/** The user looks away, which is reported only if the program has turned focus reports on. */
	focusOut(): void {
		if (this.screen.modes().sendFocusMode) this.type(FOCUS_OUT);
	}

	/** The user returns. As with `focusOut`, this is reported only if focus reports are on. */
	focusIn(): void {
		if (this.screen.modes().sendFocusMode) this.type(FOCUS_IN);
	}

	/** How the host has switched focus reports: `hlh` means on, off, and on again. */
	focusSwitches(): string {
		return [...this.raw.matchAll(/\x1b\[\?1004([hl])/g)].map(([, to]) => to).join("");
	}

	/**
	 * Resolves when the extension listens to the terminal, which is after the host's first paint. In
	 * fullscreen mode, which turns the mouse on, the host itself requests focus reports before that.
	 */
	attached(): Promise<unknown> {
		const isAttached = () => {
			// The terminal emulator parses output some time after its arrival, and reports no focus before
			// that.
			const { mouseTrackingMode, sendFocusMode } = this.screen.modes();
			const askers = mouseTrackingMode === "none" ? 1 : 2;
			return sendFocusMode && this.focusSwitches().endsWith("h".repeat(askers));
		};
		return until(isAttached, "focus reports to be on", { detail: () => this.focusSwitches() });
	}

	resize(cols: number, rows: number): void {
		this.screen.resize(cols, rows);
		this.#pty.resize(cols, rows);
	}

	signal(signal: NodeJS.Signals): void {
		sendSignal(this.pid, signal);
	}

	/** The host's messages about extensions that threw an exception. */
	extensionErrors(): string[] {
		return this.screen.scrollback().match(/Extension "[^"]*" error: .*/g) ?? [];
	}

	sessionFile(): string | undefined {
		return sessionFiles(this.sandbox.sessionDir)[0];
	}

	/** The lines of the session file that was changed last. Empty before the first reply. */
	entries(): SessionLine[] {
		const file = this.sessionFile();
		return file === undefined ? [] : readSession(file);
	}

	async dispose(): Promise<void> {
		if (!this.#ended) await endProcesses(this.#processes(), this.exit, GRACE_MS);
		this.screen.dispose();
		await this.#launch.release();
	}

	#processes(): number[] {
		return [...new Set([this.pid, this.#pty.pid])];
	}

	#receive(data: string): void {
		this.raw += data;
		this.#written = this.screen.write(data);
	}
}

/** The editor: two rules with a line between them. */
const PROMPT = /^─{10}[\s\S]*^─{10}/m;
