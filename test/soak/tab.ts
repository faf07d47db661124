import { KEYS } from "../host/keys.ts";
import { startHost, type TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { anyOf, type Random } from "../support/random.ts";
import { count, hasHeader, leaksIn, meetingPoint, tornWrites, type World } from "./world.ts";

/** Timeouts for starting, handling a key and ending, in milliseconds; the machine may be busy. */
const START_MS = 40_000;
const HEAR_MS = 30_000;
const END_MS = 12_000;
/** One second represents a minute. */
const IMPATIENT = [
	...["--recap-away-seconds", "0.5"],
	...["--recap-focus-min-seconds", "0.1"],
	...["--recap-idle-seconds", "2"],
];
/** Terminals with different sequences for notifications and the clipboard. */
const TERMINALS: readonly Record<string, string>[] = [
	{ TERM_PROGRAM: "iTerm.app" },
	{ TERM: "xterm-kitty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{ TERM_PROGRAM: "ghostty", SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 22" },
	{},
];
/**
 * Escape in kitty's notation. If a busy host reads a lone ESC together with the letter after it, the
 * host interprets them as Alt and that letter, and whatever Escape should have closed stays open.
 */
const ESCAPE = "\x1b[27u";
/** Empties an editor of up to 60 lines. Two Ctrl+C in a row would end the host. */
const EMPTY = `${KEYS["ctrl+u"]}${KEYS.backspace}`.repeat(60);
/** Matches text that is on the screen after an error in the suite. */
const OUR_ERROR =
	/Extension "[^"]*" error|extension ctx is stale|Unhandled|UnhandledPromiseRejection|uncaughtException/;
/** Notifications (OSC 9, 99, 777), titles (OSC 0 and 2) and clipboard writes (OSC 52). */
const REQUESTS = /\x1b\](?:(?:0|2|9|99|777);([^\x07\x1b]*)|52;c;([A-Za-z0-9+/=]+))(?:\x07|\x1b\\)/g;
/**
 * Hosts since 1.5 refuse a file without a header before they load extensions. A host leaves such a file
 * behind if its session was deleted while the host was starting: the host has read the session, does
 * not hold a lease yet, and appends to a file that no longer exists.
 */
const NO_HEADER = /Session file is not a valid pi session/;

export class Tab {
	readonly host: TerminalHost;
	readonly #world: World;
	#seenAt = 0;
	#nonce = 0;
	#isGone = false;

	private constructor(world: World, host: TerminalHost) {
		this.#world = world;
		this.host = host;
		void host.exit.then(() => {
			this.#isGone = true;
		});
	}

	/**
	 * Opens a tab with the shared session (`meeting`), or with any session (`any`): the shared one,
	 * another one, the newest, or a new one.
	 */
	static async open(world: World, random: Random, at: "meeting" | "any" = "any"): Promise<Tab> {
		const meeting = () => ["--session", meetingPoint(world)];
		const placed = () => {
			// The tabs may have deleted all of these sessions.
			const left = world.sandbox.placed.filter(hasHeader);
			return left.length > 0 ? ["--session", anyOf(random, left)] : [];
		};
		const ways = at === "meeting" ? [meeting] : [meeting, meeting, meeting, placed, () => ["-c"], () => []];
		world.tally.starts += 1;
		const host = await startHost({
			model: world.model,
			sandbox: world.sandbox,
			extensions: [".", "test/soak/full-disk.ts"],
			args: [...anyOf(random, ways)(), ...IMPATIENT],
			env: { ...world.env, ...anyOf(random, TERMINALS) },
			rows: anyOf(random, [24, 40, 60]),
			cols: anyOf(random, [60, 100, 160]),
			waitFor: "none",
		});
		const tab = new Tab(world, host);
		try {
			await host.waitForPrompt(START_MS);
			return tab;
		} catch (error) {
			if (await tab.diedByItself()) return Tab.open(world, random);
			await host.dispose();
			throw error;
		}
	}

	/** The open session; undefined if there is no lease, for example on a full disk. */
	get sessionFile(): string | undefined {
		return this.#leases()[0]?.sessionFile;
	}

