import {
	entropy,
	FUNCTION_WORD,
	isExpression,
	isLocation,
	isPlaceholder,
	isSentence,
	looksLikePassword,
	looksRandom,
	NAMES_SECRET,
	type NameKind,
	nameKind,
} from "./classify.ts";
import { endOf, matchAt, type Reader, type Scan } from "./scan.ts";

/** Finds values next to the name of a secret: in assignments, JSON, YAML, XML, command options, and "the password is …". */

/** The name of a secret and its position in the text. */
interface Name {
	start: number;
	end: number;
	kind: NameKind;
	/** Whether the name is in capitals, like that of an environment variable. Its value then always counts as a secret. */
	isVariable: boolean;
}

const LONGEST_NAME = 80;
const UNSPACED = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}_$]/u;
/** Matches the characters of an identifier, including a hyphen or dot between two other characters. */
const NAME_REST = /(?:[\p{L}\p{M}\p{N}_$]|(?<=\w)[-.](?=[A-Za-z_])){1,80}/uy;

/** Returns the complete name that contains the anchor. */
function nameAt(text: string, at: number, literal: string): Name | undefined {
	let start = at;
	let end = at + literal.length;
	if (!literal.includes(" ") && !UNSPACED.test(literal)) {
		while (start > 0 && at - start < LONGEST_NAME && isNamePart(text, start - 1)) start--;
		end = endOf(NAME_REST, text, at) ?? end;
		// The name may follow an escape sequence, as in `\u0022password\u0022`.
		if (text.charAt(start - 1) === "\\" && /^u[\dA-Fa-f]{4}/.test(text.slice(start, start + 5))) start += 5;
	}
	const isKey = /keys?$/i.test(text.slice(end - 4, end));
	const before = isKey
		? (/(?:^|[^\w])(\w{1,24})[ -]$/.exec(text.slice(Math.max(0, start - 26), start))?.[1] ?? "")
		: "";
	const identifier = text.slice(start, end);
	const kind = nameKind(identifier, before);
	return kind && { start, end, kind, isVariable: /^[A-Z][A-Z\d_]+$/.test(identifier) };
}

function isNamePart(text: string, at: number): boolean {
	const character = text.charAt(at);
	if (character === "-" || character === ".")
		return /\w/.test(text.charAt(at - 1)) && /[A-Za-z_]/.test(text.charAt(at + 1));
	return NAME_CHARACTER.test(character) && !UNSPACED.test(character);
}

/**
 * How certain it is that a secret follows. `env` (`NAME=value`, a header or a parameter): certain. `tight` (`name=value`, `--name
 * value`): certain, unless the value is an expression. `colon` (`name: value`, `name = value`): less certain, because these forms
 * also occur in prose, types and code. `prose` ("the password is …", f("password", "…")): only a value that looks like a password
 * counts.
 */
type Place = "env" | "tight" | "colon" | "prose";

/**
 * Matches text that may be between the name and the separator: closing quotation marks, brackets, Markdown, or a note such as `(again)`,
 * `[None]` or ` for 'bob'@'%'`.
 */
