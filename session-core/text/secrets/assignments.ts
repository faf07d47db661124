import { type NameKind, nameKind } from "./names.ts";
import { endOf, isAlphanumeric, matchAt, type Reader, type Scan } from "./scan.ts";
import {
	FUNCTION_WORD,
	isExpression,
	isGenerated,
	isLocation,
	isPlaceholder,
	isPlainName,
	isSentence,
	looksLikePassword,
	namesSecret,
} from "./values.ts";
import { BLANK as BLANK_IN_WORD, endAt, layoutAt, wordsAt } from "./words.ts";

/** Finds values next to the name of a secret: in assignments, JSON, YAML, XML, command options, and "the password is …". */

/** The name of a secret and its position in the text. */
interface Name {
	start: number;
	end: number;
	kind: NameKind;
	identifier: string;
	/** Whether the name is in capitals, like that of an environment variable. */
	isVariable: boolean;
	/** The quotation mark that encloses the name and, unless it is quoted itself, the value. */
	quote: string;
}

const LONGEST_NAME = 80;
const UNSPACED = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}_$]/u;
/** Matches the characters of an identifier, including a hyphen or dot between two other characters. */
const NAME_REST = /(?:[\p{L}\p{M}\p{N}_$]|(?<=\w)[-.](?=[A-Za-z_])){1,80}/uy;

