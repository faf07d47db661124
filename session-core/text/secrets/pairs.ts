import { isSecret, type Value } from "./judge.ts";
import { CONTENT, linkAt, OPTION, openedAt, PLAIN, type ValueLink, WORD } from "./links.ts";
import { readLoose } from "./loose.ts";
import { type Name, nameAt, UNSPACED } from "./names.ts";
import { endOf, isMinifiedCode, matchAt, type Reader, type Scan } from "./scan.ts";

/**
 * Finds secrets in pairs such as `password = value`. The name and the characters between the name and
 * the value determine whether the value is a secret.
 */

interface PlacedValue extends Value {
	start: number;
	end: number;
}

const QUOTED_BOUND = 2_000;
const QUOTE = /[bfruBFRUNEL@$]{0,2}("""|'''|``(?=[^`\s,;)])|["'`])/y;
const QUOTE_ENDS = new Map(
	['"""', "'''", "``", '"', "'", "`"].map((mark) => [mark, new RegExp(`(\\\\[^\\n])|${mark}|\\n`, "g")]),
);
/**
 * In shells, SQL and YAML, adjacent strings form a single string: `'one'"two"`, `'it'\''s'`,
 * `'it''s'`.
 */
const JOINED = /["'](?:"(?:\\.|[^"\\\n]){1,200}"|'(?! )[^'\n]{0,200}'|'[^'\s]{0,200}(?=\n|$)|\\['"]){1,29}/y;
/** Neither a redacted value nor a command substitution is a secret. */
const NO_VALUE = /\[redacted\]|`[a-z][\w.-]* [^`\n]{1,200}`/y;
/** Punctuation after an unquoted value may belong to the surrounding text. */
const TRAILING_MARKS = /(?<=.)[.:,;*_)\]}"'`]{1,8}$/;
const TRAILING_SIGNS = /(?<=.)[,;)\]}"'`]{1,4}$/;

function valueAt(text: string, { at, bare, place }: ValueLink, name: Name): PlacedValue | undefined {
	if (endOf(NO_VALUE, text, at) !== undefined) return undefined;
	const block = matchAt(BLOCK, text, at)?.[0];
	if (block !== undefined)
		return { start: at, end: at + block.length, text: block.slice(0, QUOTED_BOUND), isQuoted: true };
	const opening = matchAt(QUOTE, text, at);
	const mark = opening?.[1] ?? "";
	// In shell code, a backtick does not begin a string.
	// A quotation mark after a secret's name may close the string that contains the name.
	const isString =
		(mark !== name.quote || text.slice(name.end, at).includes(mark)) &&
		!(place === "sure" && (mark === "`" || /^\w/.test(opening?.[0] ?? "")));
	if (opening && isString) {
		const start = at + opening[0].length;
		const closing = QUOTE_ENDS.get(mark) ?? /\n/g;
		let found = matchAt(closing, text, start);
		while (found?.[1]) found = matchAt(closing, text, closing.lastIndex);
		const closed = found?.index ?? text.length;
		const end = endOf(JOINED, text, closed) ?? closed;
		return { start, end, text: text.slice(start, Math.min(end, start + QUOTED_BOUND)), isQuoted: true };
	}
	const whole = text.slice(at, bareEnd(text, at, bare, name.quote, 1));
	// If a script has no spaces between words, as in Chinese, the end of an unquoted value is unknown.
	const known = whole.split(UNSPACED, 1)[0] ?? "";
	if (known === "") return undefined;
	const trailing = place === "sure" ? TRAILING_SIGNS : TRAILING_MARKS;
	const inside = bare === CONTENT ? known : known.replace(trailing, "");
	return { start: at, end: at + inside.length, text: inside.replace(ESCAPED, ""), isQuoted: false };
}

/** In Markdown, punctuation inside a word may be escaped with a backslash: `my\_password`. */
const ESCAPED = /\\(?=[*_~`])/g;
/**
 * The value of a YAML block scalar consists of all lines with the same indentation as its first line.
 */
const BLOCK =
	/(?<=[|>][+-]?\d?[ \t]{0,9}\r?\n([ \t]{1,40}))[^\n]{1,500}(?:(?:\r?\n[ \t]*(?=\r?\n))?\n\1[^\n]{1,500}){0,200}/y;

const ENCLOSED = new Map([
	['"', /"|\\(?=[nrtu"\\/])/],
	["'", /(?<!\\'?)'(?!\\'')/],
	["`", /`/],
]);

function bareEnd(text: string, from: number, bare: RegExp, enclosing: string, matches: number): number {
	let end = from;
	for (let count = 0; count < matches; count++) {
		const next = endOf(bare, text, end);
		if (next === undefined) break;
		const within = ENCLOSED.get(enclosing)?.exec(text.slice(end, next));
		if (within) return end + within.index;
		end = next;
	}
	return end;
}

/**
 * A Terraform plan shows an old and a new value of each secret, and a list may contain several secrets.
 */
