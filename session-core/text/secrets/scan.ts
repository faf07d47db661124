import type { Layer, Span } from "./layers.ts";

/** One pass over a text: what was found, and the position that each reader has reached. */
export class Scan {
	readonly text: string;
	readonly spans: Span[] = [];
	readonly #layer: Layer;
	readonly #reached = new Map<unknown, number>();
	#read = 0;
	#lineEnd = -1;
	#mark = -1;
	#quote = "";

	constructor(layer: Layer) {
		this.#layer = layer;
		this.text = layer.text;
	}

	/** Requests that the text under layers from `start` up to `end` be searched, too. */
	look(start: number, end: number): void {
		this.#layer.look(start, end);
	}

	hide(start: number, end: number): void {
		if (end > start) this.spans.push({ start, end });
	}

	/** Whether a position is inside the most recently redacted span. A match that begins there does not need to be checked. */
	isHidden(at: number): boolean {
		const last = this.spans.at(-1);
		return last !== undefined && at >= last.start && at < last.end;
	}

	/** The position up to which `reader` has read. No reader reads a position twice, so the running time is linear. */
	reachedBy(reader: unknown): number {
		return this.#reached.get(reader) ?? 0;
	}

	reach(reader: unknown, end: number): void {
		this.#reached.set(reader, Math.max(end, this.reachedBy(reader)));
	}

	/** Returns the quotation mark that is open at a position in a line; empty if there is none. Positions must not decrease by much. */
	quoteAt(position: number): string {
		const { text } = this;
		while (this.#lineEnd < position) {
			// A quotation mark that is open on one line does not enclose text on the next line.
			if (this.#lineEnd >= 0) [this.#read, this.#quote] = [this.#lineEnd + 1, ""];
			const end = text.indexOf("\n", this.#read);
			this.#lineEnd = end < 0 ? text.length : end;
		}
		for (;;) {
			if (this.#mark < this.#read) {
				MARK.lastIndex = this.#read;
				this.#mark = MARK.exec(text)?.index ?? text.length;
			}
			if (this.#mark >= position) return this.#quote;
			const mark = text.charAt(this.#mark);
			this.#read = this.#mark + (mark === "\\" ? 2 : 1);
			// An apostrophe within a word is not a quotation mark.
			const isApostrophe = mark === "'" && /[\p{L}\d]/u.test(text.charAt(this.#mark - 1));
			if (mark === this.#quote) this.#quote = "";
			else if (this.#quote === "" && mark !== "\\" && !isApostrophe) this.#quote = mark;
		}
	}
}

const MARK = /["'`\\]/g;

/** Checks the text at an anchor. */
export type Reader = (scan: Scan, at: number, literal: string) => void;

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Returns the end position of a sticky pattern's match at a position. This is cheaper than returning the match. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Matches an escape sequence at the end of a text: `\n`, `\u0022`, `%3D`, or a terminal color, as a control sequence or written out. */
const ESCAPE_END =
	/(?:\\[nrtbf]|\\u[\dA-F]{4}|\\x[\dA-F]{2}|%[\dA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}[A-Za-z])$/i;

/** Whether an escape sequence ends at a position. */
export function isAfterEscape(text: string, at: number): boolean {
	return ESCAPE_END.test(text.slice(Math.max(0, at - 24), at));
}

/** Whether a code unit is an ASCII letter or digit. */
const isAlphanumeric = (code: number): boolean =>
	(code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Whether a word can begin at a position. If a letter or digit is directly before it, that character must end an escape sequence. */
export function startsWord(text: string, at: number): boolean {
	if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1)) || !isAlphanumeric(text.charCodeAt(at)))
		return true;
	return isAfterEscape(text, at);
}
