/**
 * Layers that are put over a text when it is printed, quoted or sent: line prefixes such as `12→`, `+` or a time, continued lines, and the
 * escape sequences of JSON, HTML and URLs. They are removed before a pattern is applied to the text, so no pattern needs to know them.
 */

/** A range in a text. */
export interface Span {
	start: number;
	end: number;
}

/** A text below a layer. It consists only of the lines that had the layer, because the other lines are found above it. */
export class Layer {
	text: string;
	/**
	 * Ranges near the names and tokens in the text, in order. Layers are removed only in these ranges, because removing them takes longer
	 * than the search.
	 */
	readonly windows: Span[] = [];
	/** Where each piece of this text starts, and where it comes from in the layer above. */
	readonly #starts: number[] = [];
	readonly #sources: number[] = [];
	readonly #lengths: number[] = [];
	readonly #above: Layer | undefined;

	constructor(above: Layer | undefined, text = "") {
		this.#above = above;
		this.text = text;
	}

	/** Adds a window. The start positions of successive windows must not decrease by much. */
	look(start: number, end: number): void {
		const last = this.windows.at(-1);
		if (last && start <= last.end) last.end = Math.max(last.end, end);
		else this.windows.push({ start: Math.max(0, start), end });
	}

	/** Adds a part of the text above, or the `part` that replaces it. */
	add(start: number, end: number, part = this.#above?.text.slice(start, end) ?? ""): void {
		if (part === "") return;
		this.#starts.push(this.text.length);
		this.#sources.push(start);
		this.#lengths.push(end - start);
		this.text += part;
	}

