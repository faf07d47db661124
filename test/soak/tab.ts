import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../session-core/session-file/fuzz.test-support.ts";
import { SUSPENDED } from "../host/job-control.ts";
import { KEYS } from "../host/keys.ts";
import type { ProcessEnd } from "../host/process-end.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { count } from "./choose.ts";
import { EDITING } from "./editor.ts";
import { ScreenWatch } from "./screen-watch.ts";
import { hostEnd, startInTab } from "./start.ts";
import { askedLeaks, modeFaults } from "./terminal-watch.ts";
import type { World } from "./world.ts";

/** Milliseconds in which a host has to hear a key, and to end; the machine may be busy. */
const HEAR_MS = 30_000;
const END_MS = 12_000;
/** What stands there while the terminal is another program's; Enter ends that. */
const OTHERS = [EDITING, SUSPENDED];
/** Empties an editor of up to so many lines. Not with Ctrl+C: two that a busy host takes at once end it. */
const EMPTY = `${KEYS["ctrl+u"]}${KEYS.backspace}`.repeat(60);
/** A terminal tells Escape from Alt and a key by the time between them. */
const ESCAPE_MS = 60;

/** Ends that come by keys. */
const TYPED: ReadonlySet<string> = new Set(["quit", "a crash"]);

/** A terminal tab with a host in it, and what is known of it. */
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

	/** A host in a new tab. `at`: which session it opens; default any. */
	static async open(world: World, random: Random, at: "meeting" | "any" = "any"): Promise<Tab> {
		return new Tab(world, await startInTab(world, random, at));
	}

	/** The session that is open here; undefined: nobody knows, as while the disk is full. */
	get sessionFile(): string | undefined {
		return this.#leases()[0]?.sessionFile;
	}

	/** Reports what is wrong on the screen and in the files by now. */
	look(): void {
		for (const fault of this.#screen.look()) this.#world.tally.failures.push(fault);
	}

	/** Resolves when something new is painted, or not: what was done may change nothing. */
	async painted(deadlineMs = 1_500): Promise<void> {
		const { screen } = this.host;
		const before = screen.frames.at(-1)?.at;
		const end = performance.now() + deadlineMs;
		await until(() => screen.frames.at(-1)?.at !== before || performance.now() > end, {
			what: "a frame",
			deadlineMs: deadlineMs + 10_000,
		});
	}

	/** Resolves when the agent has stopped, or not: it may hang. */
	async settled(deadlineMs = 5_000): Promise<void> {
		await this.shows((text) => !/Working\.\.\.|Retrying \(/.test(text), deadlineMs);
	}

	/** Leaves whatever is open with Escape, until the editor takes what is typed; a frozen host never does. */
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
			// A picker's search line takes letters, too; only the editor stands right below a rule.
			const above = rows[rows.findIndex((row) => row.includes(nonce)) - 1] ?? "";
			host.type(EMPTY);
			// Until then the next Escape would be read together with what is typed behind it, as Alt; so was this nonce's first letter.
			const isEmptied = await this.shows((text) => !text.includes(nonce.slice(1)), 3_000);
			// A draft of several lines stands there, or a picker's search: emptied, or left with the next Escape.
			if (heard && above === "") this.#redraw();
			if (heard && above.startsWith("──") && isEmptied) return;
		}
		const what = this.#isGone
			? `The host has ended by itself (${JSON.stringify(this.#end)})`
			: "The host does not hear its keys";
		throw new Error(`${what}.\n${host.screen.picture()}\n${JSON.stringify(host.raw.slice(-2_000))}`);
	}

	/** Takes several lines out of the editor. */
	async emptyEditor(): Promise<void> {
		this.host.type(EMPTY);
		await this.painted(500);
	}

	/** Ends the host in this way; its terminal must be as it was. */
	async end(way: string, act: (host: TerminalHost) => void): Promise<void> {
		const { host } = this;
		count(this.#world.tally.ends, way);
		this.look();
		act(host);
		let ended = await this.#ended();
		if (!ended && TYPED.has(way)) {
			// Something that opened late took the keys, or a draft that came late stood before them: what was asked for may come at any time.
			await this.toEditor().catch((error: unknown) => {
				if (!this.#isGone) throw error;
			});
			act(host);
			ended = await this.#ended();
		}
		const { failures } = this.#world.tally;
		if (!ended) failures.push(`${way} does not end the host:\n${host.screen.picture()}`);
		else if (way !== "SIGKILL") {
			const how = way === "quit" ? "orderly" : "abrupt";
			failures.push(...modeFaults(host, way, how), ...this.#leaseFaults(way));
		}
		failures.push(...askedLeaks(host.raw, this.#world.planted));
		await this.close();
	}

	/** Whether the host has ended by itself, on a full disk or by a fault of its own; then it has ended for good, and must have left nothing. */
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

	/** The agent's own text may clear the screen, and the host paints only what changes: after a change of size, all of it. */
	#redraw(): void {
		const { cols, rows } = this.host.screen.size;
		this.host.resize(cols, rows === 50 ? 40 : 50);
	}

	/** Whether it ends in time: what was asked of it waits behind another program that has the terminal. */
	async #ended(): Promise<boolean> {
		const ends = () => this.shows(() => this.#isGone, END_MS);
		return (await ends()) || (this.#takeBack() && (await ends()));
	}

	/** Ends the other program to which a key that came late has given the terminal; false: there is none. */
	#takeBack(): boolean {
		const { screen } = this.host;
		const isOthers = OTHERS.some((sign) => screen.text().includes(sign));
		if (isOthers) this.host.key("enter");
		return isOthers;
	}
}