const CLOSE =
	/(?:\\{1,3}u002[27]|&(?:quot|apos|#3[49]);|["'`\\*_]){0,6}\]?[*_]{0,2}(?:\s?\((?!["'`])[^()\n]{0,60}\)(?=\s?[:=])|\s?\[[^[\]\n]{0,60}\](?=\s?[:=])| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'(?:@'[^'\n]{0,60}')?|"[^"\n]{1,100}"|[^\s:=]{1,60})(?=\s?[:=])| \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s))?/iuy;
/** Matches a type between the name and the value, as in `password: string = "…"`. */
const TYPE = /\s{0,3}:?\s{0,3}&?[A-Za-z_][\w.<>|? ]{0,40}(?=\s{0,3}=\s{0,3}["'`])/y;
const ASSIGN =
	/(\s{0,20})(:=|=>|%(?:25)?3D|===?(?=\s?["'])|=(?![=>~])|[:：﹕＝](?![:=]))[*_]{0,2}(\s{0,20})/iy;
/**
 * Matches text that may be between the separator and the value: a block scalar indicator, tag or list marker in YAML, or a wrapper or
 * opening bracket in code.
 */
const OPENING =
	/(?:[|>][+-]?|![\w!]{1,20}|-)\s{1,20}|(?:\[\]byte|new [\w.]{1,40}|[\w.]{0,40}(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes))\(\s{0,3}(?=["'`])|[[({]\s{0,5}(?=["'])|(?:<\/?[a-z]{1,9}>\s{0,5}){1,3}/y;

/** Separators between a name and its value other than assignment operators. They are matched starting at the end of the name. */
const TIGHT_LINKS = [
	// process.env.X || "…", ${X:-…}
	/["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=)\s{0,20}(?=["'`])|:[-=](?=[^\s}])/y,
	// name="password" value="…" and "password", "value": "…"
	/["'`]?(?:\s{1,20}[\w:-]{1,30}=["'][^"'\n]{0,60}["']){0,3}\s{0,20},?\s{0,20}(?:\{\s{0,20}(?:type\s{0,3}=\s{0,3}\w{1,20}\s{1,20})?)?["']?(?:value|val|data|content|default)["']?\s{0,5}[:=]\s{0,5}/iy,
	// <entry key="password">… and <td>Password</td><td>…
	/["'][^<>\n]{0,80}>\s{0,5}(?:<[\w:.-]{1,30}>\s{0,5})?(?=[^<\s][^<\n]{0,200}<\/)/y,
	/&gt;\s{0,5}(?=[^&<\s][^&<\n]{0,200}&lt;\/)/iy,
	/<\/[\w:.-]{1,30}>\s{0,20}<[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y,
];
/** A table row such as `| password | … |`, and an arrow such as `password -> …` */
const COLON_LINKS = [/[*`]{0,2}[ \t]{1,40}[|│][ \t]{1,40}/y, /["'`]?\s?(?:->|→|⇒|➜)\s?/y];
const PROSE_LINKS = [
	// getByLabel("Password").fill("…") and setPassword("…")
	/["'`\])i/]{1,6}\)?(?:\.\w{2,20}\(\))?\.\w{2,20}\(\s{0,3}(?=["'`])/y,
	/["'`]?[,(][ \t]{0,3}(?=["'`])/y,
	// The password is …, 密码是…
	/["'`]?[ \t][-–—]{1,2}[ \t]/y,
	/["'`*]{0,3}(?:[ \t][^\s"'`.,;:=|]{1,20}){0,5}?[ \t](?:is|was|are|should be|ist|lautet|es|est|é|è|to)(?:[ \t](?:now|set to))?[ \t]?[:=]?[ \t]{1,3}/iy,
	/[ \t][([]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}[ :：]?(?=[\x21-\x7e])|[ \t]{1,3}/y,
];
const LINKS = [
	["tight", TIGHT_LINKS],
	["colon", COLON_LINKS],
	["prose", PROSE_LINKS],
] as const;

const BLANK = /[ \t]{1,3}(?=[^\s=:-])/y;
/** Contexts in which a space alone separates a name from its value. */
const BEFORE_BLANK =
	/(?<=(?:^|[\s"'`[(])--?(?:\w{1,30}-){0,4})|(?<=\blogin\s{1,5}\S{1,60}\s{1,5})(?:password|account)|requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,3}[NE]?')/iy;
/** The same for a variable, whose value is certainly a secret. */
const VARIABLE = /(?<=(?:^|\s)(?:ENV|ARG|setenv|setx|set(?: -\w+){1,3})[ \t]{1,3})/y;

/**
 * The separator between a name and its value. `at`: where the value begins. `place`: how certain it is that a secret follows. `bare`: which
 * characters an unquoted value may contain.
 */
interface Link {
	at: number;
	place: Place;
	bare?: RegExp;
}

function linkAt(text: string, name: Name): Link | undefined {
	if (/[ \t]/.test(text.charAt(name.end))) {
		const isVariable = endOf(VARIABLE, text, name.start) !== undefined;
		const at = endOf(BLANK, text, name.end);
		if (isVariable || endOf(BEFORE_BLANK, text, name.start) !== undefined)
			return at === undefined ? undefined : { place: isVariable ? "env" : "tight", at };
	}
	const closed = endOf(CLOSE, text, name.end) ?? name.end;
	const typed = endOf(TYPE, text, closed) ?? closed;
	const assign = matchAt(ASSIGN, text, typed);
	if (assign)
		return { place: assignedPlace(text, name, assign), at: openedAt(text, typed + assign[0].length) };
	const front = text.slice(Math.max(0, name.start - 22), name.start);
	if (text.charAt(name.end) === ">") {
		const isElement =
			/<[\w.-]{0,20}:?$/.test(front) && /^>[^<\n]{1,2000}<\//.test(text.slice(name.end, name.end + 2_100));
		return isElement ? { place: "tight", at: name.end + 1, bare: CONTENT } : undefined;
	}
	for (const [place, forms] of LINKS)
		for (const form of forms) {
			const at = endOf(form, text, name.end);
			if (at === undefined) continue;
			return { place: isSetter(text, name) && place === "prose" ? "tight" : place, at: openedAt(text, at) };
		}
	return undefined;
}

function isSetter(text: string, { start, end, isVariable }: Name): boolean {
	return (
		/["'`(]/.test(text.charAt(end)) &&
		(isVariable || /^(?:set|with|use|using)[A-Z_]/.test(text.slice(start, start + 8)))
	);
}

function openedAt(text: string, at: number): number {
	const once = endOf(OPENING, text, at) ?? at;
	return endOf(OPENING, text, once) ?? once;
}

function assignedPlace(
	text: string,
	{ start, kind, isVariable }: Name,
	[whole, , sign = ""]: RegExpExecArray,
): Place {
	const isTight = whole === sign;
	const isColon = /[:：﹕]/.test(sign) && sign !== ":=";
	const front = text.slice(Math.max(0, start - 5), start);
	if (sign === "=" && isTight && /[?&](?:amp;)?$/.test(front)) return "env";
	if (isColon && /^x-/i.test(text.slice(start, start + 2))) return "env";
	if (isTight && sign !== ":") return isVariable ? "env" : "tight";
	if (isColon) return isVariable && kind === "password" ? "env" : "colon";
	return "colon";
}

interface Value {
	start: number;
	end: number;
	/** The value, or its beginning, which is enough to classify it. */
	text: string;
	isQuoted: boolean;
}

/** Maximum number of characters of a quoted value that are read to classify it. */
const QUOTED_BOUND = 2_000;

const PREFIX = "[bfruBFRUNEL@$]{0,2}";
const ENCODED = "\\\\{1,3}u002[27]|&(?:quot|apos|#3[49]);";
/** What opens a quoted value, and what ends it; the first group of the latter matches an escape sequence inside the value. */
const QUOTES: readonly (readonly [opening: RegExp, end: RegExp])[] = [
	// An escaped quotation mark, as in JSON inside JSON.
	...['"', "'", "`"].map((mark) => quote(`${PREFIX}\\\\{1,3}${mark}`, `\\\\{1,3}["'\`]|[${mark}\\n]`)),
	// A quotation mark that is written as a Unicode escape sequence (some encoders of JSON) or as an entity (HTML).
	quote(`(?:${ENCODED})`, `${ENCODED}|\\n`),
	...['"""', "'''", '"', "'", "`"].map((mark) => quote(`${PREFIX}${mark}`, `(\\\\[^\\n])|${mark}|\\n`)),
	quote("[“”„«‘「『]", "[“”„«»‘’「」『』\\n]"),
];

function quote(opening: string, end: string): readonly [RegExp, RegExp] {
	return [new RegExp(opening, "iy"), new RegExp(end, "gi")];
}

/**
 * Matches the closing quotation mark of a value and the quoted strings directly after it, which a shell concatenates with the value:
 * `'one'"two"`.
 */
const JOINED = /["'](?:"[^"\n]{1,200}"|'[^'\n]{1,200}'){1,9}/y;
/**
 * These patterns match only the beginning of an unquoted value (a parameter, an element's content, a token or a password), which is enough
 * to classify it. A password may contain any character.
 */
const PARAMETER = /[^\s&#"'`<>[\]]{1,160}/y;
const CONTENT = /[^<\n]{1,2000}/y;
const PLAIN = /[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff20]{1,160}/y;
const LOOSE =
	/(?:[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff20]|[,;&|<>(){}[\]](?![\w.-]{0,40}\s{0,3}[=:])(?=[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff20])){1,160}/y;

function valueAt(text: string, at: number, bare: RegExp): Value | undefined {
	for (const [opening, closing] of QUOTES) {
		const start = endOf(opening, text, at);
		if (start === undefined) continue;
		let found = matchAt(closing, text, start);
		while (found?.[1]) found = matchAt(closing, text, closing.lastIndex);
		const end = found?.index ?? text.length;
		return { start, end, text: text.slice(start, Math.min(end, start + QUOTED_BOUND)), isQuoted: true };
	}
	const end = endOf(bare, text, at);
	if (end === undefined) return undefined;
	const whole = text.slice(at, end);
	// In a writing system without spaces, the end of a value cannot be determined.
	const foreign = whole.search(UNSPACED);
	if (foreign === 0) return undefined;
	const inside = (foreign < 0 ? whole : whole.slice(0, foreign)).replace(/(?<=.)[.:?!*_]{1,3}$/, "");
	return { start: at, end: at + inside.length, text: inside, isQuoted: false };
}

/** Returns the end of an unquoted value of which only the beginning was matched. */
function restOf(text: string, from: number, bare: RegExp): number {
	let end = from;
	if (/[.:?!*_]/.test(text.charAt(from))) return end;
	for (let next = endOf(bare, text, end); next !== undefined; next = endOf(bare, text, end)) {
		if (UNSPACED.test(text.charAt(end))) break;
		end = next;
	}
	return end;
}

/** Whether the value is a secret rather than a placeholder, a reference or prose. */
function isSecret({ kind }: Name, place: Place, { text: value, isQuoted }: Value, next: string): boolean {
	if (value.length < 2 || /^[\s(),;\]}]/.test(value) || isPlaceholder(value)) return false;
	// A value that a person abbreviated, such as "sk-ant-…", is not a secret.
	if (kind !== "password" && value.length < 12 && /^(?:\.{3}|…)/.test(next)) return false;
	if (
		isLocation(value) &&
		!(place === "env" && kind === "password" && !/:\/\//.test(value) && value.length > 40)
	)
		return false;
	// The quoted text is the next key and not a value, such as "b" in { "A_TOKEN": "…", "b": … }.
	if (isQuoted && /^["'`]\s?:(?![:=])/.test(next)) return false;
	if (isQuoted && NAMES_SECRET.test(value) && /^[A-Za-z_.:-]+$/.test(value) && value.length < 40)
		return false;
	const isDotted = kind === "password" && place === "tight" && /\d/.test(value) && !NAMES_SECRET.test(value);
	if (!isQuoted && place !== "env" && !isDotted && isExpression(value, next)) return false;
	switch (kind) {
		case "password":
			return isPassword(place, value, isQuoted, next);
		case "pass":
			if (place === "env" || place === "tight") return isPassword(place, value, isQuoted, next);
			return (
				looksLikePassword(value) ||
				(isQuoted && place !== "prose" && /^(?:[\w!@#$%^&*-]{6,}|(?:[a-z]{4} ){3}[a-z]{4})$/.test(value))
			);
		case "token":
			return (
				isToken(place, value, isQuoted) &&
				(place !== "prose" || looksLikePassword(value) || looksRandom(value, 16))
			);
		case "key":
			if (place === "env" && !/[?&]/.test(value))
				return value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
			return looksRandom(value, 16) && !/^[a-z]+[-_]/.test(value);
		case "code":
			return /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(value);
	}
}

const WORD_FOLLOWS = /^ (?:[a-z]|\[redacted\])/;

function isPassword(place: Place, value: string, isQuoted: boolean, next: string): boolean {
	if (place === "prose")
		return isQuoted ? !/\s/.test(value) && looksLikePassword(value) : looksLikePassword(value);
	if (isQuoted) return !isSentence(value);
	if (place === "env") return true;
	if (place === "tight") return !FUNCTION_WORD.test(value);
	if (/^\d+$/.test(value)) return value.length >= 4 && !WORD_FOLLOWS.test(next);
	if (/[\d!#%^&*+?@]/.test(value) || (value.length >= 20 && entropy(value) >= 4)) return true;
	// A value that consists only of letters is a password at the end of a line. Elsewhere, it may be a type, a variable or the start of a
	// sentence.
	return /^[\p{Ll}-]+$/u.test(value) && !WORD_FOLLOWS.test(next);
}

function isToken(place: Place, value: string, isQuoted: boolean): boolean {
	if (/^(?:[\d.,]{1,9}|\d+(?:\.\d+)+)$/.test(value)) return false;
	if (place === "env") return value.length >= 3;
	if (value.length < 8) return false;
	if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 10;
	return isQuoted && value.length >= 20 && !/\s/.test(value) && entropy(value.slice(0, 200)) >= 3.9;
}

function bareValue(text: string, { start, kind }: Name, place: Place): RegExp {
	if (/[?&](?:amp;)?$/.test(text.slice(Math.max(0, start - 5), start))) return PARAMETER;
	return place === "env" || (kind === "password" && place !== "prose") ? LOOSE : PLAIN;
}

const NEXT_IN_LIST = /["'`]\s{0,3},\s{0,3}(?=["'`])/y;
const LONGEST_LIST = 50;

export const readAssignment: Reader = (scan: Scan, at, literal) => {
	if (!scan.isFresh(readAssignment, at)) return;
	const { text } = scan;
	const name = nameAt(text, at, literal);
	scan.reach(readAssignment, name?.end ?? at + 1);
	const link = name && linkAt(text, name);
	if (!name || !link) return;
	const bare = link.bare ?? bareValue(text, name, link.place);
	let position: number | undefined = link.at;
	for (let count = 0; count < LONGEST_LIST && position !== undefined; count++) {
		const value = valueAt(text, position, bare);
		if (!value || !isSecret(name, link.place, value, text.slice(value.end, value.end + 16))) return;
		const end = value.isQuoted
			? (endOf(JOINED, text, value.end) ?? value.end)
			: restOf(text, value.end, bare);
		scan.hide(value.start, end);
		scan.reach(readAssignment, end);
		position = /s$/i.test(text.charAt(name.end - 1)) ? endOf(NEXT_IN_LIST, text, end) : undefined;
	}
};
