/**
 * Layers that are put over a text when it is printed, quoted or sent: line prefixes such as `12→`, `+` or a time, continued lines, and the escape
 * sequences of JSON, HTML and URLs. They are removed before a pattern looks at the text, so no pattern needs to know them.
 */

/** A range in a text. */
export interface Span {
	start: number;
	end: number;
}

/** A text below a layer. It consists only of the lines that had the layer, because the other lines are found above it. */
export class Layer {
	/**
	 * Ranges near the names and tokens in the text, in order. Layers are removed only there, because removing them takes longer than the
	 * search.
	 */
	readonly windows: Span[] = [];
	readonly #parts: string[] = [];
	/** Where each piece of this text starts, and where it comes from in the layer above. */
	readonly #starts: number[] = [];
	readonly #sources: number[] = [];
	readonly #ends: number[] = [];
	readonly #above: Layer | undefined;
	#length = 0;
	#text: string | undefined;

	constructor(above?: Layer, text = "") {
		this.#above = above;
		this.add(text, 0, text.length);
	}

	get text(): string {
		this.#text ??= this.#parts.join("");
		return this.#text;
	}

	/** Adds a window. The start positions of successive windows must not decrease by much. */
	look(start: number, end: number): void {
		const last = this.windows.at(-1);
		if (last && start <= last.end) last.end = Math.max(last.end, end);
		else this.windows.push({ start: Math.max(0, start), end });
	}

	/** Yields the windows, extended to whole lines, or to whole words if the lines are long. */
	*lines(): Generator<Span, void, void> {
		const { text } = this;
		let read = 0;
		for (const { start, end } of this.windows) {
			const before = Math.max(read, start - LONG_LINE);
			const from = before + text.slice(before, start).lastIndexOf("\n") + 1;
			const after = text.slice(end, end + LONG_LINE).indexOf("\n");
			WORD_END.lastIndex = Math.min(end, text.length);
			WORD_END.test(text);
			read = after < 0 ? WORD_END.lastIndex : end + after + 1;
			if (read > from) yield { start: from, end: read };
		}
	}

	add(part: string, start: number, end: number): void {
		if (part === "") return;
		this.#starts.push(this.#length);
		this.#sources.push(start);
		this.#ends.push(end);
		this.#parts.push(part);
		this.#length += part.length;
	}

	/** Returns the range in the text above all layers. */
	toSource(start: number, end: number): [start: number, end: number] {
		const range: [number, number] = [this.#sourceOf(start)[0], this.#sourceOf(end - 1)[1]];
		return this.#above ? this.#above.toSource(...range) : range;
	}

	#sourceOf(at: number): [start: number, end: number] {
		let low = 0;
		let high = this.#starts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#starts[middle] ?? 0) <= at) low = middle;
			else high = middle - 1;
		}
		const start = this.#starts[low] ?? 0;
		const source = this.#sources[low] ?? 0;
		const end = this.#ends[low] ?? 0;
		// A character that replaces a sequence stands for all of it.
		const isReplaced = this.#parts[low]?.length === 1 && end - source > 1;
		return isReplaced || at < start ? [source, end] : [source + at - start, source + at - start + 1];
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

const SEQUENCES = [
	/"|\\(?:[nrt"'`/\\]|u[\da-f]{4}|x[\da-f]{2})/gi,
	/&(?:quot|apos|amp|lt|gt|#\d{2,3});/gi,
	/%[\da-f]{2}/gi,
];
const ENCODED = [/\\[nrtux"'`/\\]/g, /&(?:quot|apos|amp|lt|gt|#\d)/gi, /%[\da-f]{2}/gi];
const NAMED: Readonly<Record<string, string>> = {
	n: "\n",
	r: "\r",
	t: "\t",
	quot: '"',
	apos: "'",
	amp: "&",
	lt: "<",
	gt: ">",
	// The marks around an encoded string end its lines, so that they are not taken for marks within it.
	'"': "\n",
};

function decoded(sequence: string): string {
	const [, code, digits = ""] = /^(%|&#|\\[ux](?=..))([\da-f]+)/i.exec(sequence) ?? [];
	if (code !== undefined) return String.fromCharCode(Number.parseInt(digits, code === "&#" ? 10 : 16));
	if (sequence.startsWith('\\"')) return '"';
	const name = sequence.length === 1 ? sequence : sequence.replace(/^[\\&]|;$/g, "");
	return NAMED[name.toLowerCase()] ?? name;
}

/** Number of characters that are read without a pause. */
const STEP = 32 * 1024;

/** Removes the prefixes of adjacent lines, and joins continued lines. Yields wherever it can be interrupted. */
function* withoutPrefixes(above: Layer): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	const isDiff = text.includes("@@ ") && /^@@ /m.test(text);
	let rested = 0;
	const add = (start: number, end: number) => layer.add(text.slice(start, end), start, end);
	for (const window of above.lines()) {
		let before: [start: number, end: number] | undefined;
		let isAdded = false;
		let isContinued = false;
		for (let { start } = window; start < window.end; ) {
			const next = text.indexOf("\n", start);
			const end = next < 0 || next > window.end ? window.end : next;
			const content = contentOf(text, start, end, isDiff);
			const last = text.charCodeAt(end - 1) === 13 ? end - 2 : end - 1;
			// A continued line ends with a backslash in a shell, with a backtick in PowerShell, and with a caret in cmd.exe.
			const mark = last > content ? text.slice(last - 1, last + 1) : "";
			const continues = next === end && /[^\\]\\| [`^]/.test(mark);
			const isOwn = content > start || continues || isContinued;
			if (isOwn && before && !isAdded) add(...before);
			isAdded = isOwn && (before !== undefined || continues);
			before = isOwn ? [content, continues ? last : Math.min(end + 1, text.length)] : undefined;
			if (isAdded && before) add(...before);
			isContinued = continues;
			start = end + 1;
			if (start - rested < STEP) continue;
			rested = start;
			yield;
		}
	}
	return layer;
}

/** Replaces the escape sequences of one kind, in the lines that contain any. Yields wherever it can be interrupted. */
function* withoutEscapes(above: Layer, kind: number): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	const [encoded = /$^/g, sequences = /$^/g] = [ENCODED[kind], SEQUENCES[kind]];
	let rested = 0;
	let first = -1;
	for (const window of above.lines())
		for (let { start } = window; start < window.end; ) {
			encoded.lastIndex = start;
			if (first < start) first = encoded.exec(text)?.index ?? text.length;
			if (first >= window.end) break;
			let read = start + text.slice(start, first).lastIndexOf("\n") + 1;
			const next = text.indexOf("\n", first);
			start = next < 0 || next > window.end ? window.end : next + 1;
			for (;;) {
				sequences.lastIndex = read;
				const one = sequences.exec(text);
				if (!one || one.index >= start) break;
				layer.add(text.slice(read, one.index), read, one.index);
				read = one.index + one[0].length;
				layer.add(decoded(one[0]), one.index, read);
				if (read - rested < STEP) continue;
				rested = read;
				yield;
			}
			layer.add(text.slice(read, start), read, start);
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
		const kind = ENCODED.findIndex((encoded) => {
			encoded.lastIndex = 0;
			return encoded.test(text);
		});
		if (kind < 0) return;
		layer = yield* withoutEscapes(layer, kind);
	}
}
