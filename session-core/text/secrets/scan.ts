export interface Span {
	start: number;
	end: number;
}

/**
 * Collects the secrets that are found in a string. For each search function, records how far the string
 * has been searched.
 */
export class Scan {
	readonly text: string;
	readonly spans: Span[] = [];
	/**
	 * True if more secrets may be found after a layer of encoding, such as JSON escapes, has been removed.
	 */
	isPromising = false;
	readonly #reached = new Map<unknown, number>();
	#read = 0;
	#quote = "";

	constructor(text: string) {
		this.text = text;
	}

	hide(start: number, end: number): void {
		if (end > start) this.spans.push({ start, end });
	}

	isHidden(at: number): boolean {
		const last = this.spans.at(-1);
		return last !== undefined && at >= last.start && at < last.end;
	}

	/** No search function reads a position of the text twice, so the search takes linear time. */
	reachedBy(reader: unknown): number {
		return this.#reached.get(reader) ?? 0;
	}

	reach(reader: unknown, end: number): void {
		this.#reached.set(reader, Math.max(end, this.reachedBy(reader)));
	}

	/**
	 * Returns the quotation mark that is open at a position in a line, or an empty string. Positions must
	 * be passed in approximately ascending order.
	 */
	quoteAt(position: number): string {
		for (const { text } = this; ; this.#read++) {
			this.#read = endOf(UNQUOTED, text, this.#read) ?? this.#read;
			if (this.#read >= position) return this.#quote;
			const mark = text.charAt(this.#read);
			const isApostrophe = mark === "'" && /[\p{L}\d]/u.test(text.charAt(this.#read - 1));
			if (mark === "\n" || mark === this.#quote) this.#quote = "";
			else if (mark === "\\" && text.charAt(this.#read + 1) !== "\n") this.#read++;
			else if (this.#quote === "" && mark !== "\\" && !isApostrophe) this.#quote = mark;
		}
	}
}

const UNQUOTED = /[^"'`\\\n]+/y;

export type Reader = (scan: Scan, at: number, literal: string) => void;

/**
 * A literal string to search for, at least two characters long. Unless `exact` is set, the string is in
 * lowercase and matches text in any case.
 */
export interface Anchor {
	literal: string;
	exact?: boolean;
	value: Reader;
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Returns the end of a match, or undefined. Returning the whole match would be slower. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Matches the end of an escape sequence, such as `\n`, `\u0022`, `%3D` or a terminal color. */
const ESCAPE_END =
	/(?:\\[nrtbf]|\\u[\dA-F]{4}|\\x[\dA-F]{2}|%[\dA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}[A-Za-z])$/i;

/** The number of characters around a position that are examined to recognize minified code. */
const MINIFIED = 300;

/**
 * Minified code consists of long lines in which strings and expressions alternate. In minified code, a
 * value is considered a secret only if it is quoted or contains no code punctuation.
 */
export function isMinifiedCode(text: string, start: number, end: number): boolean {
	if (/["']/.test(text.charAt(start - 1)) || !/[`(){}[\]=?|;,!<>]/.test(text.slice(start, end))) return false;
	const around = text.slice(Math.max(0, start - MINIFIED), start + MINIFIED);
	return around.length === 2 * MINIFIED && !around.includes("\n");
}

export function startsWord(text: string, at: number): boolean {
	const isWord = (index: number) => /[\p{L}\p{N}]/u.test(text.charAt(index));
	return !isWord(at) || !isWord(at - 1) || ESCAPE_END.test(text.slice(Math.max(0, at - 24), at));
}
