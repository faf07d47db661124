import type { Layer, Span } from "./layers.ts";

/**
 * Records the secrets that were found in one pass over the text, and the position up to which each
 * search function has read.
 */
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

	/**
	 * Requests that a range be searched again after its escape sequences and line prefixes have been
	 * removed.
	 */
	look(start: number, end: number): void {
		this.#layer.look(start, end);
	}

	hide(start: number, end: number): void {
		if (end > start) this.spans.push({ start, end });
	}

	isHidden(at: number): boolean {
		const last = this.spans.at(-1);
		return last !== undefined && at >= last.start && at < last.end;
	}

	/** No search function reads a position twice, so the running time is linear. */
	reachedBy(reader: unknown): number {
		return this.#reached.get(reader) ?? 0;
	}

	reach(reader: unknown, end: number): void {
		this.#reached.set(reader, Math.max(end, this.reachedBy(reader)));
	}

	/**
	 * Returns the quotation mark that is open at a position, or an empty string. Positions must be passed
	 * roughly in order.
	 */
	quoteAt(position: number): string {
		const { text } = this;
		while (this.#lineEnd < position) {
			// A quotation mark that is open at the end of a line does not enclose text on the next line.
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

export type Reader = (scan: Scan, at: number, literal: string) => void;

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Returning the end of a match is cheaper than returning the match. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Escape sequences include `\n`, `\u0022`, `%3D` and terminal colors. */
const ESCAPE_END =
	/(?:\\[nrtbf]|\\u[\dA-F]{4}|\\x[\dA-F]{2}|%[\dA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}[A-Za-z])$/i;

export function isAfterEscape(text: string, at: number): boolean {
	return ESCAPE_END.test(text.slice(Math.max(0, at - 24), at));
}

const isAlphanumeric = (code: number): boolean =>
	(code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** A letter before the position is ignored if it ends an escape sequence, as in `\nword`. */
export function startsWord(text: string, at: number): boolean {
	if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1)) || !isAlphanumeric(text.charCodeAt(at)))
		return true;
	return isAfterEscape(text, at);
}
