import type { TerminalHost } from "../host/terminal-host.ts";
import { leaksIn, type Planted } from "./secrets.ts";

/** Text on the screen after an error of ours. */
const OUR_ERROR =
	/Extension "[^"]*" error|extension ctx is stale|Unhandled|UnhandledPromiseRejection|uncaughtException/;

/** Checks the frames that a host painted since the last check. */
export class ScreenWatch {
	readonly #host: TerminalHost;
	readonly #planted: readonly Planted[];
	#seenAt = 0;
	/** Leaks in the last frame. A frame may show a repaint that is not complete, so a leak counts if the next frame has it too. */
	#suspected = new Map<string, string>();

	constructor(host: TerminalHost, planted: readonly Planted[]) {
		this.#host = host;
		this.#planted = planted;
	}

	/** Faults in the new frames. */
	look(): string[] {
		const frames = this.#host.screen.frames.filter(({ at }) => at > this.#seenAt);
		this.#seenAt = frames.at(-1)?.at ?? this.#seenAt;
		const found = frames.flatMap(({ text }) => this.#faultsIn(text));
		const inTitle = leaksIn(this.#host.screen.title, this.#planted).map((kind) => `${kind} in the title`);
		return [...new Set([...found, ...inTitle])];
	}

	#faultsIn(text: string): string[] {
		const error = OUR_ERROR.exec(text);
		const own = ownLines(text.split("\n"));
		const suspected = new Map(leaksIn(own, this.#planted).map((kind) => [kind, own]));
		const leaked = [...suspected.keys()].filter((kind) => this.#suspected.has(kind));
		this.#suspected = suspected;
		return [
			...(error ? [`an error on the screen:\n${text}`] : []),
			...leaked.map((kind) => `${kind} on the screen, in lines of ours:\n${own}\nThe whole screen:\n${text}`),
		];
	}
}

/** The first line of the board. */
const HEADING = " Sessions";
/** Above and below the editor. */
const RULE = /^─{10}/;
/** The end of our lines: the editor, or the host's session picker, which 1.5.2 draws without a rule. */
const BELOW = /^─{10}|^\s*Resume S|^\s*tab scope · /;
/** The first line of a command's answer, which ends at a blank line. */
const ANSWER =
	/^\s*(?:Warning: |Error: )?(?:recap|recap-card|rename|sessions|resume-here|resume-from|recall): /;

/** Lines that we draw: the board; recap, card and title above the editor; answers to commands; the footer. */
function ownLines(all: readonly string[]): string {
	// The host's session picker shows text from session files.
	const picker = all.findIndex((row) => /^\s*tab scope · /.test(row));
	const rows = picker < 0 ? all : all.slice(0, Math.max(0, picker - 1));
	const board = boardAt(rows);
	if (board >= 0) return rows.slice(board).join("\n");
	const own: string[] = [];
	let end: RegExp | undefined;
	for (const row of rows) {
		if (end?.test(row)) end = undefined;
		if (/^\s*[✦▤✎] /.test(row)) end = BELOW;
		else if (ANSWER.test(row)) end ??= /^\s*$/;
		if (end) own.push(row);
	}
	// The footer is below the editor, which is between two rules. A single rule is a part of the conversation.
	const rules = rows.flatMap((row, index) => (RULE.test(row) ? [index] : []));
	const footer = rules.length > 1 ? (rules.at(-1) ?? 0) : rows.length;
	return [...own, ...rows.slice(footer + 1)].join("\n");
}

/** Index of the board's first row; -1: the board is not open. */
export function boardAt(rows: readonly string[]): number {
	return rows.findIndex((row) => row === HEADING || row.startsWith(`${HEADING}  `));
}