	/** Records errors in the frames that the host has painted since the last call. */
	look(): void {
		const frames = this.host.screen.frames.filter(({ at }) => at > this.#seenAt);
		this.#seenAt = frames.at(-1)?.at ?? this.#seenAt;
		const faulty = frames.find(({ text }) => OUR_ERROR.test(text));
		if (faulty) this.#world.tally.failures.push(`an error on the screen:\n${faulty.text}`);
	}

	async submit(line: string): Promise<void> {
		await this.toEditor();
		this.host.submit(line);
		await this.painted();
	}

	/** Resolves at the next frame or at the deadline, because an action may change nothing. */
	async painted(deadlineMs = 1_500): Promise<void> {
		const before = this.host.screen.frames.at(-1)?.at;
		await this.#holds(() => this.host.screen.frames.at(-1)?.at !== before, deadlineMs);
	}

	/** Resolves when the agent has stopped or at the deadline, because it may hang. */
	async settled(deadlineMs = 5_000): Promise<void> {
		await this.shows((text) => !/Working\.\.\.|Retrying \(/.test(text), deadlineMs);
	}

	shows(condition: (text: string) => boolean, deadlineMs: number): Promise<boolean> {
		return this.#holds(() => condition(this.host.screen.text()), deadlineMs);
	}

	/** Closes everything with Escape until the editor accepts text. Throws if it never does. */
	async toEditor(): Promise<void> {
		const { host } = this;
		const end = performance.now() + HEAR_MS;
		while (performance.now() < end && !this.#isGone) {
			host.type(ESCAPE);
			this.#nonce += 1;
			const nonce = `zq${this.#nonce}qz`;
			host.type(nonce);
			const heard = await this.shows((text) => text.includes(nonce), 3_000);
			const rows = host.screen.rows();
			// A picker's search line accepts letters, too, but only the editor is right below a rule.
			const above = rows[rows.findIndex((row) => row.includes(nonce)) - 1] ?? "";
			host.type(EMPTY);
			const isEmptied = await this.shows((text) => !text.includes(nonce), 3_000);
			// The editor contains several lines, or the text is in a picker's search line. The next Escape
			// closes the picker.
			if (heard && above === "") this.#redraw();
			if (heard && above.startsWith("──") && isEmptied) return;
		}
		const what = this.#isGone ? "The host has ended by itself" : "The host does not hear its keys";
		throw new Error(`${what}.\n${host.screen.picture()}\n${JSON.stringify(host.raw.slice(-2_000))}`);
	}

	async emptyEditor(): Promise<void> {
		this.host.type(EMPTY);
		await this.painted(500);
	}

	/** Quits the host with Ctrl+D, or ends it with a signal. */
	async end(way: NodeJS.Signals | "quit"): Promise<void> {
		const act = async () => {
			if (way !== "quit") return this.host.signal(way);
			await this.toEditor();
			this.host.key("ctrl+d");
		};
		this.look();
		await act();
		let ended = await this.#holds(() => this.#isGone, END_MS);
		if (!ended && way === "quit") {
			// A dialog or text that appeared late may have consumed the key.
			await act();
			ended = await this.#holds(() => this.#isGone, END_MS);
		}
		if (!ended)
			this.#world.tally.failures.push(`${way} does not end the host:\n${this.host.screen.picture()}`);
		await this.#left(way);
	}

	/**
	 * Whether the host ended by itself on a full disk or because of its own bug. Even then, it must have
	 * left nothing behind.
	 */
	async diedByItself(): Promise<boolean> {
		const { raw, pid } = this.host;
		if (!this.#isGone) return false;
		if (tornWrites(this.#world).some(([writer]) => writer === pid)) await this.#left("a full disk");
		else if (NO_HEADER.test(raw)) await this.#left("a file without a header");
		else return false;
		return true;
	}

	/**
	 * Checks what an ended host left behind: terminal modes, a lease, and secrets in what it sent to the
	 * terminal.
	 */
	async #left(way: string): Promise<void> {
		const { tally } = this.#world;
		const { screen, raw } = this.host;
		const { sendFocusMode, mouseTrackingMode, bracketedPasteMode } = screen.modes();
		count(tally.ends, way);
		if (way !== "SIGKILL") {
			if (sendFocusMode) tally.failures.push(`focus reports are still on at ${way}`);
			if (mouseTrackingMode !== "none") tally.failures.push(`mouse reports are still on at ${way}`);
			// The host itself turns bracketed paste on, and turns it off only when it ends in an orderly way.
			if (way === "quit" && bracketedPasteMode) tally.failures.push("bracketed paste is still on");
			for (const { sessionFile } of this.#leases())
				tally.failures.push(`a lease is left after ${way}: ${sessionFile}`);
		}
		const sent = [...raw.matchAll(REQUESTS)]
			.map(([, message = "", copied = ""]) => `${message}${Buffer.from(copied, "base64")}`)
			.join("\n");
		for (const secret of leaksIn(sent, this.#world))
			tally.failures.push(`${secret} in a notification, in the title or on the clipboard:\n${sent}`);
		await this.close();
	}

	async close(): Promise<void> {
		await this.host.dispose();
	}

	async #holds(condition: () => boolean, deadlineMs: number): Promise<boolean> {
		const end = performance.now() + deadlineMs;
		await until(() => condition() || performance.now() > end, "the screen to change", {
			deadlineMs: deadlineMs + 10_000,
		});
		return condition();
	}

	#leases() {
		return leaseList(this.#world.sandbox).filter(({ pid }) => pid === this.host.pid);
	}

	/**
	 * Forces a full repaint by resizing: the agent's text may have cleared the screen, and the host
	 * paints only changes.
	 */
	#redraw(): void {
		const { cols, rows } = this.host.screen.size;
		this.host.resize(cols, rows === 50 ? 40 : 50);
	}
}
