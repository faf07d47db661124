/**
 * A printed, quoted or sent text may have layers: line prefixes such as `12→` or `+`, continued lines,
 * and escape sequences of JSON, HTML and URLs. These layers are removed before patterns are applied, so
 * that no pattern needs to handle them.
 */

export interface Span {
	start: number;
	end: number;
}

/**
 * Represents text from which one more layer has been removed. The text contains only lines that had the
 * layer, because all other lines were already searched.
 */
export class Layer {
	text: string;
	/**
	 * The next layer is removed only near names and tokens, because removing a layer takes longer than
	 * searching the text.
	 */
	readonly windows: Span[] = [];
	/**
	 * The lists describe each part of the text: its start, its position in the text before the layer was
	 * removed, and the length of the text that it replaces (0 if it is unchanged).
	 */
	readonly #starts: number[] = [];
	readonly #sources: number[] = [];
	readonly #replaced: number[] = [];
	readonly #above: Layer | undefined;

	constructor(above: Layer | undefined, text = "") {
		this.#above = above;
		this.text = text;
	}

	/**
	 * Marks a range in which the next layer is to be removed. Ranges must be marked roughly in the order
	 * of their start positions.
	 */
	look(start: number, end: number): void {
		const last = this.windows.at(-1);
		if (last && start <= last.end) last.end = Math.max(last.end, end);
		else this.windows.push({ start: Math.max(0, start), end });
	}

	add(start: number, end: number, replacement?: string): void {
		const part = replacement ?? this.#above?.text.slice(start, end) ?? "";
		if (part === "") return;
		this.#starts.push(this.text.length);
		this.#sources.push(start);
		this.#replaced.push(replacement === undefined ? 0 : end - start);
		this.text += part;
	}

