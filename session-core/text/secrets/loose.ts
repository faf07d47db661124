import type { Name, NameKind } from "./names.ts";
import { endOf, isMinifiedCode, matchAt, type Scan } from "./scan.ts";
import {
	isGenerated,
	isIdentifier,
	isLocation,
	isMixed,
	isNamedAfter,
	isPlaceholder,
	isUnmistakable,
	LONG_HEX,
	looksLikePassword,
	looksMadeUp,
} from "./values.ts";

/**
 * Finds a secret near its name, regardless of the text between the two. The secret may be on the same
 * line, alone on the next line, or in the rows below a table header. Unquoted text is a secret only if
 * it looks generated or mixes letters, digits and symbols. In quotes, in a table cell or after `is`, a
 * word with a number is also a secret.
 */

/** Matches a word or a quoted string without spaces. */
const LITERAL =
	/(?<![\w%]{3})(["'`])((?:\\.|(?!\1)[^\s\\]){6,200})\1|[^\s"'`|│┃,;<>()[\]{}\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uff20]{6,200}/g;
/**
 * Matches a word that may be a secret. A name such as `user:` or `value=` may precede the word, and
 * punctuation may follow the word.
 */
const WORD =
	/^(?:(?:-{1,2}[\w-]+|[\w.]*)[:=]{1,2}|[*_]+)?([\w!@#$%^&?+~-][\w!@#$%^&*?+~=-]{4,}[\w!@#$%^&?+~-]|[A-Za-z\d+/]{20,}={0,2})[.:*]*$/d;
/**
 * Matches punctuation that is common in code. A secret is assumed to contain such punctuation only in a
 * quoted string with many symbols.
 */
const CODE_SIGN = /[(){}<>[\]=;,"'`:|/]|\.\w|%[sd]/;
const DENSE =
	/^(?!.*(?:[A-Za-z]{5}|\\[dws]|[)\]][.,;)]))(?=.*\d)(?:\w{0,12}[^\w\s]){4}|^[A-Za-z\d+/]{20,}={0,2}$/;
/**
 * Matches hashes, dates, constants, ticket numbers, variables and access key ids, which are not
 * secrets.
 */
const NAMED =
	/^(?:sha\d|\d{4}-\d\d|[A-Z\d*]+(?:_[A-Z\d*]+)+(?:$|\W)|[A-Z\d]{1,15}$|[A-Z]{2,}\d?-|\$\w*_\w*$|A[KS]IA[A-Z\d]{16}$|(?:[A-Z][a-z]{2,}){2,}V\d$)/;
/**
 * Matches technical text that is not a secret, such as character classes, JSON, CSV, URLs, UUIDs, operators
 * and names of algorithms.
 */
const TECHNICAL =
	/[Aa]-[Zzf]|0-9|["']\s?[,:]|,,|:\/\/|&#\d|[\da-f]{8}-[\da-f]{4}-|\\u|&&|[!=<>]=(?!$)|\+\+|25519/;
/** Matches a verb between the name of a secret and its value, as in `The password is …`. */
const SAYS = /^(?: [^\s.:;]{1,20}){0,5} (?:is|was|are|ist|lautet|es|est|é|è):? ["'`*]{0,3}$/;
/**
 * Matches text between a secret's name and its value: a space, a word such as `to`, an arrow or other sign,
 * or the border of a table cell.
 */
const LEADS =
	/^["'`*_)\]]{0,3}(?:(?:[^.;\n]{0,60}(?:[ \t](?:to|by|from|[—–-]|[-=]>)|[^:]:|[=>→|│：(])|\S?[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{1,3})?[*_]{0,2}[ \t]{0,40}["'`“「]?)$/;
const IS_SAID = /^["'`*_]{0,3} (?:is|was) (?:the|my|your|our) /;
/**
 * Matches passwords that consist of words and a number, such as `Maple-Syrup8`, but not identifiers such as
 * `openModal2` or `db-secret-2026`.
 */
const WORDS =
	/^(?=.*\d\d|[A-Z].{7}|.*-)(?![a-z\d]*[-_][a-z\d_-]*$)(?=.{6})[A-Za-z]{3,}(?:-[A-Za-z]{3,})*[-_]?\d{1,4}[a-z!]{0,2}$/;
const UNIT = /[A-Z]?[a-z]+|[A-Z]{1,3}(?![a-z])/g;

type Place = "after" | "below" | "before" | "table";

/**
 * Returns true for identifiers that consist of words, each of which may be followed by a number:
 * `hashSha256`, `s3Config`, `S3-compatible`.
 */
function isComposed(value: string): boolean {
	if (/^[A-Za-z_]+\d{4}[\W_]*$/.test(value)) return false;
	const name = value.replace(/^[\W_]+|[\W_]+$/g, "");
	if (/[^\w$#-]|\d[a-z]|\d{5}/.test(name)) return false;
	const units = name.match(UNIT) ?? [];
	return units.length < 3 || units.join("").length >= 3 * units.length;
}

function isMadeUp(
	value: string,
	kind: NameKind,
	isLiteral: boolean,
	isSaid: boolean,
	isNear: boolean,
): boolean {
	if (kind === "key" && !(value.length >= 16 && (isUnmistakable(value) || LONG_HEX.test(value))))
		return false;
	if (NAMED.test(value) || TECHNICAL.test(value) || isPlaceholder(value) || isLocation(value)) return false;
	if (isSaid && (/\d/.test(value) ? looksMadeUp(value) : isMixed(value))) return true;
	if (isNear && WORDS.test(value) && looksLikePassword(value)) return true;
	if (isLiteral && kind !== "token" && /^(?=.{8})[a-z]+\d{2,4}[a-z]*$/.test(value))
		return looksLikePassword(value);
	if (isComposed(value) || isIdentifier(value.replace(/^\W/, ""))) return false;
	if (LONG_HEX.test(value)) return true;
	const isMixture = /\d/.test(value) && /[A-Za-z]/.test(value);
	if (isGenerated(value, isMixture ? 8 : 16)) return !CODE_SIGN.test(value) || DENSE.test(value);
	if (value.length < (isLiteral ? 6 : 7)) return false;
	return isMixture && /[A-Z!#$%^&*?~]/.test(value) && looksLikePassword(value);
}

/** The maximum number of characters that are examined to decide whether a value is a secret. */
const CLASSIFIED = 80;
const AFTER_SIGN = /[:=]\s?\\*["'`]?$/;
/**
 * In `"totalTokens":12,"id":"…"`, the value after `"id"` belongs to that name and not to an earlier
 * name.
 */
const OTHER_PAIR =
	/(?<![\w-])(?!(?:\w*(?:value|default|secret|pass\w*|pwd?|token|key|data|content|text|with|to|is|[a-z]+ed))\\*["']?\s?[:=])[A-Za-z][\w.-]*\\*["']?\s?[:=]\s?\\*["'`]?$/i;

/**
 * Redacts the first secret in a range of the text. If the range is a table, redacts all secrets.
 * Returns true if a secret was found. `place` is the position of the range relative to the secret's
 * name.
 */
function hideIn(scan: Scan, name: Name, from: number, to: number, place: Place): boolean {
	const { kind, identifier } = name;
	const isTable = place === "table";
	let isFound = false;
	const text = scan.text.slice(from, to);
	for (const { 0: word, 2: quoted, index } of text.matchAll(LITERAL)) {
		if (word === "redacted" && !isTable) return true;
		const bare = quoted === undefined ? WORD.exec(word) : undefined;
		const value = quoted ?? bare?.[1];
		// Passwords without mixed case or digits cannot be distinguished reliably from ordinary words.
		if (value === undefined || !/\d|[a-z][A-Z]/.test(value)) continue;
		const isLiteral = isTable || quoted !== undefined;
		const before = text.slice(0, index);
		if (AFTER_SIGN.test(before.slice(-6)) && OTHER_PAIR.test(before.slice(-60))) continue;
		const isNear =
			kind === "certain" &&
			!isNamedAfter(value, identifier) &&
			(isLiteral ||
				place === "below" ||
				(place === "before" ? IS_SAID.test(text.slice(index + word.length)) : LEADS.test(before)));
		if (!isMadeUp(value.slice(0, CLASSIFIED), kind, isLiteral, SAYS.test(before), isNear)) continue;
		const start = from + index + (bare?.indices?.[1]?.[0] ?? 1);
		if (isMinifiedCode(scan.text, start, start + value.length)) continue;
		scan.hide(start, start + value.length);
		isFound = true;
		// Text may say that a password was changed `from` one value `to` another. Both values are secrets.
		if (!isTable && !/^["'`*]{0,3} to /.test(text.slice(index + word.length))) break;
	}
	return isFound;
}

const LINE = /[^\n]{0,200}\S{0,200}/y;
const ARGUMENTS = /(?:\.\w{1,20})?\([^\n]{0,200}/y;
const BEFORE = /(?<=(?<!\S)([^\n]{0,60}))/y;
/** A password may be alone on the line below its name, or in a code block below its name. */
const NEXT_LINE = /\r?\n(?:[ \t>]*(?:```\w*|[-=]{3,40})?\r?\n){0,3}[ \t>*#-]*(?=\S{6,200}[ \t]*(?:\r?\n|$))/y;

export function readLoose(scan: Scan, name: Name): void {
	const { kind, start, end } = name;
	const { text } = scan;
	const after = text.slice(end, end + 12);
	// The tool sops encrypts values inside a file, so a value that begins with `ENC[` is not a secret.
	if (/^\W{0,6}ENC\[/.test(after)) return;
	const to = endOf(kind === "call" ? ARGUMENTS : LINE, text, end) ?? end;
	const isBelow = (): boolean => {
		const next = endOf(NEXT_LINE, text, to);
		return next !== undefined && hideIn(scan, name, next, endOf(WORD_END, text, next) ?? next, "below");
	};
	// In a path such as `auth/token/refresh`, `token` is assumed to be a folder, unless a command prints the file.
	if (/^[/@+\w]/.test(after) || /[/+]/.test(text.charAt(start - 1))) {
		if (kind === "certain" && endOf(COMMAND, text, start) !== undefined) isBelow();
		return;
	}
	const from = /["'`]/.test(text.charAt(end)) ? end + 1 : end;
	if (hideIn(scan, name, from, to, "after") || kind === "key" || kind === "call") return;
	if (readTable(scan, name, to) || isBelow()) return;
	const before = matchAt(BEFORE, text, start)?.[1] ?? "";
	if (kind === "certain") hideIn(scan, name, start - before.length, start, "before");
}

/** Matches the text between a shell prompt and the name of a secret on a command line. */
const COMMAND = /(?<=^[ \t]*[$%❯] [^\n]{0,200})/my;
const WORD_END = /\S{0,200}/y;
const LONGEST_ROW = 1_000;
const LONGEST_TABLE = 4_000;
const CELL_END = /["'`*]{0,3}(?:[ \t]{0,60}(?:[|│┃\t]|\r?\n|$)| {2}|,["'`]?[^\s"'`])/y;
/**
 * In an SQL statement, the column names are in parentheses, and the values may be on the following
 * lines.
 */
const ARGUMENT_END = /["'`\]]?[,)]/y;
const INSERT = /\binsert into\b/i;
const ROW = /\S.*(?:[|│┃\t]| {2}|,\S)/;

/**
 * Redacts the values below table headers that name a secret. Returns true if the name is in a header.
 */
function readTable(scan: Scan, name: Name, lineEnd: number): boolean {
	const { start, end } = name;
	const { text } = scan;
	const isCell = endOf(CELL_END, text, end) !== undefined;
	if (!isCell && endOf(ARGUMENT_END, text, end) === undefined) return false;
	const row =
		text
			.slice(Math.max(0, start - LONGEST_ROW), lineEnd)
			.split("\n")
			.at(-1) ?? "";
	if (!((isCell && ROW.test(row)) || INSERT.test(row))) return false;
	if (scan.reachedBy(readTable) < lineEnd) {
		const rows = text.slice(lineEnd, lineEnd + LONGEST_TABLE).split(/\n[ \t\r]*\n/, 1)[0] ?? "";
		scan.reach(readTable, lineEnd + rows.length);
		hideIn(scan, name, lineEnd, lineEnd + rows.length, "table");
	}
	return true;
}
