import { readColumn } from "./columns.ts";
import { type NameKind, nameKind } from "./names.ts";
import { endOf, matchAt, type Reader, type Scan } from "./scan.ts";
import {
	FUNCTION_WORD,
	isCode,
	isGenerated,
	isLabel,
	isLocation,
	isMixed,
	isPlaceholder,
	isPlainName,
	isSentence,
	looksLikePassword,
	NUMBER_AND_UNIT,
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
	/** Whether the quotation marks enclose only the name, or a phrase that ends with it, as in a translation: `"Change your password": "…"`. */
	isKey: boolean;
	isPhrase: boolean;
}

const UNSPACED = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Match the characters of an identifier after and before a position, including a hyphen or dot between two other characters. */
const NAME_REST = /(?:[\p{L}\p{M}\p{N}_$]|(?<=\w)[-.](?=[A-Za-z_])){1,80}/uy;
const NAME_FRONT = /(?<=((?:[\w$À-ɏЀ-ӿ]|(?<=\w)[-.](?=[A-Za-z_])){1,80}))/y;

const USER_BEFORE = /\b(?:user|username|login)["']?\s?[:=]\s?\S{1,40}[\s,;/]{1,3}["']?$/i;

/** Returns the complete name that contains the anchor. */
function nameAt(scan: Scan, at: number, literal: string): Name | undefined {
	const { text } = scan;
	const isWord = !literal.includes(" ") && !UNSPACED.test(literal);
	const end = (isWord ? endOf(NAME_REST, text, at) : undefined) ?? at + literal.length;
	let start = at - (isWord ? (matchAt(NAME_FRONT, text, at)?.[1]?.length ?? 0) : 0);
	// Only the last name in a property access counts: process.env.API_KEY
	start += text.slice(start, end).lastIndexOf(".") + 1;
	const identifier = text.slice(start, end);
	const front = text.slice(Math.max(0, start - 26), start);
	const before = /keys?$/i.test(identifier) ? /(?:^|\W)(\w{1,24})[ .-]$/.exec(front)?.[1] : "";
	let kind = nameKind(identifier, before ?? "");
	// "pass" beside a user name: user: jo pass: …
	if (kind === "pass" && USER_BEFORE.test(text.slice(Math.max(0, start - 80), start))) kind = "certain";
	// The kind of a Kubernetes object
	if (!kind || /kind["']?:\s?["']?$/.test(front)) return undefined;
	const enclosing = scan.quoteAt(start);
	// A mark that closes directly after the name encloses only the name.
	const isClosed = enclosing !== "" && text.charAt(end) === enclosing;
	const isPhrase = isClosed && !enclosing.startsWith("`") && /[\p{L}\p{M}\p{P}] $/u.test(front);
	const isVariable = /^[A-Z][A-Z\d_]+$/.test(identifier);
	return {
		start,
		end,
		kind,
		identifier,
		isVariable,
		quote: isClosed ? "" : enclosing,
		isKey: isClosed,
		isPhrase,
	};
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
const PARAMETER = /(?:[^\s&#"`<>)]|\)(?![[\]\s])){1,160}/y;
const CONTENT = /[^<\n]{1,160}/y;
const CONNECTION = /(?:[^\s;]|;(?![ \t]*[A-Za-z][A-Za-z ]{1,30}=|\s|$)){1,160}/y;
const DEFAULT = /[^\s}]{1,160}/y;
const BRACES = /\{[^}\s]{1,200}(?:\}(?=[;"'\s]|$)|$)/y;
const BRACED = /[^}\n]{1,160}/y;
const FLOW =
	/(?:[^\s"'`,;{}[\]()]|[{[("'`](?=[^\s"'`,;{}[\]()])|[)}\]](?!\.[a-z])(?=[^\s,;])|[,;](?=[^\s"'`,;{}[\]()])(?!\w[\w.-]{0,40}\s{0,3}[=:])){1,160}/y;
const WORD = /\S{1,160}/y;
const PLAIN = /(?:[^\s"'`,;&<>|(){}[\]\\\u3000-\u303f\uff00-\uff20]|&(?=\d)){1,160}/y;

/** Matches what may be between a name and its link: closing marks, a note such as `(again)`, `[None]` or ` for 'bob'@'%'`, and a type. */
const CLOSE = String.raw`["'\x60*_]{0,6}\]?[*_]{0,2}(?: \((?!["'\x60])[^()\n]{0,60}\)(?=\s?[:=])|\s?\[[^[\]\n]{0,60}\](?=\s?[:=])| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'(?:@'[^'\n]{0,60}')?|"[^"\n]{1,100}"|[^\s:=]{1,60})(?=\s?[:=])| \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s))?`;
const TYPED = String.raw`(?:(?:[ \t]{0,3}:[ \t]{0,3}&?[A-Za-z_][\w.<>|? ]{0,40}|[ \t]{1,3}(?:string|str|text|\[\]byte|char))(?=[ \t]{0,3}=\s{0,3}["'\x60]))?`;
const SIGN = String.raw`(?::=|=>|===?(?=\s?["'])|=(?![=>]|~[\s/])|[:：﹕＝](?![:=]))`;
const closed = (form: string, flags = "iuy"): RegExp => new RegExp(CLOSE + form, flags);
const BLANK = /[ \t]{1,3}(?=[^\s=]|=\S)/y;

const IS = String.raw`["'\x60*]{0,3}(?:[ \t][^\s"'\x60.,;:=|]{1,20}){0,5}?[ \t](?:is|was|are|should be|ist|lautet|es|est|é|è|to)(?:[ \t](?:now|set to))?[ \t]?[:=]?[ \t]{1,3}`;

/** A form of a link: what is between the name and the value, what precedes the name, and what an unquoted value may contain. */
type Row = readonly [place: Place, form: RegExp, front?: RegExp | undefined, bare?: RegExp];

/** Match an assignment. The text around the name determines the place, and the characters that the value may contain. */
const ASSIGNED: readonly Row[] = [
	["firm", closed(String.raw`(?::=|=>|=(?![=>]|~[\s/]))(?=\S)`)],
	[
		"loose",
		closed(String.raw`(?: (?:is|are)(?=:))?${TYPED}[ \t]{0,20}${SIGN}(?:[*_]{1,2}(?=\s))?[ \t]{0,20}`),
	],
];

/** The links between a name and its value. The first one that matches is used. */
const LINKS: readonly Row[] = [
	// ${NAME:-value}
	["sure", /:[-=?+]/y, /(?<=\{)/y, DEFAULT],
	...ASSIGNED,
	// PASSWORD::value and ::set-output name=password::value
	["prose", /::(?=[^\s:])/y, /\w*PASS\w*::|[A-Z\d]+_[A-Z\d_]+::|(?<=name=)/y, WORD],
	// A value may begin with "=", too.
	["prose", /=(?=[^\s"'`(]{2})/y, undefined, CONNECTION],
	// setx NAME value
	["sure", BLANK, /(?<=(?:^|[\s"'`])(?:ENV|ARG|setenv|setx|set(?: -\w+){1,3})[ \t]{1,3})/my, WORD],
	// .netrc, redis.conf and SQL
	[
		"sure",
		BLANK,
		/(?<=\blogin\s{1,5}\S{1,60}\s{1,5})(?:password|account)|requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,3}[NE]?')/iy,
		WORD,
	],
	// (setq name "value")
	["firm", /[ \t]{1,9}(?=")/y, /(?<=\((?:setq|setf|def\w{0,9})[ \t]{1,9}(?:\w[\w-]{0,60}-)?)/y],
	// <name>value</name>
	[
		"firm",
		/(?:\s[^<>\n]{0,100})?>\s{0,80}(?=[^<\s][^<\n]{0,2000}(?:\s{0,80}<\/|$))/y,
		/(?<=<[\w.-]{0,20}:?)/y,
		CONTENT,
	],
	// <entry key="password">…, <setting name="password"><value>… and <td>Password</td><td>…
	[
		"firm",
		/["'][^<>\n]{0,80}>\s{0,80}(?:<[\w:.-]{1,30}>\s{0,80})?(?=[^<\s][^<\n]{0,200}<\/)/y,
		/(?<=(?:key|name)=["'][\w.-]{0,60})/iy,
		CONTENT,
	],
	["firm", /<\/[\w:.-]{1,30}>\s{0,20}<(?!input)[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y],
	// process.env.X || "…"
	["firm", /["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=)\s{0,20}(?=["'`])/y],
	// Rows of tables, such as those printed by `vault kv get`
	["prose", /[*`]{0,2}[ \t]{1,40}[|│][ \t]{1,40}/y],
	["firm", / {2,40}(?=\S+[ \t]*(?:\r?\n|$))/y, /(?<=^Key +Value *\n[\s\S]{0,2000}\n)/my, WORD],
	["loose", / {4,40}(?=\S+[ \t]*(?:\r?\n|$))/y, /^/my],
	// storePassword "…", {:password "…"}, and the password "…"
	["firm", /[ \t]{1,9}(?=["'][^\s"']{3,200}["'])/y, /\w*pass/iy],
	// db.password …, Password..... … and Password { get; set; } = "…"
	["firm", /[ \t]{1,9}(?=\S+[ \t]*(?:\r?\n|$))/y, /(?<=^[\w-]+\.(?:[\w-]+\.){0,5})/my, WORD],
	["loose", / ?\.{3,60}:?[ \t]{0,3}(?=[^\s.])/y],
	["firm", / \{ get;[^{}\n]{0,30}\} = (?=")/y],
	// setPassword("…"), getByLabel("Password").fill("…"), f("password", "…") and set(:password, "…")
	["firm", /["'`]?\([ \t]{0,3}(?=["'`]|Some\()/y, /(?:set|with|use|using)[A-Z_]|PASSWORD/y],
	["prose", /["'`\])i/]{1,6}\)?(?:\.\w{2,20}\(\))?\.\w{2,20}\(\s{0,3}(?=["'`])/y],
	["firm", /["'],[ \t]{0,3}(?:\w{1,20}\s?=\s?)?(?=["'`])/y, /[A-Z][A-Z\d_]{1,60}["'`]/y],
	["firm", /,[ \t]{0,3}(?=["'])/y, /(?<=\w[( ]:)/y],
	[
		"prose",
		/(?:["'`],|["'`]?\()[ \t]{0,3}(?=["'`]|Some\()/y,
		/(?!(?:get|has|is|list|find|fetch|load|read|delete|remove|clear|create|generate)[A-Z_])/y,
	],
	// The password is …, the new key for the site: …, 密码是 …, and the value below the name
	["prose", /["'`*]{0,3}(?: [^\s:：,;=/]{1,40}){1,6}[:：][*]{0,2}[ \t]{1,3}/y],
	["loose", new RegExp(`${IS}(?=["'\`“])`, "iy"), /\w*pass\w/iy],
	["prose", new RegExp(IS, "iy")],
	[
		"prose",
		closed(
			String.raw`(?: (?:is|are))?[:：][*_]{0,2}[ \t]*(?:\r?\n[ \t>]*){1,3}(?:\x60{3}\w*\r?\n)?(?=\S+[ \t]*(?:\r?\n|$))`,
		),
	],
	["prose", /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}[ :：]?(?=[\x21-\x7e])/y],
	["prose", /[ \t](?:[([]|[—–] )|[ \t]{1,3}/y, /pass|pw|[^\0-\x7f]|kennwort|clave|senha|contras|mot|wacht/iy],
];

/** Matches what directly precedes a name if it is a command's option: `--db-`. */
const OPTION = /(?<=(?:^|[\s"'`[(,])--?(?:\w{1,30}-){0,4})/my;

/**
 * Matches what may be between the link and the value: a block scalar indicator, tag or list marker in YAML, or a wrapper or opening bracket in
 * code.
 */
const OPENING = new RegExp(
	[
		String.raw`[|>][+-]?\d?[ \t]{0,9}\r?\n[ \t]{0,40}|\r?\n[ \t]{0,40}(?:-[ \t]{1,9}|(?=["'](?!""|'')))|(?:![\w!]{1,20}|&[\w-]{1,40}|-)[ \t]{1,20}|\[\[(?=\S)`,
		String.raw`(?:\[\]byte|new [\w.]{1,40}|[\w.:]{0,40}(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes|Some|Ok|Just|::from|::new))\(\s{0,3}(?=["'\x60]|[\w.:]{1,30}\(["'\x60])`,
		String.raw`[\w.]{1,40}(?:[[(]["'\x60][^"'\x60\n]{1,60}["'\x60][\])])?\s{0,3}(?:\|\||\?\?|\?:|or\b)\s{0,3}(?=["'\x60])`,
		String.raw`[[({]\s{0,40}(?=["'])|\[(?!redacted\])(?=[\w, ]{1,2000}(?:\]|$))|(?:<\/?[a-z]{1,9}>[ \t]{0,5}){1,3}`,
	].join("|"),
	"y",
);

/** Returns the position after what opens a value; undefined if the line ends there. */
function openedAt(text: string, at: number): number | undefined {
	const once = endOf(OPENING, text, at) ?? at;
	const twice = endOf(OPENING, text, once) ?? once;
	return /[\r\n]/.test(text.charAt(twice)) ? undefined : twice;
}

/** The link after a name: where the value begins, and what an unquoted value may contain. */
interface Link {
	at: number;
	place: Place;
	bare: RegExp;
}

/** Yields the possible links, of which the first is used whose value is a secret; those after one outside prose are not possible. */
function* linksAt(text: string, name: Name): Generator<Link, void, void> {
	for (const row of LINKS) {
		const [place, form, front, bare = PLAIN] = row;
		const found = endOf(form, text, name.end);
		// The text before the name is checked last, because few names have anything but an assignment after them.
		if (found === undefined || (front && endOf(front, text, name.start) === undefined)) continue;
		const at = openedAt(text, found);
		const assigns = ASSIGNED.includes(row);
		// Only after a colon, a value may be on the next line without quotation marks, or in a list below the name. The colon of a conditional
		// expression assigns nothing.
		if (
			assigns &&
			text.charAt(found - 1) === "=" &&
			(at === undefined || /\n[ \t]*- *$/.test(text.slice(found, at)))
		)
			return;
		const isBranch = assigns && /\?\s?["'`]$/.test(text.slice(Math.max(0, name.start - 3), name.start));
		if (at === undefined || isBranch) continue;
		yield assigns
			? assignment(text, name, name.isPhrase ? "prose" : place, text.slice(name.end, found), at)
			: { place, at, bare };
		if (place !== "prose") return;
	}
}

/** Returns how certain it is that an assignment contains a secret, and what its value may contain. */
function assignment(text: string, name: Name, form: Place, link: string, at: number): Link {
	const { start, kind, isVariable, identifier } = name;
	const [before] = /\S?[^\S\n]{0,3}["']?$/.exec(text.slice(Math.max(0, start - 5), start)) ?? [""];
	const isParameter = /[?&]$/.test(before);
	// After a name in quotation marks, a value without them is code; in Markdown, the name is explained.
	const isColon =
		!(/^["'`]/.test(link) && /[^"']/.test(text.charAt(at))) && /[:：﹕]["'`*_]{0,3}\s*$/.test(link);
	const isSure =
		form === "firm"
			? isVariable || isParameter || endOf(OPTION, text, start) !== undefined
			: isColon && (/^(?:x|api|private)-/i.test(identifier) || (isVariable && kind === "certain"));
	const place = isSure ? "sure" : form;
	const word = place === "sure" && identifier === "PWD" ? CONNECTION : WORD;
	const bare = (): RegExp => {
		if (isParameter) return PARAMETER;
		// The quoted string begins with the name and ends with the value.
		if (name.quote !== "" && text.charAt(start - 1) === name.quote)
			return place === "sure" ? WORD : CONNECTION;
		if (place !== "loose" && endOf(BRACES, text, at) !== undefined) return BRACED;
		if (place === "loose" && kind !== "certain") return PLAIN;
		if (before.startsWith(";")) return CONNECTION;
		if (/^[{(,[]/.test(before)) return FLOW;
		return place === "firm" ? CONNECTION : word;
	};
	return { place, at, bare: bare() };
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
const QUOTE = /[bfruBFRUNEL@$]{0,2}("""|'''|["'`])|([“”„«‘「『])/y;
/** Match what ends a quoted value. The group matches an escape sequence inside the value. */
const QUOTE_ENDS = new Map(
	['"""', "'''", '"', "'", "`"].map((mark) => [mark, new RegExp(`(\\\\[^\\n])|${mark}|\\n`, "g")]),
);
const TYPOGRAPHIC_END = /[“”„«»‘’「」『』\n]/g;
/** Matches the closing quotation mark of a value and what a shell, SQL or YAML concatenates with it: `'one'"two"`, `'it'\''s'`, `'it''s'`. */
const JOINED = /["'](?:"(?:\\.|[^"\\\n]){1,200}"|'[^'\n]{0,200}(?:'|(?=\n)|$)|\\['"]){1,29}/y;
/** Matches a value that is already redacted, and a command substitution. */
const NO_VALUE = /\[redacted\]|`[a-z][\w.-]* [^`\n]{1,200}`/y;
/** Match punctuation that may belong to the text around an unquoted value: in prose, elsewhere, and where only a word ends the value. */
const TRAILING = /(?<=.)[.:,;?!*_)\]}"'`]{1,4}$/;
const TRAILING_MARKS = /(?<=.)[.:,;*_)\]}"'`]{1,8}$/;
const TRAILING_SIGNS = /(?<=.)[,;)\]}"'`]{1,4}$/;

function valueAt(text: string, { at, bare, place }: Link, name: Name): Value | undefined {
	if (endOf(NO_VALUE, text, at) !== undefined) return undefined;
	// A mark that is open in a line does not end in another one.
	const enclosing = at < name.end || text.slice(name.end, at).includes("\n") ? "" : name.quote;
	const opening = matchAt(QUOTE, text, at);
	const mark = opening?.[1] ?? opening?.[2] ?? "";
	// In a shell, neither a backtick nor a mark after a letter begins a string. The mark may also close the string that contains the name.
	const isString =
		mark !== enclosing && !(place === "sure" && (mark === "`" || /^\w/.test(opening?.[0] ?? "")));
	if (opening && isString) {
		const start = at + opening[0].length;
		const closing = QUOTE_ENDS.get(mark) ?? TYPOGRAPHIC_END;
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
	if (known === "") return undefined;
	const trailing = place === "sure" ? TRAILING_SIGNS : TRAILING_MARKS;
	const inside = bare === CONTENT ? known : known.replace(place === "prose" ? TRAILING : trailing, "");
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
		const within = endWithin(text, end, next, enclosing);
		if (within < next) return within;
		end = next;
	}
	return end;
}

/** Matches a space and the next word of a sentence. A word with a sign after it begins another pair: `pass: x host: y`. */
const WORD_FOLLOWS = /^ (?:(?![a-z][\w.-]*\s?[:=])[a-z]|\[redacted\])/;
/** Matches a label, such as "Geheim" in a translation: `"Secret": "Geheim"`. */
const CAPITALIZED = /^\p{Lu}[\p{Ll}\p{M}]+$/u;

/** Whether an unquoted value is a variable in code: it ends a line with a comma, or is named like the variable to which it is assigned. */
function isReference(text: string, identifier: string, next: string): boolean {
	if (/^,[ \t]*\r?\n/.test(next)) return /^[A-Za-z_]\w*$/.test(text) && !isGenerated(text) && !isMixed(text);
	return /^[a-z]+[A-Z]\w*$/.test(identifier) && /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text) && isPlainName(text);
}

const isPhraseStart = (text: string, next: string): boolean =>
	/^[A-Z][a-z]+$/.test(text) && WORD_FOLLOWS.test(next);
/** Matches the name of a value that people do not make up themselves. */
const GENERATED = /^(?![A-Z\d]+_[A-Z\d_]+$|.*secret).*(?:keys?|tokens?|cred\w*)$/i;

/** Whether the value is a secret rather than a placeholder, a reference or prose. `next` is the text after it. */
function isSecret(name: Name, { place, bare }: Link, value: Value, next: string): boolean {
	const { kind, identifier } = name;
	const { text, isQuoted } = value;
	const isArgument = bare === FLOW || /^(?:,|\s*\))/.test(next);
	if (text.length < 2 || /^\s|^[A-Z\d]+_[A-Z\d_]+=/.test(text) || isPlaceholder(text) || isLocation(text))
		return false;
	// A value that a person abbreviated, such as "sk-ant-…", is not a secret.
	if (text.length < 12 && /^(?:\.{3}|…)/.test(next)) return false;
	if (kind === "code") {
		const isDigits = /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(text);
		return isDigits && (isQuoted || place !== "loose" || identifier !== "pin");
	}
	// The text is the next key rather than a value, such as "b" in { "A_TOKEN": "…", "b": … }.
	if (isQuoted && name.isKey && [identifier, text].every((word) => CAPITALIZED.test(word))) return false;
	if (!isQuoted && isReference(text, identifier, next)) return false;
	if (isQuoted ? /^["'`]\s?:(?!:)/.test(next) : /^[A-Za-z_]+$/.test(text) && /^:\s/.test(next)) return false;
	// A literal value is no label, except for an argument of a call that is named like its variable.
	const isLiteral = place === "sure" || (place === "firm" && (isQuoted ? bare !== PLAIN : !isArgument));
	if (isLabel(text, identifier, isLiteral)) return false;
	if (
		place !== "sure" &&
		(isCode(text, isLiteral ? undefined : identifier, next, isQuoted) ||
			(text.length < 6 && NUMBER_AND_UNIT.test(text)))
	)
		return false;
	if (kind === "key") {
		if (place === "prose" || /[:/]/.test(text) || text.split("-").filter(isPlainName).length > 1)
			return false;
		return isGenerated(text, place === "sure" ? 8 : 16) && (isQuoted || /^[\w+=~.$!@%^*-]+$/.test(text));
	}
	if (place === "sure") {
		// An argument of a call: HTTP_AUTHORIZATION=auth
		if (kind === "token" && !isQuoted && /^[a-z_]+$/.test(text) && /^[,)]/.test(next)) return false;
		if (kind === "token")
			return text.length >= 3 && !NUMBER_AND_UNIT.test(text.slice(0, 9).replace(/[;,].*/s, ""));
		return isQuoted ? !isSentence(text) : !isPhraseStart(text, next);
	}
	const isRandom = looksLikePassword(text) || (kind !== "pass" && (isGenerated(text) || isMixed(text)));
	if (kind === "token") return isToken(text, isQuoted) && (place !== "prose" || isRandom);
	if (place === "prose") return !/\s/.test(text) && isRandom;
	// A key or token is generated; only a password may be a word.
	if (/^[A-Za-z]{1,12}$/.test(text) && GENERATED.test(identifier) && isPlainName(text)) return false;
	if (isQuoted)
		return kind === "pass" && place === "loose" && !isRandom ? /^[^\s.]{6,}$/.test(text) : !isSentence(text);
	if (isPhraseStart(text, next)) return false;
	if (place === "firm") return !FUNCTION_WORD.test(text);
	if (kind === "pass") return isRandom;
	if (/[^\p{L}\s_.-]/u.test(text) || isRandom || (text.length >= 8 && !text.split("-").every(isPlainName)))
		return !(WORD_FOLLOWS.test(next) && (TECHNICAL.test(text) || !/[^\d.,:/%+-]/.test(text)));
	// A value that consists only of letters is a password at the end of a line. Elsewhere, it may be a type, a variable or the start of a
	// sentence.
	const isLast = /^[ \t]*(?:\r?\n(?!\s*[)}\]])|$)/.test(next);
	if (WORD_FOLLOWS.test(next) || GENERATED.test(identifier)) return false;
	return /^[\p{Ll}-]{3,}$/u.test(text) || (isLast && /^\p{Ll}\p{L}{7,}$/u.test(text));
}

function isToken(value: string, isQuoted: boolean): boolean {
	if (value.length < 8 || /\s|^(?:[\d.,]{1,9}|\d+(?:\.\d+)+)$/.test(value)) return false;
	if (!isQuoted && /[,;(){}[\]<>|"'`\\]/.test(value)) return false;
	if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 10;
	return isQuoted && isGenerated(value);
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

/** Hides a name's value, and the values that follow it in a list. Returns whether there is a secret. */
function readValues(scan: Scan, name: Name, link: Link): boolean {
	const { text } = scan;
	let position: number | undefined = link.at;
	const isList =
		/s$/i.test(name.identifier) || /\n[ \t]*- *$/.test(text.slice(Math.max(0, link.at - 12), link.at));
	for (let count = 0; count < LONGEST_LIST && position !== undefined; count++) {
		const value = valueAt(text, { ...link, at: position }, name);
		// The name of a variable
		if (value && !value.isQuoted && / = [a-z_]{1,9}$/.test(text.slice(value.start - 3, value.end)))
			return false;
		if (!value || !isSecret(name, link, value, text.slice(value.end, value.end + 16))) return count > 0;
		const isWhole = value.isQuoted || value.text.length < 150;
		const end = isWhole ? value.end : restOf(text, value.end, link.bare, name.quote);
		scan.hide(value.start, end);
		if (end > name.end) scan.reach(readPair, end);
		position = (isList ? NEXT_IN_LIST : NEXT)
			.map((one) => endOf(one, text, end))
			.find((next) => next !== undefined);
	}
	return true;
}

/** Matches what precedes a name that is itself the value of a key: `name: X` beside `value: …`. */
const NAMING =
	/(?<=(?:^|[^\w-])["']?(?:name|key|var|variable|header|param|parameter|property|id)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:[\w./-]{0,60}[/.])?)/iy;
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
	const place = name.isVariable ? "sure" : "firm";
	const bare = /["']/.test(text.charAt(name.start - 1)) ? FLOW : WORD;
	const keys = (start: number, end: number) =>
		[...text.slice(start, end).matchAll(VALUE_KEY)].map((key) => start + key.index + key[0].length);
	const before = isNamed ? keys(Math.max(0, name.start - BESIDE), name.start).at(-1) : undefined;
	for (const key of [keys(from, from + BESIDE)[0], before]) {
		const at = key === undefined ? undefined : openedAt(text, key);
		const end = at === undefined ? undefined : valueAt(text, { place, at, bare }, name)?.end;
		if (at === undefined || end === undefined) continue;
		const between = at < name.start ? text.slice(end, name.start) : text.slice(from, at);
		if (!BOUNDARY.test(between.replace(/^["']/, "").replace(STRING, "")))
			readValues(scan, { ...name, quote: "" }, { place, at, bare });
	}
}

/** Reads an option's value that is a separate word, in any layout of the command. */
function readOption(scan: Scan, name: Name): void {
	const { at, line } = wordsAt(scan, name.end, name.quote, 1);
	const value = line.slice(1).replace(TRAILING_SIGNS, "");
	if (value === "" || /^(?:-[\w-]*|<+|[A-Z_-]+|[a-z]+(?:\.[a-z]+)+)$/.test(value) || /\.{3}|…/.test(line))
		return;
	if (isPlaceholder(value) || isLocation(value) || FUNCTION_WORD.test(value.replaceAll(BLANK_IN_WORD, " ")))
		return;
	const isLine = layoutAt(scan.text, name.end).ends === "line";
	if (isLine && !looksLikePassword(value) && !isGenerated(value)) return;
	if (name.kind === "key" && !isGenerated(value, 16)) return;
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
	if (name.kind !== "code" && name.kind !== "header") readColumn(scan, name);
	if (name.kind === "header") return;
	const isOption = endOf(OPTION, text, name.start) !== undefined;
	if (isOption && name.kind === "token") name.kind = "certain";
	if (isOption && !/^["'`]?[=:]/.test(text.slice(name.end, name.end + 2))) return readOption(scan, name);
	for (const link of linksAt(text, name)) if (readValues(scan, name, link)) return;
};
