import { createRequire } from "node:module";
import type { IBufferCell, IModes, Terminal as XtermTerminal } from "@xterm/headless";
import { DEADLINE_MS } from "./until.ts";

// This package is a CommonJS bundle whose exports Node cannot detect, so a named import works only with
// a bundler.
const { Terminal } = createRequire(import.meta.url)("@xterm/headless") as typeof import("@xterm/headless");

export interface Frame {
	/** The time in milliseconds, from `performance.now()`. */
	at: number;
	text: string;
}

/** One cell of the screen. A color is undefined if it is the terminal's default. */
export interface Cell {
	/** The grapheme; empty in the second half of a wide one. */
	text: string;
	width: number;
	foreground: number | undefined;
	background: number | undefined;
	bold: boolean;
	dim: boolean;
	inverse: boolean;
}

/** A pattern for the screen's text, with or without its line breaks, or a predicate. */
export type ScreenCondition = RegExp | ((text: string) => boolean);

const SYNCHRONIZED_OUTPUT = 2026;
const FRAMES_KEPT = 400;

/** What a user sees of a program's output: no partial frames (synchronized output, mode 2026). */
export class Screen {
	/** The newest finished frames, oldest first. The host ends each frame with DECRST 2026. */
	readonly frames: Frame[] = [];
	title = "";
	readonly #terminal: XtermTerminal;
	readonly #watchers = new Set<() => void>();
	#held: string[] | undefined;
	#closed: string | undefined;

	/** `answer` receives a terminal's replies to queries such as device attributes. */
	constructor(cols: number, rows: number, answer: (bytes: string) => void) {
		this.#terminal = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 5000 });
		this.#terminal.onData(answer);
		this.#terminal.onTitleChange((title) => {
			this.title = title;
		});
		this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) => {
			if (params.includes(SYNCHRONIZED_OUTPUT)) this.#held = this.rows();
			return false;
		});
		this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, (params) => {
			if (params.includes(SYNCHRONIZED_OUTPUT)) this.#endFrame();
			return false;
		});
	}

	/** Writes bytes. Resolves when they are on the screen. */
	write(data: string): Promise<void> {
		return new Promise((resolve) => {
			this.#terminal.write(data, () => {
				this.#look();
				resolve();
			});
		});
	}

	/** Visible rows without trailing whitespace. While the host paints, those of the previous frame. */
	rows(): string[] {
		if (this.#held) return this.#held;
		const { active } = this.#terminal.buffer;
		return Array.from({ length: this.#terminal.rows }, (_, row) => {
			return (
				active
					.getLine(active.viewportY + row)
					?.translateToString()
					.trimEnd() ?? ""
			);
		});
	}

	text(): string {
		return this.rows().join("\n");
	}

	scrollback(): string {
		const { active } = this.#terminal.buffer;
		const all = Array.from({ length: active.length }, (_, row) => active.getLine(row));
		return all.map((line) => line?.translateToString(true) ?? "").join("\n");
	}

	/** Cells of one visible row, from 0, with their attributes. */
	cells(row: number): Cell[] {
		const { active } = this.#terminal.buffer;
		const line = active.getLine(active.viewportY + row);
		return Array.from({ length: this.#terminal.cols }, (_, column) => line?.getCell(column))
			.filter((cell) => cell !== undefined)
			.map(readCell);
	}

	rowOf(pattern: RegExp): number {
		return this.rows().findIndex((row) => pattern.test(row));
	}

	/** The terminal modes that the program last set, including `sendFocusMode` (DECSET 1004). */
	modes(): IModes {
		return this.#terminal.modes;
	}

	get size(): { cols: number; rows: number } {
		return { cols: this.#terminal.cols, rows: this.#terminal.rows };
	}

	resize(cols: number, rows: number): void {
		this.#terminal.resize(cols, rows);
	}

	/** Resolves with the text when it meets the condition, or rejects with its description and the screen. */
	waitFor(condition: ScreenCondition, what = String(condition), deadlineMs = DEADLINE_MS): Promise<string> {
		const holds = condition instanceof RegExp ? (text: string) => shows(text, condition) : condition;
		return new Promise((resolve, reject) => {
			const fail = (why: string): void => {
				stop();
				reject(new Error(`Waited in vain for ${what}: ${why}.\n${this.picture()}`));
			};
			const look = (): void => {
				const text = this.text();
				if (holds(text)) {
					stop();
					resolve(text);
				} else if (this.#closed !== undefined) fail(this.#closed);
			};
			const timer = setTimeout(() => fail(`not in ${deadlineMs} ms`), deadlineMs);
			const stop = (): void => {
				clearTimeout(timer);
				this.#watchers.delete(look);
			};
			this.#watchers.add(look);
			look();
		});
	}

	waitUntilGone(gone: string): Promise<string> {
		return this.waitFor((text) => !text.includes(gone), `"${gone}" to disappear`);
	}

	picture(): string {
		const rows = this.rows();
		const used = rows.findLastIndex((row) => row !== "") + 1;
		const rule = "─".repeat(this.#terminal.cols);
		return [`┌${rule}`, ...rows.slice(0, used).map((row) => `│${row}`), `└${rule}`].join("\n");
	}

	/** Rejects all pending waits with this reason, because nothing more will be written. */
	close(reason: string): void {
		this.#closed ??= reason;
		this.#look();
	}

	dispose(): void {
		this.close("the terminal was closed");
		this.#terminal.dispose();
	}

	#endFrame(): void {
		this.#held = undefined;
		this.frames.push({ at: performance.now(), text: this.text() });
		if (this.frames.length > FRAMES_KEPT) this.frames.shift();
		this.#look();
	}

	#look(): void {
		for (const watcher of [...this.#watchers]) watcher();
	}
}

function shows(text: string, pattern: RegExp): boolean {
	return text.search(pattern) >= 0 || collapse(text).search(pattern) >= 0;
}

function collapse(text: string): string {
	return text.replace(/\s+/g, " ");
}

function readCell(cell: IBufferCell): Cell {
	return {
		text: cell.getChars(),
		width: cell.getWidth(),
		foreground: cell.isFgDefault() ? undefined : cell.getFgColor(),
		background: cell.isBgDefault() ? undefined : cell.getBgColor(),
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		inverse: cell.isInverse() !== 0,
	};
}
