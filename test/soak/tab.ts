import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../session-core/store/fuzz.test-support.ts";
import { WITH_LOG } from "../host/debug-log.ts";
import { startHost, type TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { anyOf, count } from "./choose.ts";
import { ScreenWatch } from "./screen-watch.ts";
import type { World } from "./world.ts";

/** Moments that take minutes come after moments here. */
const IMPATIENT = [
	...["--recap-away-seconds", "0.5"],
	...["--recap-focus-min-seconds", "0.1"],
	...["--recap-idle-seconds", "2"],
];
/** Milliseconds in which a host has to start, to hear a key, and to end; the machine may be busy. */
const START_MS = 40_000;
const HEAR_MS = 30_000;
const END_MS = 12_000;
/** A terminal tells Escape from Alt and a key by the time between them. */
const ESCAPE_MS = 60;

/** A terminal tab with a host in it, and what is known of it. */
export class Tab {
	readonly host: TerminalHost;
	readonly #world: World;
	readonly #screen: ScreenWatch;
	#nonce = 0;

	private constructor(world: World, host: TerminalHost) {
		this.#world = world;
		this.host = host;
		this.#screen = new ScreenWatch(host, world.planted);
	}

	/** Opens one of the shared sessions, the newest one, or a new one. */
	static async open(world: World, random: Random): Promise<Tab> {
		const shared = () => ["--session", anyOf(random, world.sandbox.placed)];
		const which = anyOf(random, [shared, shared, shared, () => ["-c"], () => []])();
		world.tally.starts += 1;
		const host = await startHost({
			model: world.model,
			sandbox: world.sandbox,
			args: [...which, ...IMPATIENT],
			env: WITH_LOG,
			rows: anyOf(random, [24, 40, 60]),
			cols: anyOf(random, [60, 100, 160]),
			deadlineMs: START_MS,
		});
		return new Tab(world, host);
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
		await until(() => screen.frames.at(-1)?.at !== before || performance.now() > end, { what: "a frame" });
	}

	/** Resolves when the agent has stopped, or not: it may hang. */
	async settled(deadlineMs = 5_000): Promise<void> {
		await this.#shows((text) => !/Working\.\.\.|Retrying \(/.test(text), deadlineMs);
	}

	/** Leaves whatever is open with Escape, until the editor takes what is typed; a frozen host never does. */
	async toEditor(): Promise<void> {
		const { host } = this;
		const end = performance.now() + HEAR_MS;
		while (performance.now() < end) {
			host.key("escape");
			await pause(ESCAPE_MS);
			this.#nonce += 1;
			const nonce = `zq${this.#nonce}qz`;
			host.type(nonce);
			const heard = await this.#shows((text) => text.includes(nonce), 3_000);
			const rows = host.screen.rows();
			// A picker's search line takes letters, too; only the editor stands right below a rule.
			const above = rows[rows.findIndex((row) => row.includes(nonce)) - 1] ?? "";
			host.key("ctrl+u");
			if (!heard || !above.startsWith("──")) continue;
			if (await this.#shows((text) => !text.includes(nonce), 3_000)) return;
		}
		throw new Error(`The host does not hear its keys.\n${host.screen.picture()}`);
	}

	/** Ends the host in this way; its terminal must be as it was. */
	async end(way: string, act: (host: TerminalHost) => void): Promise<void> {
		const { host } = this;
		count(this.#world.tally.ends, way);
		this.look();
		act(host);
		let ended = await this.#ended();
		if (!ended && way === "quit") {
			// Something that opened late took the key: what was asked for before may come at any time.
			await this.toEditor();
			act(host);
			ended = await this.#ended();
		}
		const { failures } = this.#world.tally;
		if (!ended) failures.push(`${way} does not end the host:\n${host.screen.picture()}`);
		else if (way !== "SIGKILL" && host.screen.modes().sendFocusMode)
			failures.push(`focus reports are still on after ${way}: ${tail(host.raw)}`);
		await this.close();
	}

	async close(): Promise<void> {
		await this.host.dispose();
	}

	#ended(): Promise<boolean> {
		return Promise.race([this.host.exit.then(() => true), pause(END_MS, false, { ref: false })]);
	}

	async #shows(condition: (text: string) => boolean, deadlineMs: number): Promise<boolean> {
		const end = performance.now() + deadlineMs;
		await until(() => condition(this.host.screen.text()) || performance.now() > end, {
			what: "the screen to change",
			deadlineMs: deadlineMs + 1_000,
		});
		return condition(this.host.screen.text());
	}
}

/** The switches of focus reports, and the last bytes, as text. */
function tail(raw: string): string {
	const switches = [...raw.matchAll(/\x1b\[\?1004([hl])/g)].map(([, to]) => to).join("");
	return `${switches} … ${JSON.stringify(raw.slice(-600))}`;
}
