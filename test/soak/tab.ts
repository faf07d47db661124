import { setTimeout as pause } from "node:timers/promises";
import { KEYS } from "../host/keys.ts";
import type { ProcessEnd } from "../host/process-end.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { count, type Random } from "./random.ts";
import { ScreenWatch } from "./screen-watch.ts";
import { hostEnd, startInTab } from "./start.ts";
import { modeFaults, OTHER_PROGRAMS, requestLeaks } from "./terminal-watch.ts";
import type { World } from "./world.ts";

/** Timeouts for handling a key and for ending, in milliseconds; the machine may be busy. */
const HEAR_MS = 30_000;
const END_MS = 12_000;
/** Empties an editor of up to 60 lines. Two Ctrl+C in a row would end the host. */
const EMPTY = `${KEYS["ctrl+u"]}${KEYS.backspace}`.repeat(60);
/** Terminals distinguish Escape from Alt with a key by the time in between. */
const ESCAPE_MS = 60;

/**
 * 0.73.1 discards all prompts and commands after a provider's error that a full disk kept it from saving: it waits forever for a retry
 * (seen without our extensions).
 */
const LOST_RETRY = "a retry of the host that never begins";
const PROVIDER_ERROR = /Error: (?:\d{3} |terminated)/;

/** Ends that are typed. */
const TYPED: ReadonlySet<string> = new Set(["quit", "a crash"]);

/** A terminal tab with a host. */
export class Tab {
	readonly host: TerminalHost;
	readonly #world: World;
	readonly #screen: ScreenWatch;
	#nonce = 0;
	#isGone = false;
	#end: ProcessEnd | undefined;

	private constructor(world: World, host: TerminalHost) {
		this.#world = world;
		this.host = host;
		this.#screen = new ScreenWatch(host, world.planted);
		void host.exit.then((end) => {
			this.#isGone = true;
			this.#end = end;
		});
	}

	/** Opens a tab with a host. `at`: the session; default: any. */
	static async open(world: World, random: Random, at: "meeting" | "any" = "any"): Promise<Tab> {
		return new Tab(world, await startInTab(world, random, at));
	}

	/** The open session; undefined if there is no lease, for example on a full disk. */
	get sessionFile(): string | undefined {
		return this.#leases()[0]?.sessionFile;
	}

