import { type NameKind, nameKind } from "./names.ts";
import { endOf, isAlphanumeric, matchAt, type Reader, type Scan } from "./scan.ts";
import {
	FUNCTION_WORD,
	isCredential,
	isExpression,
	isGenerated,
	isLocation,
	isPlaceholder,
	isPlainName,
	isSentence,
	looksLikePassword,
	NUMBER_AND_UNIT,
	namesSecret,
	TECHNICAL,
} from "./values.ts";
import { BLANK as BLANK_IN_WORD, endAt, layoutAt, wordsAt } from "./words.ts";

/**
 * Finds the pairs of a secret's name and its value. The name and the link between them determine whether there is a secret, and the place
 * determines where it ends.
 */

/** The name of a secret and its position in the text. */
interface Name {
	start: number;
	end: number;
	kind: NameKind;
	identifier: string;
	/** Whether the name is in capitals, like that of an environment variable. */
	isVariable: boolean;
	/** The quotation mark around the name. It also encloses the value, unless the value has quotation marks of its own. */
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
	// Only the last name in a property access counts: process.env.API_KEY
	start += text.slice(start, end).lastIndexOf(".") + 1;
	const before = isKey
		? (/(?:^|\W)(\w{1,24})[ .-]$/.exec(text.slice(Math.max(0, start - 26), start))?.[1] ?? "")
		: "";
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
 * How certain it is that a secret follows. `sure` (`NAME=value`, a header or a parameter): any value counts. `firm` (`name=value`): any value
 * but an expression. `loose` (`name: value`, `name = value`): these forms also occur in prose, types and code. `prose` ("the password is …",
 * f("password", "…")): only a value that looks like a password counts.
 */
type Place = "sure" | "firm" | "loose" | "prose";

/**
 * Match what an unquoted value may contain: as a parameter, as an element's content, in a connection string, in a list or map on one line,
 * anywhere else, and as a word in prose. The patterns match only the beginning, which is enough to classify the value.
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

/** Matches what may be between a name and its link: closing marks, a note such as `(again)`, `[None]` or ` for 'bob'@'%'`, and a type. */
const CLOSE = String.raw`["'\x60*_]{0,6}\]?[*_]{0,2}(?:\s?\((?!["'\x60])[^()\n]{0,60}\)(?=\s?[:=])|\s?\[[^[\]\n]{0,60}\](?=\s?[:=])| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'(?:@'[^'\n]{0,60}')?|"[^"\n]{1,100}"|[^\s:=]{1,60})(?=\s?[:=])| \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s))?`;
const TYPED = String.raw`(?:(?:[ \t]{0,3}:[ \t]{0,3}&?[A-Za-z_][\w.<>|? ]{0,40}|[ \t]{1,3}(?:string|str|text|\[\]byte|char))(?=[ \t]{0,3}=\s{0,3}["'\x60]))?`;
const SIGN = String.raw`(?::=|=>|===?(?=\s?["'])|=(?![=>]|~[\s/])|[:：﹕＝](?![:=]))`;
const closed = (form: string, flags = "iuy"): RegExp => new RegExp(CLOSE + form, flags);
const BLANK = /[ \t]{1,3}(?=[^\s=]|=\S)/y;

interface Row {
	place: Place;
	/** Matches what is between the name and the value. */
	form: RegExp;
	/** Matches the beginning of the name, or checks what precedes it. */
	front?: RegExp;
	/** Matches the characters that an unquoted value may contain. */
	bare?: RegExp;
	/** Whether this is an assignment, so that the text around the name determines the place and the characters. */
	assigns?: true;
}

/** The links between a name and its value. The first one that matches is used. */
const LINKS: readonly Row[] = [
	// setx NAME value
	{
		place: "sure",
		form: BLANK,
		front: /(?<=(?:^|[\s"'`])(?:ENV|ARG|setenv|setx|set(?: -\w+){1,3})[ \t]{1,3})/my,
		bare: WORD,
	},
	// .netrc, redis.conf and SQL
	{
		place: "firm",
		form: BLANK,
		front:
			/(?<=\blogin\s{1,5}\S{1,60}\s{1,5})(?:password|account)|requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,3}[NE]?')/iy,
		bare: WORD,
	},
	// (setq name "value")
	{
		place: "firm",
		form: /[ \t]{1,9}(?=")/y,
		front: /(?<=\((?:setq|setf|def\w{0,9})[ \t]{1,9}(?:\w[\w-]{0,60}-)?)/y,
	},
	// ${NAME:-value}
	{ place: "sure", form: /:[-=?+]/y, front: /(?<=\{)/y, bare: DEFAULT },
	// <name>value</name>
	{
		place: "firm",
		form: /(?:\s[^<>\n]{0,100})?>\s{0,80}(?=[^<\s][^<\n]{0,2000}(?:\s{0,80}<\/|$))/y,
		front: /(?<=<[\w.-]{0,20}:?)/y,
		bare: CONTENT,
	},
	// <entry key="password">…, <setting name="password"><value>… and <td>Password</td><td>…
	{
		place: "firm",
		form: /["'][^<>\n]{0,80}>\s{0,80}(?:<[\w:.-]{1,30}>\s{0,80})?(?=[^<\s][^<\n]{0,200}<\/)/y,
		front: /(?<=(?:key|name)=["'][\w.-]{0,60})/iy,
		bare: CONTENT,
	},
	{ place: "firm", form: /<\/[\w:.-]{1,30}>\s{0,20}<(?!input)[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y },
	// name=value, with nothing between
	{ assigns: true, place: "firm", form: closed(String.raw`(?::=|=>|=(?![=>]|~[\s/]))(?=\S)`) },
	{
		assigns: true,
		place: "loose",
		form: closed(String.raw`${TYPED}[ \t]{0,20}${SIGN}(?:[*_]{1,2}(?=\s))?[ \t]{0,20}`),
	},
	// A value may begin with "=" or ">", too.
	{ place: "sure", form: /=(?=[^\s"'`(]{2})/y, front: /[A-Z][A-Z\d_]+=/y, bare: CONNECTION },
	{ place: "prose", form: /=(?=[^\s"'`(]{2})/y, bare: CONNECTION },
	// process.env.X || "…"
	{ place: "firm", form: /["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=)\s{0,20}(?=["'`])/y },
	// Table rows: | password | …, including those printed by `vault kv get`
	{ place: "loose", form: /[*`]{0,2}[ \t]{1,40}[|│][ \t]{1,40}/y },
	{
		place: "firm",
		form: / {2,40}(?=\S+[ \t]*(?:\r?\n|$))/y,
		front: /(?<=^Key +Value *\n[\s\S]{0,2000}\n)/my,
		bare: WORD,
	},
	{ place: "loose", form: /["'`]?\s?(?:->|→|⇒|➜)\s?/y },
	// setPassword("…"), getByLabel("Password").fill("…"), f("password", "…") and set(:password, "…")
	{ place: "firm", form: /["'`]?\([ \t]{0,3}(?=["'`])/y, front: /(?:set|with|use|using)[A-Z_]/y },
	{ place: "prose", form: /["'`\])i/]{1,6}\)?(?:\.\w{2,20}\(\))?\.\w{2,20}\(\s{0,3}(?=["'`])/y },
	{
		place: "firm",
		form: /["'],[ \t]{0,3}(?:\w{1,20}\s?=\s?)?(?=["'`])/y,
		front: /[A-Z][A-Z\d_]{1,60}["'`]/y,
	},
	{ place: "firm", form: /,[ \t]{0,3}(?=["'])/y, front: /(?<=\w[( ]:)/y },
	{
		place: "prose",
		form: /(?:["'`],|["'`]?\()[ \t]{0,3}(?=["'`])/y,
		front: /(?!(?:get|has|is|list|find|fetch|load|read|delete|remove|clear)[A-Z_])/y,
	},
	// The password is …, the new key for the site: …, 密码是 …, and the value below the name
	{ place: "prose", form: /["'`]?[ \t][-–—]{1,2}[ \t]/y },
	{
		place: "prose",
		form: /["'`*]{0,3}(?:[ \t][^\s"'`.,;:=|]{1,20}){0,5}?[ \t](?:is|was|are|should be|ist|lautet|es|est|é|è|to)(?:[ \t](?:now|set to))?[ \t]?[:=]?[ \t]{1,3}/iy,
	},
	{ place: "prose", form: /["'`*]{0,3}(?: \p{L}{1,12}){1,3}[:：][*]{0,2}[ \t]{1,3}/uy },
	{
		place: "prose",
		form: closed(
			String.raw`(?: (?:is|are))?[:：][*_]{0,2}[ \t]*(?:\r?\n[ \t>]*){1,3}(?:\x60{3}\w*\r?\n)?(?=\S+[ \t]*(?:\r?\n|$))`,
		),
	},
	{ place: "prose", form: /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}[ :：]?(?=[\x21-\x7e])/y },
	{
		place: "prose",
		form: /[ \t][([]|[ \t]{1,3}/y,
		front: /pass|pw|[^\0-\x7f]|kennwort|clave|senha|contras|mot|wacht/iy,
	},
];

/** Matches what directly precedes a name if it is a command's option: `--db-`. */
const OPTION = /(?<=(?:^|[\s"'`[(,])--?(?:\w{1,30}-){0,4})/my;

/**
 * Matches what may be between the link and the value: a block scalar indicator, tag or list marker in YAML, or a wrapper or opening bracket in
 * code.
 */
const OPENING =
	/[|>][+-]?\d?[ \t]{0,9}\r?\n[ \t]{0,40}|\r?\n[ \t]{0,40}(?:-[ \t]{1,9}|(?=["'](?!""|'')))|(?:![\w!]{1,20}|-)[ \t]{1,20}|(?:\[\]byte|new [\w.]{1,40}|[\w.:]{0,40}(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes|Some|Ok|Just|::from|::new))\(\s{0,3}(?=["'`]|[\w.:]{1,30}\(["'`])|[\w.]{1,40}(?:[[(]["'`][^"'`\n]{1,60}["'`][\])])?\s{0,3}(?:\|\||\?\?|\?:|or\b)\s{0,3}(?=["'`])|[[({]\s{0,40}(?=["'])|\[(?!redacted\])(?=[\w, ]{1,2000}(?:\]|$))|(?:<\/?[a-z]{1,9}>\s{0,5}){1,3}/y;

/** Returns the position after what opens a value; undefined if the line ends there. */
function openedAt(text: string, at: number): number | undefined {
	const once = endOf(OPENING, text, at) ?? at;
	const twice = endOf(OPENING, text, once) ?? once;
	return /[\r\n]/.test(text.charAt(twice)) ? undefined : twice;
}

/**
 * The link after a name. `at`: the position at which the value begins. `bare`: matches the characters that an unquoted value may contain.
 */
interface Link {
	at: number;
	place: Place;
	bare: RegExp;
}

function linkAt({ text }: Scan, name: Name): Link | undefined {
	// The colon of a conditional expression assigns nothing.
	const isBranch = /\?\s?["'`]$/.test(text.slice(Math.max(0, name.start - 3), name.start));
	for (const { assigns, place, form, front, bare = PLAIN } of LINKS) {
		const found = assigns && isBranch ? undefined : endOf(form, text, name.end);
		// The text before the name is checked last, because few names have anything but an assignment after them.
		if (found === undefined || (front && endOf(front, text, name.start) === undefined)) continue;
		const at = openedAt(text, found);
		// A value may begin on the next line only after a colon.
		if (at === undefined && assigns && text.charAt(found - 1) === "=") return undefined;
		if (at === undefined) continue;
		if (!assigns) return { place, at, bare };
		const own = placeOf(text, name, place, text.slice(name.end, found));
		return { place: own, at, bare: bareAt(text, name, own, at) };
	}
	return undefined;
}

/** Returns how certain it is that an assignment contains a secret. */
function placeOf(
	text: string,
	{ start, kind, isVariable, identifier }: Name,
	place: Place,
	link: string,
): Place {
	if (place !== "loose")
		return isVariable || (place === "firm" && /[?&]/.test(text.charAt(start - 1))) ? "sure" : place;
	// In Markdown, a name in code is explained by what follows the colon.
	if (link.startsWith("`")) return place;
	const isColon = /[:：﹕]["'`*_]{0,3}\s*$/.test(link);
	return isColon && (/^(?:x|api|private)-/i.test(identifier) || (isVariable && kind === "certain"))
		? "sure"
		: place;
}

function bareAt(text: string, { start, kind, quote, identifier }: Name, place: Place, at: number): RegExp {
	const before = /([^\s])\s{0,3}["']?$/.exec(text.slice(Math.max(0, start - 5), start))?.[1] ?? "";
	const isSameLine = !text.slice(Math.max(0, start - 5), start).includes("\n");
	if (/[?&]/.test(text.charAt(start - 1))) return PARAMETER;
	// The quoted string begins with the name and ends with the value.
	if (quote !== "" && text.charAt(start - 1) === quote) return place === "sure" ? WORD : CONNECTION;
	if (place !== "loose" && endOf(BRACES, text, at) !== undefined) return BRACED;
	if (place === "loose" && kind !== "certain") return PLAIN;
	if (isSameLine && before === ";") return CONNECTION;
	if (isSameLine && /[{(,[]/.test(before)) return FLOW;
	return place === "loose" || (place === "sure" && identifier !== "PWD") ? WORD : CONNECTION;
}
interface Value {
	start: number;
	end: number;
	/** The value, or its beginning, which is enough to classify it. */
	text: string;
	isQuoted: boolean;
}

/** Maximum number of a quoted value's characters that are read to classify it. */
const QUOTED_BOUND = 2_000;
const PREFIX = "[bfruBFRUNEL@$]{0,2}";
/** Match what opens a quoted value, and what ends it. The first group of the latter pattern matches an escape sequence inside the value. */
const QUOTES: readonly (readonly [opening: RegExp, end: RegExp])[] = [
	...['"""', "'''", '"', "'", "`"].map((mark) => quote(`${PREFIX}${mark}`, `(\\\\[^\\n])|${mark}|\\n`)),
	quote("[“”„«‘「『]", "[“”„«»‘’「」『』\\n]"),
];

function quote(opening: string, end: string): readonly [RegExp, RegExp] {
	return [new RegExp(opening, "iy"), new RegExp(end, "gi")];
}

/** Matches the closing quotation mark of a value and what a shell, SQL or YAML concatenates with it: `'one'"two"`, `'it'\''s'`, `'it''s'`. */
const JOINED = /["'](?:"(?:\\.|[^"\\\n]){1,200}"|'[^'\n]{0,200}(?:'|(?=\n)|$)|\\['"]){1,29}/y;
/** Matches a value that is already redacted, and a command substitution. */
const NO_VALUE = /\[redacted\]|`[a-z][\w.-]* [^`\n]{1,200}`/y;
/** Matches punctuation that may belong to the text around an unquoted value. */
const TRAILING = /(?<=.)[.:,;?!*_)\]}"'`]{1,4}$/;

function valueAt(text: string, { at, bare, place }: Link, name: Name): Value | undefined {
	// A mark that is open in a line does not end in another one.
	const enclosing = at < name.end || text.slice(name.end, at).includes("\n") ? "" : name.quote;
	if (endOf(NO_VALUE, text, at) !== undefined) return undefined;
	for (const [opening, closing] of QUOTES) {
		const start = endOf(opening, text, at);
		// The mark may also close the string that contains the name.
		if (start === undefined || text.charAt(start - 1) === enclosing) continue;
		// In a shell, neither a backtick nor a mark after a letter begins a string.
		if (place === "sure" && (text.charAt(start - 1) === "`" || /\w/.test(text.charAt(at)))) continue;
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
	const known = whole.split(UNSPACED, 1)[0] ?? "";
	if (known === "" || isPlaceholder(whole.replace(/[`"'.,;:)]+$/, ""))) return undefined;
	const inside = bare === CONTENT ? known : known.replace(TRAILING, "");
	return { start, end: start + inside.length, text: inside, isQuoted: false };
}

/** Returns the position at which an unquoted value ends because the string that contains it, or the line in that string, ends. */
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

const WORD_FOLLOWS = /^ (?:[a-z]|\[redacted\])/;
/** Matches the name of a value that people do not make up themselves. */
const GENERATED = /^(?![A-Z\d]+_[A-Z\d_]+$|.*secret).*(?:keys?|tokens?|cred\w*)$/i;

/** Whether the value is a secret rather than a placeholder, a reference or prose. `next` is the text after it. */
function isSecret(name: Name, place: Place, value: Value, next: string): boolean {
	const { kind, identifier } = name;
	const { text, isQuoted } = value;
	if (text.length < 2 || /^\s/.test(text) || isPlaceholder(text) || isLocation(text)) return false;
	// A value that a person abbreviated, such as "sk-ant-…", is not a secret.
	if (text.length < 12 && /^(?:\.{3}|…)/.test(next)) return false;
	// The text is the next key rather than a value, such as "b" in { "A_TOKEN": "…", "b": … }.
	const isKey = (isQuoted ? /^["'`]\s?:(?!:)/ : /^["'`]?\s?:(?![:=\w])/).test(next);
	if (isKey && (isQuoted || (/loose|prose/.test(place) && /^[\w.-]+$/.test(text)))) return false;
	// A duration, a regular expression in a table, and the name of another variable
	if (
		place !== "sure" &&
		((text.length < 6 && NUMBER_AND_UNIT.test(text)) || /^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(text))
	)
		return false;
	if (place === "loose" && /[\])][+*{]|\\\|/.test(text) && text.length > 16) return false;
	// The translation of a label
	if (place !== "sure" && !/[!-~]/.test(text)) return false;
	// The label of an input, or a name for the same secret
	const isLabel = /^[\p{L}_.:&/' -]{1,40}$/u.test(text) && (place !== "sure" || /^[A-Z_]+$/.test(text));
	if (isLabel && (namesSecret(text) || nameKind(text, "") !== undefined)) return false;
	if (!isQuoted && place !== "sure" && isExpression(text, next)) return false;
	// Symbol.for("secret:mock")
	if (place === "loose" && text.length < 12 && value.start === name.end + 1 && /^[a-z]+$/.test(text))
		return false;
	switch (kind) {
		case "header":
			return isCredential(text);
		case "code":
			return (
				(isQuoted || place !== "loose" || identifier !== "pin") && /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(text)
			);
		case "key":
			if (/[:/]/.test(text) || text.split("-").filter(isPlainName).length > 1) return false;
			return isGenerated(text, place === "sure" ? 8 : 16);
		case "token":
			if (place === "sure") return text.length >= 3 && !(text.length < 10 && NUMBER_AND_UNIT.test(text));
			return isToken(text, isQuoted) && (place !== "prose" || looksLikePassword(text) || isGenerated(text));
		case "pass":
			if (place === "sure" || place === "firm") return isCertain(place, value, next, identifier);
			if (looksLikePassword(text)) return true;
			return isQuoted && place !== "prose" && /^[^\s.]{6,}$|^(?:[a-z]{4} ){3}[a-z]{4}$/.test(text);
		case "certain":
			return isCertain(place, value, next, identifier);
	}
}

function isCertain(
	place: Place,
	{ text: value, isQuoted }: Value,
	next: string,
	identifier: string,
): boolean {
	if (place === "prose") return !/\s/.test(value) && (looksLikePassword(value) || isGenerated(value));
	// A key or token is generated; only a password may be a word.
	if (place !== "sure" && GENERATED.test(identifier) && /^[A-Za-z]{1,12}$/.test(value) && isPlainName(value))
		return false;
	if (isQuoted) return !isSentence(value);
	if (place === "sure") return !(/^[A-Z][a-z]+$/.test(value) && WORD_FOLLOWS.test(next));
	if (place === "firm") return !FUNCTION_WORD.test(value) && !/^[A-Z_]+$/.test(value);
	if (/^[\d.,:/%+-]+$/.test(value)) return value.length >= 4 && !WORD_FOLLOWS.test(next);
	if (/^[(<{[|]+[A-Za-z_]*$/.test(value)) return false;
	if (/[^\p{L}\s_.-]/u.test(value) || (value.length >= 8 && !value.split("-").every(isPlainName)))
		return !(TECHNICAL.test(value) && WORD_FOLLOWS.test(next));
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

/** Whether a value is the name of a variable: in `name = value`, unless it is long, and after a quoted key. */
function isVariable(text: string, { start, text: value, isQuoted }: Value): boolean {
	const before = text.slice(Math.max(0, start - 3), start);
	if (isQuoted) return false;
	return / = $/.test(before)
		? /^[a-z_]{1,9}$/.test(value)
		: /["'] ?: ?$/.test(before) && /^[A-Za-z_.]+$/.test(value);
}

/** Match the separators between a name's values: in a list, and between the old and the new value in a Terraform plan. */
const NEXT = [/["'`]\s{0,3}->\s{0,3}(?=["'`])/y];
const NEXT_IN_LIST = [
	...NEXT,
	/["'`]\s{0,40},\s{0,40}(?=["'`])/y,
	/["'`]?[ \t]*(?:#[^\n]*)?\r?\n[ \t]{0,40}-[ \t]{1,9}/y,
	/,[ \t]{1,9}(?=[\w"'])/y,
];
const LONGEST_LIST = 50;

/** Hides a name's value, and the values that follow it in a list. */
function readValues(scan: Scan, name: Name, link: Link): void {
	const { text } = scan;
	let position: number | undefined = link.at;
	const isList =
		/s$/i.test(name.identifier) || /\n[ \t]*- *$/.test(text.slice(Math.max(0, link.at - 12), link.at));
	for (let count = 0; count < LONGEST_LIST && position !== undefined; count++) {
		const value = valueAt(text, { ...link, at: position }, name);
		if (!value || isVariable(text, value)) return;
		if (!isSecret(name, link.place, value, text.slice(value.end, value.end + 16))) return;
		const isWhole = value.isQuoted || value.text.length < 150;
		const end = isWhole ? value.end : restOf(text, value.end, link.bare, name.quote);
		scan.hide(value.start, end);
		if (end > name.end) scan.reach(readPair, end);
		position = (isList ? NEXT_IN_LIST : NEXT)
			.map((one) => endOf(one, text, end))
			.find((next) => next !== undefined);
	}
}

/** Matches what precedes a name that is itself the value of a key: `name: X` beside `value: …`. */
const NAMING =
	/(?<=(?:^|[^\w-])["']?(?:name|key|var|variable|header|param|parameter|property|id)["']?\s{0,3}[:=]\s{0,3}["']?(?:[\w./-]{0,60}[/.])?)/iy;
const VALUE_KEY = /(?<=[\s{,(["'])["']?(?:value|val|data|content|default)["']?[ \t]{0,5}[:=][ \t]{0,5}/gi;
const OPENS = /["']?\s?[:=]?\s?\{/y;
const BOUNDARY = /[{}<>]|\n[ \t]*- |\n[ \t]*\n/;
const STRING = /"(?:[^"\\\n]|\\.)*"/g;
const BESIDE = 500;

/**
 * Reads the value in an object that contains the name, `{"name": …, "value": …}` in any order, or that has the name as its key, `"name":
 * {"value": …}`.
 */
function readBeside(scan: Scan, name: Name): void {
	const { text } = scan;
	const isNamed = endOf(NAMING, text, name.start) !== undefined;
	const from = isNamed ? name.end : endOf(OPENS, text, name.end);
	if (from === undefined) return;
	const bare = /["']/.test(text.charAt(name.start - 1)) ? FLOW : WORD;
	const place = name.isVariable ? "sure" : "firm";
	const read = (start: number, key: RegExpExecArray | undefined): void => {
		const at = key && openedAt(text, start + key.index + key[0].length);
		const end = at === undefined ? undefined : valueAt(text, { place, at, bare }, name)?.end;
		if (at === undefined || end === undefined) return;
		const between = at < name.start ? text.slice(end, name.start) : text.slice(from, at);
		if (!BOUNDARY.test(between.replace(/^["']/, "").replace(STRING, "")))
			readValues(scan, { ...name, quote: "" }, { place, at, bare });
	};
	read(
		from,
		text
			.slice(from, from + BESIDE)
			.matchAll(VALUE_KEY)
			.next().value,
	);
	const start = Math.max(0, name.start - BESIDE);
	if (isNamed) read(start, [...text.slice(start, name.start).matchAll(VALUE_KEY)].at(-1));
}

/** Reads an option's value that is a separate word, in any layout of the command. */
function readOption(scan: Scan, name: Name): void {
	const { at, line } = wordsAt(scan, name.end, name.quote, 1);
	const value = line.slice(1).replace(TRAILING, "");
	const layout = layoutAt(scan.text, name.end).ends;
	if (value === "" || /^(?:-[\w-]*|<+)$/.test(value) || /^[A-Z_-]+$/.test(value) || isPlaceholder(value))
		return;
	if (FUNCTION_WORD.test(value.replaceAll(BLANK_IN_WORD, " "))) return;
	if (/^[a-z]+(?:\.[a-z]+)+$/.test(value) || /\.{3}|…/.test(line)) return;
	if (layout === "line" && !looksLikePassword(value) && !isGenerated(value)) return;
	if (isLocation(value) || (name.kind === "key" && !isGenerated(value, 16))) return;
	scan.hide(at[1] ?? name.end, endAt(scan, at[value.length] ?? name.end));
}

/** Number of characters before and after a name within which its value may be covered by a layer. */
const BEFORE = 300;
const AFTER = 600;
/** Matches what follows a doubtful name if it has a value, even in an encoded text. */
const HAS_VALUE = /[^\s\w]{0,8}(?:x22|quot;|u0022)?[^\w\s]{0,4}\s?(?:[=:|>,(\\]|%3)|\s{1,3}(?:is|-)\b/y;

export const readPair: Reader = (scan: Scan, at, literal) => {
	if (!scan.isFresh(readPair, at)) return;
	const { text } = scan;
	const name = nameAt(scan, at, literal);
	scan.reach(readPair, name?.end ?? at + 1);
	if (!name) return;
	if (name.kind === "certain" || endOf(HAS_VALUE, text, name.end) !== undefined)
		scan.look(name.start - BEFORE, name.end + AFTER);
	readBeside(scan, name);
	if (name.kind === "header") return;
	const isOption = endOf(OPTION, text, name.start) !== undefined;
	if (isOption && name.kind === "token") name.kind = "certain";
	const isWord = isOption && !/^["'`]?[=:]/.test(text.slice(name.end, name.end + 2));
	const link = isWord ? undefined : linkAt(scan, name);
	if (isWord) readOption(scan, name);
	else if (link) readValues(scan, name, link);
};
