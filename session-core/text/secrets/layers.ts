/**
 * Layers that are put over a text when it is printed, quoted or sent: line prefixes such as `12→`, `+` or a time, and the escape sequences of
 * JSON, HTML and URLs. They are removed before a pattern looks at the text, so no pattern needs to know them.
 */

/** A text below a layer. It consists only of the lines that had the layer, because the others are found above it. */
export class Layer {
	text = "";
	/** Pieces of the text: where they begin, and their range in the text above. */
	readonly #starts: number[] = [];
	readonly #sources: number[] = [];
	readonly #ends: number[] = [];
	readonly #above: Layer | undefined;

	constructor(above?: Layer, text = "") {
		this.#above = above;
		if (text !== "") this.add(text, 0, text.length);
	}

	add(part: string, start: number, end: number): void {
		if (part === "") return;
		this.#starts.push(this.text.length);
		this.#sources.push(start);
		this.#ends.push(end);
		this.text += part;
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
		const isReplaced =
			((this.#starts[low + 1] ?? this.text.length) - start === 1 && end - source > 1) || at < start;
		return isReplaced ? [source, end] : [source + at - start, source + at - start + 1];
	}
}

const AFTER_BLANKS = /[ \t]{0,8}/y;
const WORD_PREFIX =
	/[\w.@+/-]{1,100}?(?:[:-]\d{1,6}[:-]|[ \t]{0,20}\|[ \t])|\w[^\t]{0,60}?\t[^\t]{1,60}?\t(?=\d{4}-)/y;
/** What precedes the content of a line, by its first character: its number, position or time, the source of a log line, a quotation. */
const PREFIXES: readonly (readonly [first: RegExp, prefix: RegExp])[] = [
	[
		/\d/,
		/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[ \t]|\d\d:\d\d:\d\d[.,\d]*[ \t]|\d{1,6}(?:[ \t]{0,4}[│|→] ?|[\t:-]| {2})/y,
	],
	[/\[/, /\[[\w ./:,+-]{1,60}\][ \t]/y],
	[/[│|>]/, /[│|>](?:[ \t]|$)/y],
	[/[A-Z]/, /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} \S{1,60}: /y],
	[/[\w.@/]/, WORD_PREFIX],
];
const MOST_PREFIXES = 4;
/** Matches the sign of a line that was added, or of a key's first or last line. */
const ADDED = /^(?:[+](?! *$)|[+-](?=-----(?:BEGIN|END)))/;
/** Matches what the last of these prefixes contains. Few lines have it, and this is cheaper than the prefix. */
const IN_PREFIX = /[:-]\d{1,6}[:-]|[|\t]/;
const LONGEST_PREFIX = 130;
/** Matches a line of a key in base64, whatever is before it. */
const KEY_LINE = /(?<=^.{1,80}[ \t:|>→│\]+-])[A-Za-z\d+/]{40,}={0,2}\\?\r?$/;
/** Matches the end of such a line. Applied to the last characters of a line, it is much cheaper. */
const KEY_LINE_END = /[A-Za-z\d+/]{40}={0,2}\\?\r?$/;
const KEY_LINE_END_LENGTH = 44;

/** Returns the length of what precedes the content of a line. `isDiff`: whether lines begin with a sign. */
function prefixOf(line: string, isDiff: boolean): number {
	let at = 0;
	for (let count = 0; count < MOST_PREFIXES; count++) {
		AFTER_BLANKS.lastIndex = at;
		AFTER_BLANKS.test(line);
		const start = AFTER_BLANKS.lastIndex;
		const first = line.charAt(start);
		const found = PREFIXES.find(([opening, prefix]) => {
			prefix.lastIndex = start;
			return (
				opening.test(first) &&
				(prefix !== WORD_PREFIX || IN_PREFIX.test(line.slice(start, start + LONGEST_PREFIX))) &&
				prefix.test(line)
			);
		});
		if (found) at = found[1].lastIndex;
		else if (at === 0 && (isDiff ? /^[+ -]/ : ADDED).test(line)) at++;
		else break;
	}
	const isKey =
		line.length - at > 40 &&
		!line.includes(" ", line.length - 40) &&
		KEY_LINE_END.test(line.slice(-KEY_LINE_END_LENGTH));
	return (isKey && KEY_LINE.exec(line)?.index) || at;
}

const SEQUENCES = [
	/"|\\(?:[nrt"'`/\\]|u[\da-f]{4}|x[\da-f]{2})/gi,
	/&(?:quot|apos|amp|lt|gt|#\d{2,3});/gi,
	/%[\da-f]{2}/gi,
];
const ENCODED = [/\\[nrtux"'`/\\]/, /&(?:quot|apos|amp|lt|gt|#\d)/i, /%[\da-f]{2}/i];
/** The characters with which the sequences begin. Searching for them is much cheaper than matching the patterns. */
const MARKS = ["\\", "&", "%"];
const NAMED: Readonly<Record<string, string>> = {
	n: "\n",
	r: "\r",
	t: "\t",
	quot: '"',
	apos: "'",
	amp: "&",
	lt: "<",
	gt: ">",
};

function decoded(sequence: string): string {
	if (sequence.length === 2) return NAMED[sequence.charAt(1).toLowerCase()] ?? sequence.charAt(1);
	// The marks around an encoded string end its lines, so that they are not taken for marks within it.
	if (sequence === '"') return "\n";
	if (sequence.startsWith("%")) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
	if (/^\\[ux]./i.test(sequence)) return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
	if (sequence.startsWith("&#")) return String.fromCharCode(Number.parseInt(sequence.slice(2), 10));
	const name = sequence.replace(/[\\&;]/g, "");
	return NAMED[name.toLowerCase()] ?? sequence.slice(1);
}

/** Number of characters that are read without a pause. */
const STEP = 32 * 1024;

/** Calls `read` for each line of a text. Yields wherever it may be interrupted. */
function* eachLine(
	text: string,
	read: (line: string, start: number, end: number) => void,
): Generator<undefined, void, void> {
	let rested = 0;
	for (let start = 0; start < text.length; ) {
		const next = text.indexOf("\n", start);
		const end = next < 0 ? text.length : next;
		read(text.slice(start, end), start, Math.min(end + 1, text.length));
		start = end + 1;
		if (start - rested < STEP) continue;
		rested = start;
		yield;
	}
}

/** Removes the prefixes of adjacent lines. */
function* withoutPrefixes(above: Layer): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	const isDiff = text.includes("@@ ") && /^@@ /m.test(text);
	let before: [start: number, end: number] | undefined;
	let isAdded = false;
	yield* eachLine(text, (line, start, end) => {
		const content = start + prefixOf(line, isDiff);
		const own: typeof before = content > start ? [content, end] : undefined;
		if (own && before && !isAdded) layer.add(text.slice(...before), ...before);
		if (own && before) layer.add(text.slice(...own), ...own);
		isAdded = own !== undefined && before !== undefined;
		before = own;
	});
	return layer;
}

/** Replaces the escape sequences of one kind, in the lines that contain any. */
function* withoutEscapes(above: Layer, kind: number): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	const [encoded = /$^/, sequences = /$^/g] = [ENCODED[kind], SEQUENCES[kind]];
	yield* eachLine(text, (line, start, end) => {
		if (!encoded.test(line)) return;
		let read = start;
		for (const { index, 0: found } of line.matchAll(sequences)) {
			layer.add(text.slice(read, start + index), read, start + index);
			read = start + index + found.length;
			layer.add(decoded(found), start + index, read);
		}
		layer.add(text.slice(read, end), read, end);
	});
	return layer;
}

/** Maximum number of times that a text is encoded within another one, such as JSON in JSON in a URL. */
const DEEPEST = 4;

/** Yields a text and what is below its layers, one text after another; undefined wherever it may be interrupted. */
export function* layersOf(whole: string): Generator<Layer | undefined, void, void> {
	let layer = new Layer(undefined, whole);
	for (let depth = 0; depth <= DEEPEST; depth++) {
		yield layer;
		const { text } = layer;
		// Prefixes are only removed from adjacent lines.
		const lines = text.includes("\n") ? yield* withoutPrefixes(layer) : undefined;
		if (lines && lines.text !== "") yield lines;
		const kind = ENCODED.findIndex(
			(encoded, index) => text.includes(MARKS[index] ?? "") && encoded.test(text),
		);
		if (kind < 0) return;
		layer = yield* withoutEscapes(layer, kind);
	}
}