	/** Converts a range to the corresponding range of the original text, which still has all layers. */
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
		const [from = 0, length = 0] = [this.#sources[low], this.#replaced[low]];
		const start = length > 0 ? from : from + at - (this.#starts[low] ?? 0);
		return { start, end: start + (length || 1) };
	}

	*parts(): Generator<Span, void, void> {
		const { text } = this;
		let end = 0;
		for (const window of this.windows) {
			const before = Math.max(end, window.start - LONG_LINE);
			const start = Math.max(before, before + text.slice(before, window.start).lastIndexOf("\n") + 1);
			const after = text.slice(window.end, window.end + LONG_LINE).indexOf("\n");
			WORD_END.lastIndex = Math.min(window.end, text.length);
			WORD_END.test(text);
			end = Math.max(end, after < 0 ? WORD_END.lastIndex : window.end + after + 1);
			if (start < end) yield { start, end };
		}
	}

	*lines(): Generator<Span, void, void> {
		for (const part of this.parts())
			for (let { start } = part; start < part.end; ) {
				const next = this.text.indexOf("\n", start) + 1;
				const end = next === 0 || next > part.end ? part.end : next;
				yield { start, end };
				start = end;
			}
	}
}

const LONG_LINE = 500;
const WORD_END = /\S{0,20000}/y;

/**
 * `plain` returns the replacement for each match of `each`. If `some` is set, lines without a match for
 * `some` are skipped.
 */
interface Kind {
	some?: RegExp;
	each: RegExp;
	/** Lines that begin with this character are left out. */
	without?: string;
	/** Replaces `each` in a line that ends like a line of a private key. */
	ofKey?: RegExp;
	plain: (part: string) => string;
}

const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[ \t]|\d\d:\d\d:\d\d[.,\d]*[ \t]`;
/**
 * A comment mark is removed only before a table row or a YAML block, because prose after a comment mark
 * can be searched as it is.
 */
const COMMENT = String.raw`(?:#|\/\/|\*)[ \t](?=\||[^\s,]{1,60},\S|[\w.-]{1,60}:[ \t]*[|>]|  \S)`;
const PREFIX = String.raw`[ \t]{0,8}(?:${TIME}|(?:TRACE|DEBUG|INFO|WARN|ERROR):?[ \t]{1,2}|\d{1,6}(?:[ \t]{0,4}→ ?|[\t:-]| {2})|\[[\w ./:,+-]{1,60}\][ \t]|[│|>](?:[ \t]|(?=\r?$))|${COMMENT}|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} \S{1,60}: )`;
/**
 * Only one line number or file name is removed per line, because the next prefix may be a table cell.
 */
const FIRST_PREFIX = String.raw`[ \t]{0,8}(?:\d{1,6}[ \t]{0,4}[│|] ?|[\w.@+/-]{1,100}?(?:[:-]\d{1,6}[:-]|[ \t]{0,20}\|[ \t])|\w[^\t\n]{0,60}?\t[^\t\n]{1,60}?\t(?=\d{4}-))`;
const BEFORE_KEY = String.raw`.{1,80}[ \t:|>→│\]+-](?=[A-Za-z\d+/]{40,}={0,2}\\?\r?$)`;
/** A line continues after a backslash in a shell, a backtick in PowerShell, or a caret in cmd.exe. */
const CONTINUED = String.raw`(?:(?<=[^\\\n])\\|(?<= )[\x60^])\r?\n`;
/**
 * In a diff, every line begins with a marker. In other text, `+` always counts as a marker, but `-`
 * only before an indented line and before the first or last line of a key.
 */
const ADDED = String.raw`[+](?! *\r?$)|[+-](?=-----(?:BEGIN|END))|-(?= {3,}\S)`;

function linesWith(sign: string): Kind {
	const before = `(?:${sign})?(?:(?:${PREFIX}){1,4}|${FIRST_PREFIX}(?:${PREFIX}){0,3})`;
	return {
		each: new RegExp(`^(?:${before}|${sign})|${CONTINUED}`, "gm"),
		ofKey: new RegExp(`^(?:${before}|${BEFORE_KEY}|${sign})|${CONTINUED}`, "gm"),
		plain: () => "",
	};
}
const LINES = linesWith(ADDED);
/** In a diff, an old and a new line may both continue the line before them. */
const DIFF = ["-", "+"].map((without) => ({ ...linesWith("[+ -]"), without }));
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

/** Only a line that ends like a key is searched for text before the key, because the search is slow. */
const KEY_END = /[A-Za-z\d+/]{40}={0,2}\\?\r?\n?$/;
const AT_ONCE = 50;

function* peeled(above: Layer, kind: Kind): Generator<undefined, Layer, void> {
	const { some, plain } = kind;
	const { text } = above;
	const layer = new Layer(above);
	let next = -1;
	let isContinued = false;
	let count = 0;
	for (const { start, end } of above.lines()) {
		if (count++ % AT_ONCE === 0) yield;
		if (some && next < start) {
			some.lastIndex = start;
			next = some.exec(text)?.index ?? text.length;
		}
		if (some && next >= end) continue;
		let read = start;
		const line = text.slice(start, end);
		if (kind.without !== undefined && line.startsWith(kind.without)) continue;
		const each = kind.ofKey && KEY_END.test(line.slice(-45)) ? kind.ofKey : kind.each;
		each.lastIndex = 0;
		for (let part = each.exec(line); part; part = each.exec(line)) {
			layer.add(read, start + part.index);
			read = start + each.lastIndex;
			layer.add(start + part.index, read, plain(part[0]));
			if (count++ % AT_ONCE > 0) continue;
			yield;
			each.lastIndex = read - start;
		}
		if (read === start && !isContinued) continue;
		isContinued = read === end;
		layer.add(read, end);
	}
	return layer;
}

/** Encodings can be nested, for example JSON in JSON in a URL. */
const DEEPEST = 4;

/**
 * Yields the text, and then the text after each further layer has been removed. Yields undefined
 * wherever the work can be interrupted.
 */
export function* layersOf(whole: string): Generator<Layer | undefined, void, void> {
	let layer = new Layer(undefined, whole);
	for (let depth = 0; depth <= DEEPEST; depth++) {
		yield layer;
		const { text } = layer;
		if (layer.windows.length === 0) return;
		const kinds = IS_DIFF.test(text) ? DIFF : [LINES];
		for (const kind of text.includes("\n") ? kinds : []) {
			const lines = yield* peeled(layer, kind);
			if (lines.text !== "") yield lines;
		}
		const kind = ESCAPES.find(({ some }) => text.search(some) >= 0);
		if (!kind) return;
		layer = yield* peeled(layer, kind);
	}
}