const NEXT = /["'`]\s{0,3}(?:->|[+.])\s{0,20}(?=["'`])/y;
const NEXT_IN_LIST =
	/["'`](?:\s{0,3}(?:->|[+.])|\s{0,40},)\s{0,40}(?=["'`])|["'`]?[ \t]*(?:#[^\n]*)?\r?\n[ \t]{0,40}-[ \t]{1,9}(?!--?[A-Za-z])|,[ \t]{1,9}(?=[\w"'])/y;
const LONGEST_LIST = 1_000;

/**
 * Redacts the value of a secret and, in a list, the values after it. Returns true if a secret was
 * found.
 */
function readValues(scan: Scan, name: Name, link: ValueLink): boolean {
	const { text } = scan;
	let position: number | undefined = link.at;
	const isList =
		/s$/i.test(name.identifier) || /\n[ \t]*- *$|\[\s*$/.test(text.slice(Math.max(0, link.at - 12), link.at));
	for (let count = 0; count < LONGEST_LIST && position !== undefined; count++) {
		const value = valueAt(text, { ...link, at: position }, name);
		// In code, an unquoted word after ` = ` is assumed to be the name of a variable.
		if (value && !value.isQuoted && / = [a-z_]{1,9}$/.test(text.slice(value.start - 3, value.end)))
			return false;
		if (value && isMinifiedCode(text, value.start, value.end)) return count > 0;
		if (!value || !isSecret(name, link, value, text.slice(value.end, value.end + 100))) return count > 0;
		const isWhole = value.isQuoted || value.text.length < 150;
		const end = isWhole
			? value.end
			: bareEnd(text, value.end, link.bare, name.quote, Number.MAX_SAFE_INTEGER);
		scan.hide(value.start, end);
		if (end > name.end) scan.reach(readPair, end);
		position = endOf(isList ? NEXT_IN_LIST : NEXT, text, end);
	}
	return true;
}

/** The name of a secret can itself be a value, as in `{"name": "DB_PASSWORD", "value": "…"}`. */
const NAMING = String.raw`(?<![\w-])["']?(?:name|(?:parameter|output)?key|var|variable|header|param|parameter|property|id|(?:file_?)?path|file)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:[\w./~-]{0,60}[/.])?`;
const VALUE_KEY = String.raw`(?<=[\s{,(["':]|\]\.)["']?(?:(?:parameter|output)?value|val|data|content|default)["']?[ \t]{0,5}[:=][ \t]{0,5}`;
const BETWEEN = String.raw`(?:"(?:[^"\\\n]|\\.){0,500}"|[^{}<>"\n]|\n(?![ \t]*(?:- |\n))){0,300}?`;
const IS_NAMED = new RegExp(`(?<=${NAMING})`, "iy");
const OPENS = /["']?\s?[:=]?\s?\{/y;
/** In YAML, the indented lines below a name belong to that name. */
const BELOW =
	/["']?:[ \t]*\r?\n([ \t]{1,40})(?:[\w-]{1,40}:[^\n]{0,200}\n\1){0,8}(?:default|value|example):[ \t]{1,9}/y;
const VALUE_AFTER = new RegExp(`(?!/)["']?${BETWEEN}${VALUE_KEY}`, "iy");
const VALUE_KEYS = new RegExp(VALUE_KEY, "gi");
const VALUE_THEN_NAMING = new RegExp(
	String.raw`^(?:"(?:[^"\\\n]|\\.){0,500}"|'[^'\n]{0,500}'|[^\s"'])${BETWEEN}${NAMING}$`,
	"i",
);
/**
 * The maximum distance, in characters, between a name and its value. The limit keeps the search fast.
 */
const NEAR = 600;

/**
 * Returns the position of a value that precedes its name, as in `{"value": …, "name": …}`. Returns
 * undefined if there is no such value.
 */
function valueBefore(text: string, end: number): number | undefined {
	const from = Math.max(0, end - NEAR);
	const near = text.slice(from, end);
	const starts = [...near.matchAll(VALUE_KEYS)].slice(-3).map(({ 0: key, index }) => index + key.length);
	const start = starts.reverse().find((at) => VALUE_THEN_NAMING.test(near.slice(at)));
	return start === undefined ? undefined : from + start;
}

/** Reads the secret in `{"name": …, "value": …}`, in either order, and in `"name": {"value": …}`. */
function readBeside(scan: Scan, name: Name): void {
	const { text } = scan;
	const isNamed = endOf(IS_NAMED, text, name.start) !== undefined;
	const from = isNamed ? name.end : endOf(OPENS, text, name.end);
	const below = endOf(BELOW, text, name.end);
	if (from === undefined && below === undefined) return;
	const after = from && endOf(VALUE_AFTER, text.slice(from, from + NEAR), 0);
	const before = isNamed ? valueBefore(text, name.start) : undefined;
	for (const found of [from && after && from + after, before, below]) {
		const at = found === undefined ? undefined : openedAt(text, found);
		const bare = /["']/.test(text.charAt(name.start - 1)) ? PLAIN : WORD;
		if (at !== undefined)
			readValues(
				scan,
				{ ...name, quote: "" },
				{
					place: name.isVariable && !/^\w+[.(]/.test(text.slice(at, at + 40)) ? "sure" : "firm",
					at,
					bare,
					assigns: true,
				},
			);
	}
}

export const readPair: Reader = (scan: Scan, at, literal) => {
	if (at < scan.reachedBy(readPair)) return;
	const { text } = scan;
	const name = nameAt(scan, at, literal);
	scan.reach(readPair, name?.end ?? at + 1);
	if (!name) return;
	scan.isPromising = true;
	if (name.kind === "call") {
		readLoose(scan, name);
		return;
	}
	readBeside(scan, name);
	if (name.kind === "header") return;
	// The value of an option such as `--token` is as likely to be a secret as the value of an environment
	// variable such as `API_TOKEN`.
	if (endOf(OPTION, text, name.start) !== undefined) {
		name.isVariable = true;
		if (name.kind === "token") name.kind = "certain";
	}
	const link = name.isPhrase ? undefined : linkAt(text, name);
	if (!(link && readValues(scan, name, link)) && name.kind !== "code") readLoose(scan, name);
};
