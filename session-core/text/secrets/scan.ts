/** A part of a text that is a secret: what is hidden, and the value itself where more is hidden than that. */
export interface Span {
	start: number;
	end: number;
	/** The secret proper, for finding it elsewhere: undefined where it is the whole span. */
	value?: string;
}

const LOUD = /[\d!@#$%^&*?+]|\w-\w+-\w+-/g;

/** One reading of a text. Readers are called at anchors and say what they found. */
export class Scan {
	readonly spans: Span[] = [];
	readonly text: string;
	/** Everything before is hidden or was passed: what begins there needs no look. */
	hiddenTo = 0;
	readonly #loud = { before: { from: 0, at: -1 }, after: { from: 0, at: -1 } };
	readonly #reached = new Map<string, number>();

	constructor(text: string) {
		this.text = text;
	}

	hide(start: number, end: number, value?: string): void {
		if (end <= start) return;
		this.spans.push(value === undefined ? { start, end } : { start, end, value });
		this.hiddenTo = Math.max(this.hiddenTo, end);
	}

	/**
	 * The first place from `from` on with a sign that passwords hold and words do not: far, where there is none. Cheap if
	 * the places that a `reader` asks for come in order.
	 */
	loudFrom(reader: "before" | "after", from: number): number {
		const last = this.#loud[reader];
		if (from >= last.from && from <= last.at) return last.at;
		LOUD.lastIndex = from;
		const at = LOUD.test(this.text) ? LOUD.lastIndex - 1 : Number.POSITIVE_INFINITY;
		this.#loud[reader] = { from, at };
		return at;
	}

	/**
	 * Whether a reader that looks at more than the place of its anchor may look at `at`: no reader looks at a place
	 * twice, which keeps the whole linear.
	 */
	isFresh(reader: string, at: number): boolean {
		return at >= (this.#reached.get(reader) ?? 0);
	}

	/** The reader has looked at all before `end`. */
	reach(reader: string, end: number): void {
		this.#reached.set(reader, Math.max(end, this.#reached.get(reader) ?? 0));
	}
}

/** Looks at what stands at an anchor. */
export type Reader = (scan: Scan, at: number, literal: string) => void;

/** A sticky match at a place; undefined where there is none. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Where a sticky match at a place ends; cheaper than the match itself. Undefined where there is none. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The line (bounded) from `at` on: its end. */
export function lineEnd(text: string, at: number, bound: number): number {
	const end = Math.min(text.length, at + bound);
	for (let i = at; i < end; i++) {
		const code = text.charCodeAt(i);
		if (code === 10 || code === 13) return i;
	}
	return end;
}

/** Where the line begins that `at` stands in, looking back no further than `bound`. */
export function lineStart(text: string, at: number, bound: number): number {
	const limit = Math.max(0, at - bound);
	let start = at;
	while (start > limit && text.charCodeAt(start - 1) !== 10) start--;
	return start;
}