	/** Returns the range in the text above all layers. */
	toSource(start: number, end: number): Span {
		if (!this.#above) return { start, end };
		return this.#above.toSource(this.#sourceOf(start).start, this.#sourceOf(end - 1).end);
	}

	#sourceOf(at: number): Span {
		let low = 0;
		for (let high = this.#starts.length; low + 1 < high; ) {
			const middle = (low + high) >> 1;
			if ((this.#starts[middle] ?? 0) <= at) low = middle;
			else high = middle;
		}
		const [start = 0, from = 0, length = 0] = [this.#starts[low], this.#sources[low], this.#lengths[low]];
		// A character that replaces a sequence represents the whole sequence.
		const isReplaced = length !== (this.#starts[low + 1] ?? this.text.length) - start;
		return isReplaced
			? { start: from, end: from + length }
			: { start: from + at - start, end: from + at - start + 1 };
	}

	/** Yields the lines in the windows, or the words in them if the lines are long. A window does not end within a word. */
	*lines(): Generator<Span, void, void> {
		const { text } = this;
		let read = 0;
		for (const window of this.windows) {
			const before = Math.max(read, window.start - LONG_LINE);
			let start = Math.max(before, before + text.slice(before, window.start).lastIndexOf("\n") + 1);
			const after = text.slice(window.end, window.end + LONG_LINE).indexOf("\n");
			WORD_END.lastIndex = Math.min(window.end, text.length);
			WORD_END.test(text);
			read = Math.max(read, after < 0 ? WORD_END.lastIndex : window.end + after + 1);
			for (; start < read; ) {
				const next = text.indexOf("\n", start);
				const end = next < 0 || next >= read ? read : next + 1;
				yield { start, end };
				start = end;
			}
		}
	}
}

/** Maximum distance, in characters, within which the beginning or the end of a line is looked for. */
const LONG_LINE = 500;
const WORD_END = /\S{0,20000}/y;

/** Matches what precedes the content of a line: its number, position or time, the source of a log line, a quotation. */
const PREFIX =
	/[ \t]{0,8}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[ \t]|\d\d:\d\d:\d\d[.,\d]*[ \t]|\d{1,6}(?:[ \t]{0,4}[│|→] ?|[\t:-]| {2})|\[[\w ./:,+-]{1,60}\][ \t]|[│|>](?:[ \t]|(?=\r?\n|$))|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} \S{1,60}: )/y;
/** Matches such a prefix if it begins with a word. */
const WORD_PREFIX =
	/[ \t]{0,8}(?:[\w.@+/-]{1,100}?(?:[:-]\d{1,6}[:-]|[ \t]{0,20}\|[ \t])|\w[^\t\n]{0,60}?\t[^\t\n]{1,60}?\t(?=\d{4}-))/y;
/**
 * Matches the characters that every prefix with an initial word contains. Few lines contain them, and this check is cheaper than matching
 * the prefix.
 */
const IN_PREFIX = /[^\n:|\t-]{0,100}(?:[:-](?!\d)[^\n:|\t-]{0,100}){0,9}(?:[:-]\d|[|\t])/y;
const MOST_PREFIXES = 4;
/** Matches the sign of a line that was added, or of a key's first or last line. */
const ADDED = /[+](?! *(?:\r?\n|$))|[+-](?=-----(?:BEGIN|END))/y;
const SIGN = /[+ -]/y;
/** Matches a line of a key in base64, whatever is before it. */
const KEY_LINE = /(?<=^.{1,80}[ \t:|>→│\]+-])[A-Za-z\d+/]{40,}={0,2}\\?\r?$/;
/** Matches the end of such a line. This is much cheaper, because it is applied only to the last characters of a line. */
const KEY_LINE_END = /[A-Za-z\d+/]{40}={0,2}\\?\r?$/;
const KEY_LINE_END_LENGTH = 44;

/** Returns the position of a line's content, which follows the prefixes. `isDiff`: whether lines begin with a sign. */
function contentOf(text: string, start: number, end: number, isDiff: boolean): number {
	const passes = (pattern: RegExp, at: number): boolean => {
		pattern.lastIndex = at;
		return pattern.test(text) && pattern.lastIndex <= end;
	};
	let at = start;
	for (let count = 0; count < MOST_PREFIXES; count++) {
		if (passes(PREFIX, at)) at = PREFIX.lastIndex;
		else if (passes(IN_PREFIX, at) && passes(WORD_PREFIX, at)) at = WORD_PREFIX.lastIndex;
		else if (at === start && passes(isDiff ? SIGN : ADDED, at)) at++;
		else break;
	}
	if (end - at <= 40 || !KEY_LINE_END.test(text.slice(Math.max(at, end - KEY_LINE_END_LENGTH), end)))
		return at;
	const key = KEY_LINE.exec(text.slice(start, end))?.index;
	return key === undefined ? at : start + key;
}

/** Number of characters that are read without a pause. */
const STEP = 16 * 1024;

/** Removes the prefixes of adjacent lines, and joins continued lines. Yields wherever it can be interrupted. */
function* withoutPrefixes(above: Layer): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	const isDiff = /^@@ /m.test(text);
	let rested = 0;
	/** The preceding line, if it had a layer. */
	let before: Span | undefined;
	let isAdded = false;
	let isContinued = false;
	for (const { start, end } of above.lines()) {
		if (start > rested + STEP) {
			rested = start;
			yield;
		}
		const isWhole = text.charAt(end - 1) === "\n";
		const lineEnd = isWhole ? end - 1 : end;
		const content = contentOf(text, start, lineEnd, isDiff);
		const last = text.charAt(lineEnd - 1) === "\r" ? lineEnd - 2 : lineEnd - 1;
		// A continued line ends with a backslash in a shell, with a backtick in PowerShell, and with a caret in cmd.exe.
		const continues = isWhole && last > content && /[^\\]\\| [`^]/.test(text.slice(last - 1, last + 1));
		const own =
			content > start || continues || isContinued
				? { start: content, end: continues ? last : end }
				: undefined;
		if (own && before && !isAdded) layer.add(before.start, before.end);
		isAdded = own !== undefined && (before !== undefined || continues);
		if (isAdded && own) layer.add(own.start, own.end);
		before = own;
		isContinued = continues;
	}
	return layer;
}

/** The kinds of escape sequences. `some` shows that a line contains any; `each` matches each of them. */
const SEQUENCES = [
	{ some: /\\[nrtux"'`/\\]/g, each: /"|\\(?:[nrt"'`/\\]|u[\da-f]{4}|x[\da-f]{2})/gi },
	{ some: /&(?:quot|apos|amp|lt|gt|#\d)/gi, each: /&(?:quot|apos|amp|lt|gt|#\d{2,3});/gi },
	{ some: /%[\da-f]{2}/gi, each: /%[\da-f]{2}/gi },
];
/**
 * The replacements of named sequences. The marks around an encoded string become line breaks, so that they are not mistaken for marks
 * within it.
 */
const NAMED: Readonly<Record<string, string>> = {
	n: "\n",
	r: "\r",
	t: "\t",
	quot: '"',
	apos: "'",
	amp: "&",
	lt: "<",
	gt: ">",
	'"': "\n",
};

function decoded(sequence: string): string {
	const [, code, digits = ""] = /^(%|&#|\\[ux](?=..))([\da-f]+)/i.exec(sequence) ?? [];
	if (code !== undefined) return String.fromCharCode(Number.parseInt(digits, code === "&#" ? 10 : 16));
	if (sequence === '\\"') return '"';
	const name = sequence.replace(/^[\\&](?=.)|;$/g, "");
	return NAMED[name.toLowerCase()] ?? name;
}

/** Replaces escape sequences in the lines that contain any. Yields wherever it can be interrupted. */
function* withoutEscapes(
	above: Layer,
	{ some, each }: { some: RegExp; each: RegExp },
): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	let rested = 0;
	let first = -1;
	for (const { start, end } of above.lines()) {
		some.lastIndex = start;
		if (first < start) first = some.exec(text)?.index ?? text.length;
		if (first >= text.length) break;
		if (first >= end) continue;
		let read = start;
		each.lastIndex = start;
		for (let one = each.exec(text); one && one.index < end; one = each.exec(text)) {
			layer.add(read, one.index);
			read = each.lastIndex;
			layer.add(one.index, read, decoded(one[0]));
			if (read < rested + STEP) continue;
			rested = read;
			yield;
			each.lastIndex = read;
		}
		layer.add(read, end);
	}
	return layer;
}

/** Maximum depth of nested encodings, such as JSON in JSON in a URL. */
const DEEPEST = 4;

/**
 * Yields a text and the texts below its layers, one after another; yields undefined wherever it can be interrupted. Only the parts near
 * each text's windows are processed further.
 */
export function* layersOf(whole: string): Generator<Layer | undefined, void, void> {
	let layer = new Layer(undefined, whole);
	for (let depth = 0; depth <= DEEPEST; depth++) {
		yield layer;
		const { text } = layer;
		if (layer.windows.length === 0) return;
		// Prefixes are only removed from adjacent lines.
		const lines = text.includes("\n") ? yield* withoutPrefixes(layer) : undefined;
		if (lines && lines.text !== "") yield lines;
		const kind = SEQUENCES.find(({ some }) => text.search(some) >= 0);
		if (!kind) return;
		layer = yield* withoutEscapes(layer, kind);
	}
}