	/** Records faults on the screen. */
	look(): void {
		for (const fault of this.#screen.look()) this.#world.tally.failures.push(fault);
	}

	/** Resolves at the next frame or at the deadline, because an action may change nothing. */
	async painted(deadlineMs = 1_500): Promise<void> {
		const { screen } = this.host;
		const before = screen.frames.at(-1)?.at;
		const end = performance.now() + deadlineMs;
		await until(() => screen.frames.at(-1)?.at !== before || performance.now() > end, {
			what: "a frame",
			deadlineMs: deadlineMs + 10_000,
		});
	}

	/** Resolves when the agent has stopped or at the deadline, because it may hang. */
	async settled(deadlineMs = 5_000): Promise<void> {
		await this.shows((text) => !/Working\.\.\.|Retrying \(/.test(text), deadlineMs);
	}

	/** Closes everything with Escape until the editor accepts text. Throws if it never does. */
	async toEditor(): Promise<void> {
		const { host } = this;
		const end = performance.now() + HEAR_MS;
		while (performance.now() < end && !this.#isGone) {
			this.#takeBack();
			host.key("escape");
			await pause(ESCAPE_MS);
			this.#nonce += 1;
			const nonce = `zq${this.#nonce}qz`;
			host.type(nonce);
			const heard = await this.shows((text) => text.includes(nonce), 3_000);
			const rows = host.screen.rows();
			// A picker's search line accepts letters, too, but only the editor is right below a rule.
			const above = rows[rows.findIndex((row) => row.includes(nonce)) - 1] ?? "";
			host.type(EMPTY);
			// The first letter may have been read as Alt with a key, together with the Escape before it.
			const isEmptied = await this.shows((text) => !text.includes(nonce.slice(1)), 3_000);
			// The text has several lines, or it is in a picker's search line. The next Escape closes that.
			if (heard && above === "") this.#redraw();
			if (heard && above.startsWith("──") && isEmptied) return;
		}
		const what = this.#isGone
			? `The host has ended by itself (${JSON.stringify(this.#end)})`
			: "The host does not hear its keys";
		throw new Error(`${what}.\n${host.screen.picture()}\n${JSON.stringify(host.raw.slice(-2_000))}`);
	}

	/** Empties the editor. */
	async emptyEditor(): Promise<void> {
		this.host.type(EMPTY);
		await this.painted(500);
	}

	/** Ends the host and checks the terminal's modes. */
	async end(way: string, act: (host: TerminalHost) => void): Promise<void> {
		const { host } = this;
		count(this.#world.tally.ends, way);
		this.look();
		act(host);
		let ended = await this.#ended();
		if (!ended && TYPED.has(way)) {
			// A dialog or text that appeared late may have consumed the keys.
			await this.toEditor().catch((error: unknown) => {
				if (!this.#isGone) throw error;
			});
			act(host);
			ended = await this.#ended();
		}
		const { failures, faults, ends } = this.#world.tally;
		if (!ended && way === "a crash" && faults["a full disk"] && PROVIDER_ERROR.test(host.screen.text())) {
			count(ends, LOST_RETRY);
			host.signal("SIGTERM");
			ended = await this.#ended();
		}
		if (!ended) failures.push(`${way} does not end the host:\n${host.screen.picture()}`);
		else if (way !== "SIGKILL") {
			const how = way === "quit" ? "orderly" : "abrupt";
			failures.push(...modeFaults(host, way, how), ...this.#leaseFaults(way));
		}
		failures.push(...requestLeaks(host.raw, this.#world.planted));
		await this.close();
	}

	/** Whether the host ended by itself on a full disk or because of its own bug. It must have left nothing behind then, too. */
	async diedByItself(): Promise<boolean> {
		const { host } = this;
		if (!this.#isGone) return false;
		const end = hostEnd(host.raw);
		if (end === undefined) return false;
		const { ends, failures } = this.#world.tally;
		count(ends, end);
		failures.push(...modeFaults(host, end, "abrupt"), ...this.#leaseFaults(end));
		await this.close();
		return true;
	}

	async close(): Promise<void> {
		await this.host.dispose();
	}

	async shows(condition: (text: string) => boolean, deadlineMs: number): Promise<boolean> {
		const end = performance.now() + deadlineMs;
		await until(() => condition(this.host.screen.text()) || performance.now() > end, {
			what: "the screen to change",
			deadlineMs: deadlineMs + 10_000,
		});
		return condition(this.host.screen.text());
	}

	#leases() {
		return leaseList(this.#world.sandbox).filter(({ pid }) => pid === this.host.pid);
	}

	#leaseFaults(way: string): string[] {
		return this.#leases().map(({ sessionFile }) => `a lease is left after ${way}: ${sessionFile}`);
	}

	/** Forces a full repaint by resizing: the agent's text may have cleared the screen, and the host paints only changes. */
	#redraw(): void {
		const { cols, rows } = this.host.screen.size;
		this.host.resize(cols, rows === 50 ? 40 : 50);
	}

	/** Whether the host ends in time, after another program has returned the terminal. */
	async #ended(): Promise<boolean> {
		const ends = () => this.shows(() => this.#isGone, END_MS);
		return (await ends()) || (this.#takeBack() && (await ends()));
	}

	/** Ends another program that has the terminal because of a late key. False: there is none. */
	#takeBack(): boolean {
		const { screen } = this.host;
		const isOthers = OTHER_PROGRAMS.some((sign) => screen.text().includes(sign));
		if (isOthers) this.host.key("enter");
		return isOthers;
	}
}
