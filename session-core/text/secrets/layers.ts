import { matchAt, type Span } from "./scan.ts";

/**
 * Text that was printed, quoted or sent may have several layers: line prefixes such as `12→` or `+`,
 * continued lines, and escape sequences of JSON, HTML and URLs. All layers are removed before a pattern
 * is applied, so that patterns do not need to handle layers.
 */

/** A copy of a text without one of its layers. `#above` still has that layer. */
export class Layer {
	text: string;
	/**
	 * True if another layer of encoding should be removed. Removing a layer takes longer than searching
	 * the text for secrets.
	 */
	isPromising = false;
	readonly #above: Layer | undefined;
	/**
	 * Maps the parts of this layer's text to ranges of the text from which the layer was made. `at` is the
	 * position in this layer's text.
	 */
	readonly #parts: (Span & { at: number })[] = [];

	constructor(above?: Layer, text = "") {
		this.#above = above;
		this.text = text;
	}

	add(start: number, end: number, replacement?: string): void {
		const part = replacement ?? this.#above?.text.slice(start, end) ?? "";
		if (part === "") return;
		this.#parts.push({ at: this.text.length, start, end });
		this.text += part;
	}

	/** Converts a range of this layer's text to the corresponding range of the original text. */
	toSource(start: number, end: number): Span {
		if (!this.#above) return { start, end };
		return this.#above.toSource(this.#sourceOf(start).start, this.#sourceOf(end - 1).end);
	}

	#sourceOf(position: number): Span {
		let low = 0;
		for (let high = this.#parts.length; low + 1 < high; ) {
			const middle = (low + high) >> 1;
			if ((this.#parts[middle]?.at ?? 0) <= position) low = middle;
			else high = middle;
		}
		const { at = 0, start = 0, end = 0 } = this.#parts[low] ?? {};
		const length = (this.#parts[low + 1]?.at ?? this.text.length) - at;
		if (length !== end - start) return { start, end };
		return { start: start + position - at, end: start + position - at + 1 };
	}
}

interface Kind {
	/**
	 * The regular expression for the parts to remove. Only lines from which at least one part was removed
	 * are searched again, because all other lines have already been searched.
	 */
	each: RegExp;
	/** A fast pattern that matches every line that must be changed. */
	some?: RegExp;
	/** Lines that begin with this character are not searched again. */
	without?: string;
	plain: (part: string) => string;
}

const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[ \t]|\d\d:\d\d:\d\d[.,\d]*[ \t]`;
const PREFIX = String.raw`[ \t]{0,8}(?:${TIME}|(?:TRACE|DEBUG|INFO|WARN|ERROR):?[ \t]{1,2}|\d{1,6}(?:[ \t]{0,4}→ ?|[\t:-]| {2})|\[[\w ./:,+-]{1,60}\][ \t]|[│|>](?:[ \t]|(?=\r?$))|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} \S{1,60}: )`;
/**
 * Only one line number or file name is removed from each line, because the next column may be a table
 * cell.
 */
const FIRST_PREFIX = String.raw`[ \t]{0,8}(?:\d{1,6}[ \t]{0,4}[│|] ?|[\w.@+/-]{1,100}?(?:[:-]\d{1,6}[:-]|[ \t]{0,20}\|[ \t])|\w[^\t\n]{0,60}?\t[^\t\n]{1,60}?\t(?=\d{4}-))`;
/** A line continues after a backslash in a shell, a backtick in PowerShell, or a caret in cmd.exe. */
const CONTINUED = String.raw`(?:(?<=[^\\\n])\\|(?<= )[\x60^])\r?\n`;
/**
 * In a diff, every line begins with a marker. In other text, `+` is always treated as a marker. `-` is
 * treated as a marker only before an indented line and before the first or last line of a private key.
 */
const ADDED = String.raw`[+](?! *\r?$)|[+-](?=-----(?:BEGIN|END))|-(?= {3,}\S)`;

function linesWith(sign: string, without?: string): Kind {
	const before = `(?:${sign})?(?:(?:${PREFIX}){1,4}|${FIRST_PREFIX}(?:${PREFIX}){0,3})`;
	const each = new RegExp(`^(?:${before}|${sign})|${CONTINUED}`, "gm");
	return { each, plain: () => "", ...(without && { without }) };
}
const LINES = [linesWith(ADDED)];
/** In a diff, a removed line and an added line may both continue the line above them. */
const DIFF = [linesWith("[+ -]", "-"), linesWith("[+ -]", "+")];
const IS_DIFF = /^@@ |^- {3}.*\r?\n(?:-.*\r?\n){0,20}\+ /m;

/**
 * The quotation marks around an encoded string become line breaks, so that they are not mistaken for
 * quotation marks inside the string.
 */
const NAMED = new Map(
	Object.entries({ n: "\n", r: "\r", t: "\t", quot: '"', apos: "'", amp: "&", lt: "<", gt: ">", '"': "\n" }),
);

function decoded(sequence: string): string {
	const [, code, digits = ""] = /^(%|&#|\\[ux](?=..))([\da-f]+)/i.exec(sequence) ?? [];
	if (code !== undefined) return String.fromCharCode(Number.parseInt(digits, code === "&#" ? 10 : 16));
	if (sequence === '\\"') return '"';
	const name = sequence.replace(/^[\\&](?=.)|;$/g, "");
	return NAMED.get(name.toLowerCase()) ?? name;
}

const ESCAPES: readonly (Kind & { some: RegExp })[] = [
	{ some: /\\[nrtux"'`/\\]/g, each: /"|\\(?:[nrt"'`/\\]|u[\da-f]{4}|x[\da-f]{2})/gi, plain: decoded },
	{ some: /&(?:quot|apos|amp|lt|gt|#\d)/gi, each: /&(?:quot|apos|amp|lt|gt|#\d{2,3});/gi, plain: decoded },
	{ some: /%[\da-f]{2}/gi, each: /%[\da-f]{2}/gi, plain: decoded },
];

const AT_ONCE = 50;

function* peeled(
	above: Layer,
	{ some, each, plain, without = "\n" }: Kind,
): Generator<undefined, Layer, void> {
	const { text } = above;
	const layer = new Layer(above);
	let next = -1;
	let isContinued = false;
	let count = 0;
	for (let start = 0, end = 0; start < text.length; start = end) {
		if (count++ % AT_ONCE === 0) yield;
		end = text.indexOf("\n", start) + 1 || text.length;
		if (some && next < start) next = matchAt(some, text, start)?.index ?? text.length;
		if (some && next >= end) continue;
		const line = text.slice(start, end);
		if (line.startsWith(without)) continue;
		let read = 0;
		for (let part = matchAt(each, line, 0); part; part = matchAt(each, line, read)) {
			layer.add(start + read, start + part.index);
			read = part.index + part[0].length;
			layer.add(start + part.index, start + read, plain(part[0]));
			if (count++ % AT_ONCE === 0) yield;
		}
		if (read === 0 && !isContinued) continue;
		isContinued = read === line.length;
		layer.add(start + read, end);
	}
	return layer;
}

/** The maximum number of nested encodings, such as a URL that contains JSON that contains JSON. */
const DEEPEST = 4;

/**
 * Yields the original text, and then yields the remaining text after each layer, such as line prefixes
 * or JSON escapes, has been removed.
 */
export function* layersOf(whole: string): Generator<Layer | undefined, void, void> {
	let layer = new Layer(undefined, whole);
	for (let depth = 0; depth <= DEEPEST; depth++) {
		yield layer;
		const { text, isPromising } = layer;
		if (!isPromising) return;
		for (const kind of IS_DIFF.test(text) ? DIFF : LINES) {
			const lines = yield* peeled(layer, kind);
			if (lines.text !== "") yield lines;
		}
		const kind = ESCAPES.find(({ some }) => text.search(some) >= 0);
		if (!kind) return;
		layer = yield* peeled(layer, kind);
	}
}