/** Returns the complete name that contains the anchor. */
function nameAt(scan: Scan, at: number, literal: string): Name | undefined {
	const { text } = scan;
	let start = at;
	let end = at + literal.length;
	if (!literal.includes(" ") && !UNSPACED.test(literal)) {
		while (start > 0 && at - start < LONGEST_NAME && isNamePart(text, start - 1)) start--;
		end = endOf(NAME_REST, text, at) ?? end;
	}
	const isKey = /keys?$/i.test(text.slice(end - 4, end));
	const before = isKey
		? (/(?:^|[^\w])(\w{1,24})[ -]$/.exec(text.slice(Math.max(0, start - 26), start))?.[1] ?? "")
		: "";
	// Of a property, only the last name counts: process.env.API_KEY
	start += text.slice(start, end).lastIndexOf(".") + 1;
	const identifier = text.slice(start, end);
	const kind = nameKind(identifier, before);
	// The kind of a Kubernetes object
	if (!kind || /kind["']?:\s?["']?$/.test(text.slice(Math.max(0, start - 9), start))) return undefined;
	const enclosing = scan.quoteAt(start);
	// A mark that closes directly after the name encloses only the name.
	const quote = text.charAt(end) === enclosing ? "" : enclosing;
	return { start, end, kind, identifier, isVariable: /^[A-Z][A-Z\d_]+$/.test(identifier), quote };
}

function isNamePart(text: string, at: number): boolean {
	if (isAlphanumeric(text.charCodeAt(at))) return true;
	const character = text.charAt(at);
	if (character === "-" || character === ".")
		return /\w/.test(text.charAt(at - 1)) && /[A-Za-z_]/.test(text.charAt(at + 1));
	return NAME_CHARACTER.test(character) && !UNSPACED.test(character);
}

/**
 * How certain it is that a secret follows. `env` (`NAME=value`, a header or a parameter): certain. `tight` (`name=value`, `--name
 * value`): certain, unless the value is an expression. `colon` (`name: value`, `name = value`): less certain, because these forms
 * also occur in prose, types and code. `prose` ("the password is …", f("password", "…")): only a value that looks like a password
 * counts. `doubled` (`name==value`): most likely a comparison, so only a generated value counts.
 */
type Place = "env" | "tight" | "colon" | "prose" | "doubled";

/** Matches text that may be between the name and the separator: closing marks, or a note such as `(again)`, `[None]` or ` for 'bob'@'%'`. */
const CLOSE =
	/["'`*_]{0,6}\]?[*_]{0,2}(?:\s?\((?!["'`])[^()\n]{0,60}\)(?=\s?[:=])|\s?\[[^[\]\n]{0,60}\](?=\s?[:=])| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'(?:@'[^'\n]{0,60}')?|"[^"\n]{1,100}"|[^\s:=]{1,60})(?=\s?[:=])| \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s))?/iuy;
/** Matches a type between the name and the value, as in `password: string = "…"`. */
const TYPE = /[ \t]{0,3}:?[ \t]{0,3}&?[A-Za-z_][\w.<>|? ]{0,40}(?=[ \t]{0,3}=\s{0,3}["'`])/y;
const ASSIGN =
	/([ \t]{0,20})(:=|=>|===?(?=\s?["'])|=(?![=>]|~[\s/])|[:：﹕＝](?![:=]))(?:[*_]{1,2}(?=\s))?([ \t]{0,20})/y;
/**
 * Matches text that may be between the separator and the value: a block scalar indicator, tag or list marker in YAML, or a wrapper or
 * opening bracket in code.
 */
const OPENING =
	/[|>][+-]?\d?[ \t]{0,9}\r?\n[ \t]{0,40}|\r?\n[ \t]{0,40}(?:-[ \t]{1,9}|(?=["']))|(?:![\w!]{1,20}|-)[ \t]{1,20}|(?:\[\]byte|new [\w.]{1,40}|[\w.]{0,40}(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes))\(\s{0,3}(?=["'`])|[[({]\s{0,40}(?=["'])|\[(?=[\w, ]{1,2000}(?:\]|$))|(?:<\/?[a-z]{1,9}>\s{0,5}){1,3}/y;

/** Separators between a name and its value other than assignment operators. They are matched starting at the end of the name. */
const TIGHT_LINKS = [
	// process.env.X || "…"
	/["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=)\s{0,20}(?=["'`])/y,
	// "name": { "type": "string", "value": "…"
	/["']\s?:\s?\{\s{0,40}(?:"\w{1,20}"\s?:\s?(?:"[^"\n]{0,80}"|[\w.]{1,20}),\s{0,40}){0,5}"value"\s?:\s?/y,
	// name="password" value="…" and "password", "value": "…"
	/["'`]?(?:\s{1,20}[\w:-]{1,30}=["'][^"'\n]{0,60}["']){0,3}\s{0,20},?\s{0,20}(?:\{\s{0,20}(?:type\s{0,3}=\s{0,3}\w{1,20}\s{1,20})?)?["']?(?:value|val|data|content|default)["']?\s{0,5}[:=]\s{0,5}/iy,
	// <entry key="password">… and <td>Password</td><td>…
	/(?<=(?:key|name)=["'][\w.-]{1,60})["'][^<>\n]{0,80}>\s{0,5}(?:<[\w:.-]{1,30}>\s{0,5})?(?=[^<\s][^<\n]{0,200}<\/)/y,
	/<\/[\w:.-]{1,30}>\s{0,20}<(?!input)[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y,
];
/** A table row such as `| password | … |`, and an arrow such as `password -> …` */
const COLON_LINKS = [/[*`]{0,2}[ \t]{1,40}[|│][ \t]{1,40}/y, /["'`]?\s?(?:->|→|⇒|➜)\s?/y];
const PROSE_LINKS = [
	// getByLabel("Password").fill("…") and setPassword("…")
	/["'`\])i/]{1,6}\)?(?:\.\w{2,20}\(\))?\.\w{2,20}\(\s{0,3}(?=["'`])/y,
	/(?:["'`],|["'`]?\()[ \t]{0,3}(?=["'`])/y,
	// The password is …, 密码是…
	/["'`]?[ \t][-–—]{1,2}[ \t]/y,
	/["'`*]{0,3}(?:[ \t][^\s"'`.,;:=|]{1,20}){0,5}?[ \t](?:is|was|are|should be|ist|lautet|es|est|é|è|to)(?:[ \t](?:now|set to))?[ \t]?[:=]?[ \t]{1,3}/iy,
	/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}[ :：]?(?=[\x21-\x7e])/y,
];
/** The same, only after a word for "password". */
const PASSWORD_LINK = /[ \t][([]|[ \t]{1,3}/y;
const LINKS = [
	["tight", TIGHT_LINKS],
	["colon", COLON_LINKS],
	["prose", PROSE_LINKS],
] as const;

/** Contexts in which a space alone separates a name from its value. */
const OPTION = /(?<=(?:^|[\s"'`[(,])--?(?:\w{1,30}-){0,4})/my;
const BEFORE_BLANK =
	/(?<=\blogin\s{1,5}\S{1,60}\s{1,5})(?:password|account)|requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,3}[NE]?')/iy;
const BLANK = /[ \t]{1,3}(?=[^\s=]|=\S)/y;
/** The same for a variable, whose value is certainly a secret. */
const VARIABLE = /(?<=(?:^|[\s"'`])(?:ENV|ARG|setenv|setx|set(?: -\w+){1,3})[ \t]{1,3})/y;

/** The separator between a name and its value. `at`: where the value begins. `place`: how certain it is that a secret follows. */
interface Link {
	at: number;
	place: Place;
	/** Which characters an unquoted value may contain. */
	bare: RegExp;
}

/**
 * What an unquoted value may contain: a parameter, an element's content, a password in a connection string, in a list or map on one line, or
 * anywhere else, and a word in prose. The patterns match only the beginning, which is enough to classify the value.
 */
const PARAMETER = /[^\s&#"`<>]{1,160}/y;
const CONTENT = /[^<\n]{1,160}/y;
const CONNECTION = /(?:[^\s;]|;(?![ \t]*[A-Za-z][A-Za-z ]{1,30}=|\s|$)){1,160}/y;
const DEFAULT = /[^\s}]{1,160}/y;
const BRACES = /\{[^}\n]{1,200}(?:\}(?=[;"'\s]|$)|$)/y;
const BRACED = /[^}\n]{1,160}/y;
const FLOW =
	/(?:[^\s"'`,;{}[\]()]|[{[("'`](?=[^\s"'`,;{}[\]()])|[)}\]](?!\.[a-z])(?=[^\s,;])|[,;](?=[^\s"'`,;{}[\]()])(?!\w[\w.-]{0,40}\s{0,3}[=:])){1,160}/y;
const WORD = /\S{1,160}/y;
const PLAIN = /[^\s"'`,;&<>|(){}[\]\\\u3000-\u303f\uff00-\uff20]{1,160}/y;

function linkAt(scan: Scan, name: Name): Link | undefined {
	const { text } = scan;
	if (/\s/.test(text.charAt(name.end))) {
		const isVariable = endOf(VARIABLE, text, name.start) !== undefined;
		if (isVariable || endOf(BEFORE_BLANK, text, name.start) !== undefined) {
			const at = endOf(BLANK, text, name.end);
			return at === undefined ? undefined : { place: isVariable ? "env" : "tight", at, bare: WORD };
		}
	}
	if (text.charAt(name.start - 1) === "{" && /^:[-=?+]/.test(text.slice(name.end, name.end + 2)))
		return { place: "env", at: name.end + 2, bare: DEFAULT };
	const closed = endOf(CLOSE, text, name.end) ?? name.end;
	const typed = endOf(TYPE, text, closed) ?? closed;
	// The colon of a conditional expression assigns nothing.
	const isOption = /\?\s?["'`]$/.test(text.slice(Math.max(0, name.start - 3), name.start));
	const assign = isOption ? undefined : matchAt(ASSIGN, text, typed);
	const nested = matchAt(TIGHT_LINKS[1] ?? WORD, text, name.end);
	if (nested) return { place: "tight", at: name.end + nested[0].length, bare: WORD };
	if (assign) {
		const place = assignedPlace(text, name, assign);
		const at = openedAt(text, typed + assign[0].length);
		if (at === undefined) return undefined;
		return { place, at, bare: bareAt(text, name, place, at) };
	}
	// A value may begin with "=" or ">", too.
	if (text.charAt(name.end) === "=" && /[^\s"'`(]{2}/y.test(text.slice(name.end + 1, name.end + 3)))
		return { place: name.isVariable ? "env" : "doubled", at: name.end + 1, bare: CONNECTION };
	const front = text.slice(Math.max(0, name.start - 22), name.start);
	if (text.charAt(name.end) === ">") {
		const isElement =
			/<[\w.-]{0,20}:?$/.test(front) &&
			/^>[^<\n]{1,2000}(?:<\/|$)/.test(text.slice(name.end, name.end + 2_100));
		return isElement ? { place: "tight", at: name.end + 1, bare: CONTENT } : undefined;
	}
	const more = /^(?:pass|pw|[^\0-\x7f]|kennwort|clave|senha|contras|mot|wacht)/.test(
		name.identifier.toLowerCase(),
	)
		? [...LINKS, ["prose", [PASSWORD_LINK]] as const]
		: LINKS;
	for (const [place, forms] of more)
		for (const form of forms) {
			const found = endOf(form, text, name.end);
			if (found === undefined) continue;
			const at = openedAt(text, found) ?? found;
			return {
				place: isSetter(text, name) && place === "prose" ? "tight" : place,
				at,
				bare: form === TIGHT_LINKS[2] ? WORD : PLAIN,
			};
		}
	return undefined;
}

function isSetter(text: string, { start, end, isVariable }: Name): boolean {
	return (
		/["'`(]/.test(text.charAt(end)) &&
		(isVariable || /^(?:set|with|use|using)[A-Z_]/.test(text.slice(start, start + 8)))
	);
}

/** Returns the position after what opens a value; undefined if the line ends there. */
function openedAt(text: string, at: number): number | undefined {
	const once = endOf(OPENING, text, at) ?? at;
	const twice = endOf(OPENING, text, once) ?? once;
	return /[\r\n]/.test(text.charAt(twice)) ? undefined : twice;
}

function assignedPlace(
	text: string,
	{ start, kind, isVariable, identifier }: Name,
	[whole, , sign = ""]: RegExpExecArray,
): Place {
	const isTight = whole === sign;
	const isColon = /[:：﹕]/.test(sign) && sign !== ":=";
	if (sign === "=" && isTight && /[?&]$/.test(text.slice(0, start).slice(-1))) return "env";
	if (isColon && /^(?:x|api|private)-/i.test(identifier)) return "env";
	if (isTight && sign !== ":") return isVariable ? "env" : "tight";
	return isColon && isVariable && kind === "certain" ? "env" : "colon";
}

function bareAt(text: string, { start, kind, quote, identifier }: Name, place: Place, at: number): RegExp {
	const before = /([^\s])\s{0,3}["']?$/.exec(text.slice(Math.max(0, start - 5), start))?.[1] ?? "";
	const isSameLine = !text.slice(Math.max(0, start - 5), start).includes("\n");
	if (/[?&]/.test(text.charAt(start - 1))) return PARAMETER;
	// The name begins a quoted string, which its value ends.
	if (quote !== "" && text.charAt(start - 1) === quote) return place === "env" ? WORD : CONNECTION;
	if (place !== "colon" && endOf(BRACES, text, at) !== undefined) return BRACED;
	if (place === "colon" && kind !== "certain") return PLAIN;
	if (isSameLine && before === ";") return CONNECTION;
	if (isSameLine && /[{(,[]/.test(before)) return FLOW;
	return place === "colon" || (place === "env" && !/^PWD$/.test(identifier)) ? WORD : CONNECTION;
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
/** What opens a quoted value, and what ends it; the first group of the latter matches an escape sequence inside the value. */
const QUOTES: readonly (readonly [opening: RegExp, end: RegExp])[] = [
	...['"""', "'''", '"', "'", "`"].map((mark) => quote(`${PREFIX}${mark}`, `(\\\\[^\\n])|${mark}|\\n`)),
	quote("[“”„«‘「『]", "[“”„«»‘’「」『』\\n]"),
];

function quote(opening: string, end: string): readonly [RegExp, RegExp] {
	return [new RegExp(opening, "iy"), new RegExp(end, "gi")];
}

/** Matches the closing quotation mark of a value and what a shell, SQL or YAML concatenates with it: `'one'"two"`, `'it'\''s'`, `'it''s'`. */
const JOINED = /["'](?:"(?:\\.|[^"\\\n]){1,200}"|'[^'\n]{0,200}(?:'|(?=\n)|$)|\\['"]){1,29}/y;

function valueAt(text: string, { at, bare, place }: Link, name: Name): Value | undefined {
	// A mark that is open in a line does not end in another one.
	const enclosing = text.slice(name.end, at).includes("\n") ? "" : name.quote;
	// What is already hidden, and the output of a command
	if (/(?:\[redacted\]|`[a-z][\w.-]* [^`\n]{1,200}`)/y.test(text.slice(at, at + 220))) return undefined;
	for (const [opening, closing] of QUOTES) {
		const start = endOf(opening, text, at);
		// The mark may also close the string that contains the name.
		if (start === undefined || text.charAt(start - 1) === enclosing) continue;
		// In a shell, neither a backtick nor a mark after a letter begins a string.
		if (place === "env" && (text.charAt(start - 1) === "`" || /\w/.test(text.charAt(at)))) continue;
		let found = matchAt(closing, text, start);
		while (found?.[1]) found = matchAt(closing, text, closing.lastIndex);
		const closed = found?.index ?? text.length;
		const end = endOf(JOINED, text, closed) ?? closed;
		return { start, end, text: text.slice(start, Math.min(end, start + QUOTED_BOUND)), isQuoted: true };
	}
	const start = bare === BRACED ? at + 1 : at;
	const end = endOf(bare, text, start);
	if (end === undefined) return undefined;
	const whole = text.slice(start, endWithin(text, start, end, enclosing));
	// In a writing system without spaces, the end of a value cannot be determined.
	const foreign = whole.search(UNSPACED);
	if (foreign === 0) return undefined;
	if (isPlaceholder(whole.replace(/[`"'.,;:)]+$/, ""))) return undefined;
	const known = foreign < 0 ? whole : whole.slice(0, foreign);
	const inside = bare === CONTENT ? known : known.replace(TRAILING, "");
	return { start, end: start + inside.length, text: inside, isQuoted: false };
}

/** Matches punctuation that may belong to the text around an unquoted value. */
const TRAILING = /(?<=.)[.:,;?!*_)\]}"'`]{1,4}$/;

/** Returns the position at which an unquoted value is ended by the end of the string that contains it, or of the line in that string. */
function endWithin(text: string, start: number, end: number, enclosing: string): number {
	if (enclosing === "") return end;
	for (let at = start; at < end; at++) {
		const character = text.charAt(at);
		if (character === enclosing && text.startsWith("'\\''", at)) at += 3;
		else if (character === enclosing) return at;
		// What follows an escape sequence is read below this layer.
		else if (enclosing === '"' && character === "\\" && /[nrtu"\\/]/.test(text.charAt(at + 1))) return at;
	}
	return end;
}

/** Returns the end of an unquoted value of which only the beginning was matched. */
function restOf(text: string, from: number, bare: RegExp, enclosing: string): number {
	let end = from;
	for (let next = endOf(bare, text, end); next !== undefined; next = endOf(bare, text, end)) {
		if (UNSPACED.test(text.charAt(end))) break;
		const within = endWithin(text, end, next, enclosing);
		if (within < next) return within;
		end = next;
	}
	return end;
}

/** Whether the value is a secret rather than a placeholder, a reference or prose. */
function isSecret(name: Name, place: Place, { text: value, isQuoted, start }: Value, next: string): boolean {
	const { kind, identifier } = name;
	if (value.length < 2 || /^\s/.test(value) || isPlaceholder(value) || isLocation(value)) return false;
	// A value that a person abbreviated, such as "sk-ant-…", is not a secret.
	if (value.length < 12 && /^(?:\.{3}|…)/.test(next)) return false;
	// The text is the next key and not a value, such as "b" in { "A_TOKEN": "…", "b": … }.
	if (
		/^["'`]?\s?:(?![:=\w])/.test(next) &&
		(isQuoted || (/colon|prose/.test(place) && /^[\w.-]+$/.test(value)))
	)
		return false;
	// The label of an input, or a name for the same secret
	if (
		/^[\p{L}_.:&/' -]{1,40}$/u.test(value) &&
		(place !== "env" || /^[A-Z_]+$/.test(value)) &&
		speaksOfSecret(value)
	)
		return false;
	if (!isQuoted && place !== "env" && isExpression(value, next)) return false;
	// Symbol.for("secret:mock")
	if (place === "colon" && value.length < 12 && start === name.end + 1 && /^[a-z]+$/.test(value))
		return false;
	switch (kind) {
		case "certain":
			return isCertain(place, value, isQuoted, next, identifier);
		case "pass":
			if (place === "env" || place === "tight") return isCertain(place, value, isQuoted, next, identifier);
			return (
				looksLikePassword(value) ||
				(isQuoted && place !== "prose" && /^[^\s.]{6,}$|^(?:[a-z]{4} ){3}[a-z]{4}$/.test(value))
			);
		case "token":
			if (place === "env") return value.length >= 3 && !/^[\d.,]{1,9}$/.test(value);
			return (
				isToken(value, isQuoted) && (place !== "prose" || looksLikePassword(value) || isGenerated(value))
			);
		case "key":
			return isGenerated(value, place === "env" ? 8 : 16) && !/[:/]/.test(value);
		case "code":
			if (!isQuoted && place === "colon" && identifier === "pin") return false;
			return /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(value);
	}
}

/** Whether a value is the name of a variable: in `name = value`, unless it is long, and after a quoted key. */
function isVariable(text: string, { start, text: value, isQuoted }: Value): boolean {
	const before = text.slice(Math.max(0, start - 3), start);
	if (isQuoted) return false;
	if (/ = $/.test(before)) return /^[a-z_]{1,9}$/.test(value);
	return /["'] ?: ?$/.test(before) && /^[A-Za-z_.]+$/.test(value);
}

function speaksOfSecret(value: string): boolean {
	return namesSecret(value) || nameKind(value, "") !== undefined;
}

const WORD_FOLLOWS = /^ (?:[a-z]|\[redacted\])/;

/** Matches the name of a value that no person makes up. */
const GENERATED = /^(?![A-Z\d]+_[A-Z\d_]+$|.*secret).*(?:keys?|tokens?|cred\w*)$/i;

function isCertain(
	place: Place,
	value: string,
	isQuoted: boolean,
	next: string,
	identifier: string,
): boolean {
	if (place === "doubled") return isGenerated(value, 12);
	if (place === "prose") return !/\s/.test(value) && (looksLikePassword(value) || isGenerated(value));
	// A key or token is generated; only a password may be a word.
	if (place !== "env" && GENERATED.test(identifier) && /^[A-Za-z]{1,12}$/.test(value) && isPlainName(value))
		return false;
	if (isQuoted) return !isSentence(value);
	if (place === "env") return true;
	if (place === "tight") return !FUNCTION_WORD.test(value) && !/^[A-Z_]+$/.test(value);
	if (/^[\d.,:/%+-]+$/.test(value)) return value.length >= 4 && !WORD_FOLLOWS.test(next);
	if (/^[(<{[|]+[A-Za-z_]*$/.test(value)) return false;
	if (/[^\p{L}\s_.-]/u.test(value) || (value.length >= 8 && !isPlainName(value))) return true;
	// A value that consists only of letters is a password at the end of a line. Elsewhere, it may be a type, a variable or the start of a
	// sentence.
	return /^[\p{Ll}-]{3,}$/u.test(value) && !WORD_FOLLOWS.test(next) && !GENERATED.test(identifier);
}

function isToken(value: string, isQuoted: boolean): boolean {
	// Lexers have patterns for tokens.
	if (/\(\?[:=!<]|[\])][+*]/.test(value)) return false;
	if (value.length < 8 || /^(?:[\d.,]{1,9}|\d+(?:\.\d+)+)$/.test(value)) return false;
	if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 10;
	return isQuoted && !/\s/.test(value) && isGenerated(value);
}

/** Separators between the values of one name: in a list, and between the old and the new value in a plan of Terraform. */
const NEXT = [/["'`]\s{0,3}->\s{0,3}(?=["'`])/y];
const NEXT_IN_LIST = [
	/["'`]\s{0,40},\s{0,40}(?=["'`])/y,
	/["'`]?[ \t]*(?:#[^\n]*)?\r?\n[ \t]{0,40}-[ \t]{1,9}/y,
	/,[ \t]{1,9}(?=[\w"'])/y,
];
const LONGEST_LIST = 50;

/** Matches a value that precedes the key under which its name is: `value: …`, then `name: X`. */
const VALUE_FIRST =
	/value["']?\s?[:=]\s?(?:"((?:\\.|[^"\\\n])*)"|'([^'\n]*)'|([^\s"',][^\s,]*)),?\s{1,40}["']?(?:name|key)["']?\s?[:=]\s?["']?$/i;

function readValueBefore(
	{ text, hide }: { text: string; hide: (start: number, end: number) => void },
	name: Name,
): void {
	if (!/(?:name|key)["']?\s?[:=]\s?["']?$/i.test(text.slice(Math.max(0, name.start - 12), name.start)))
		return;
	const front = text.slice(Math.max(0, name.start - 300), name.start);
	const found = VALUE_FIRST.exec(front);
	const value = found?.[1] ?? found?.[2] ?? found?.[3];
	if (!found || value === undefined || isPlaceholder(value) || isLocation(value)) return;
	const start = name.start - front.length + found.index + found[0].indexOf(value, 5);
	hide(start, start + value.length);
}

/** Reads the value of an option that is a word of its own, in any layout of a command. */
function readOption(scan: Scan, name: Name): void {
	const { at, line } = wordsAt(scan, name.end, name.quote, 1);
	const value = line.slice(1).replace(TRAILING, "");
	const layout = layoutAt(scan.text, name.end).ends;
	if (value === "" || /^(?:-[\w-]*|<+)$/.test(value) || /^[A-Z_-]+$/.test(value) || isPlaceholder(value))
		return;
	if (FUNCTION_WORD.test(value.replaceAll(BLANK_IN_WORD, " "))) return;
	if (layout === "line" && !looksLikePassword(value) && !isGenerated(value)) return;
	if (isLocation(value) || (name.kind === "key" && !isGenerated(value, 16))) return;
	scan.hide(at[1] ?? name.end, endAt(scan, at[value.length] ?? name.end));
}

export const readAssignment: Reader = (scan: Scan, at, literal) => {
	if (!scan.isFresh(readAssignment, at)) return;
	const { text } = scan;
	const name = nameAt(scan, at, literal);
	scan.reach(readAssignment, name?.end ?? at + 1);
	if (!name) return;
	const isOption = endOf(OPTION, text, name.start) !== undefined;
	if (isOption && name.kind === "token") name.kind = "certain";
	if (name.isVariable) readValueBefore({ text, hide: (start, end) => scan.hide(start, end) }, name);
	if (isOption && !/^["'`]?[=:]/.test(text.slice(name.end, name.end + 2))) return readOption(scan, name);
	const link = linkAt(scan, name);
	if (!link) return;
	let position: number | undefined = link.at;
	const separators =
		/s$/i.test(name.identifier) || /\n[ \t]*- *$/.test(text.slice(link.at - 12, link.at))
			? [...NEXT, ...NEXT_IN_LIST]
			: NEXT;
	for (let count = 0; count < LONGEST_LIST && position !== undefined; count++) {
		const value = valueAt(text, { ...link, at: position }, name);
		if (
			!value ||
			isVariable(text, value) ||
			!isSecret(name, link.place, value, text.slice(value.end, value.end + 16))
		)
			return;
		const isWhole = value.isQuoted || value.text.length < 150;
		const end = isWhole ? value.end : restOf(text, value.end, link.bare, name.quote);
		scan.hide(value.start, end);
		scan.reach(readAssignment, end);
		position = separators.map((separator) => endOf(separator, text, end)).find((next) => next !== undefined);
	}
};
