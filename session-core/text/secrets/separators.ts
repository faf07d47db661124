import { UNSPACED } from "./name-at.ts";
import { endOf } from "./scan.ts";

/** What stands between the name of a secret and its value. */
export interface Separator {
	kind: "assign" | "cell" | "element" | "paired" | "argument" | "arrow" | "particle";
	/** The sign of an assignment. */
	sign: string;
	/** Nothing stands around the sign. */
	isTight: boolean;
	/** A list opens behind it. */
	isList: boolean;
	end: number;
}

/** Quotation marks and Markdown around the name. */
const CLOSE = /["'`\\*_]{0,6}\]?[*_]{0,2}(?:<\/[a-z]{1,10}>(?=\s{0,3}[:：=]))?/y;
/** `(again)`, `[None]`, ` for 'bob'@'%'`: what prompts and SQL say of it. */
const NOTE =
	/\s?\((?!["'`])[^()\n]{0,60}\)|\s?\[[^[\]\n]{0,60}\]| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'(?:@'[^'\n]{0,60}')?|"[^"\n]{1,100}"|[^\s:：=]{1,60}(?: [^\s:：=]{1,40}){0,3})(?=\s?[:：=])| \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s)/iuy;
/** Few sentences have a colon or sign right after a name: the note need not be looked for in the others. */
const COLON_SOON = /[^:：=\n]{0,80}[:：=]/y;
/** A type, as in `password: string = "…"`. */
const ANNOTATION = /\s{0,3}:\s{0,3}[A-Za-z_][\w.<>|? ]{0,40}(?=\s{0,3}=\s{0,3}["'`])/y;
const ASSIGN = /\s{0,20}(?::=|=>|===?(?=\s?["'])|=(?![=>~])|[:：﹕＝](?![:=]))[*_]{0,2}\s{0,20}/y;
/** YAML's block scalars, tags and list items. */
const BLOCK = /(?:[|>][+-]?|![\w!]{1,20}|-)\s{1,20}/y;
/** What a program wraps around a literal. */
const WRAPPER =
	/(?:\[\]byte|new [\w.]{1,40}|[\w.]{0,40}(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes))\(\s{0,3}(?=["'`])/y;
/** Markup between the sign and the value. */
const TAGS = /(?:<\/?[a-z][a-z\d]{0,9}(?:\s[^<>\n]{0,80})?>\s{0,5}){1,4}/iy;
/** What a variable holds if it is empty: `process.env.X || "…"`, `${X:-…}`. */
const FALLBACK = /["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=)\s{0,20}(?=["'`])|:[-=](?=[^\s}])/y;
/** `getByLabel("Password").fill("…")` */
const FILLED =
	/["'`\])i/]{1,6}(?:,\s?\{[^{}\n]{0,40}\})?\)?(?:\.\w{2,20}\(\))?(?:\.\w{2,20}\(\s{0,3}|,\s{0,3}with:\s{0,3}|\),\s{0,3})(?=["'`])/y;
const LIST = /[[({]\s{0,5}(?=["'])/y;
const PAIRED =
	/(?:\s{1,20}[\w:-]{1,30}=["'][^"'\n]{0,60}["']){0,3}\s{0,20},?\s{0,20}(?:\{\s{0,20}(?:type\s{0,3}=\s{0,3}\w{1,20}\s{1,20})?)?["']?(?:value|val|data|content|default)["']?\s{0,5}[:=]\s{0,5}/iy;
const MAY_BE_PAIRED = /\s{0,20}(?:["'vdc]|[\w:-]{1,30}=["'])/iy;
const ELEMENT = /<\/[\w:.-]{1,30}>\s{0,20}<[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y;
/** `<entry key="password">value</entry>` */
const NAMED_ELEMENT = /(?<=\s(?:key|name)=["'][\w.:-]{1,80})["']/y;
const CONTENT = />\s{0,5}(?=[^<\n]{1,200}<\/)/y;
/** `<setting name="Password" …><value>…` */
const NESTED = /[^<>\n]{0,80}>\s{0,20}<[\w:.-]{1,30}>\s{0,5}(?=[^<\n]{1,200}<\/)/y;
const CELL = /[ \t]{0,40}[|│][ \t]{0,40}/y;
const ARGUMENT = /[,(]\s{0,3}(?=["'`])/y;
const ARROW = /[ \t][-–—]{1,2}[ \t]|\s?(?:->|→|⇒|➜)\s?/y;
/** Words of scripts without spaces: "密码是…". */
const PARTICLE = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,8}[ :：]?(?=[\x21-\x7e])/y;

const BLANKS = /\s{0,20}/y;

/** The separator that begins where a name ends. Every pattern is bounded, so that a failed attempt costs a constant. */
export function separatorAt(text: string, from: number): Separator | undefined {
	const special = specialAt(text, from);
	if (special) return special;
	const closed = behind(CLOSE, text, from, "\"'`\\*_]<");
	if (endOf(NAMED_ELEMENT, text, from) !== undefined)
		return namedElementAt(text, from + 1) ?? otherAt(text, from + 1, "paired", PAIRED);
	const isNoted = text.charAt(closed) !== " " || endOf(COLON_SOON, text, closed) !== undefined;
	const noted = isNoted ? behind(NOTE, text, closed, "[( ") : closed;
	const sign = text.charAt(behind(BLANKS, text, noted, " \t\r\n"));
	switch (sign) {
		case ":":
		case "=":
		case "：":
		case "＝":
		case "﹕":
			return assignmentAt(text, noted) ?? otherAt(text, noted, "arrow", ARROW);
		case "|":
		case "│":
			return otherAt(text, noted, "cell", CELL);
		case ">":
			return endOf(NAMED_ELEMENT, text, from) === undefined
				? undefined
				: otherAt(text, noted, "element", CONTENT);
		case "<":
			return otherAt(text, noted, "element", ELEMENT);
		case "{":
			return otherAt(text, noted, "paired", PAIRED);
		case ",":
			return otherAt(text, noted, "paired", PAIRED) ?? otherAt(text, noted, "argument", ARGUMENT);
		case "(":
			return otherAt(text, noted, "argument", ARGUMENT);
		case "-":
		case "–":
		case "—":
		case "→":
		case "⇒":
		case "➜":
			return otherAt(text, noted, "arrow", ARROW);
		default:
			if (UNSPACED.test(sign)) return otherAt(text, noted, "particle", PARTICLE);
			return endOf(MAY_BE_PAIRED, text, noted) === undefined
				? undefined
				: otherAt(text, noted, "paired", PAIRED);
	}
}

/** A value in case the variable is empty, or one that is typed into a field. */
function specialAt(text: string, from: number): Separator | undefined {
	const next = text.charAt(from);
	if (next === "" || !"\"'`\\])/ |?:o".includes(next)) return undefined;
	return otherAt(text, from, "paired", FALLBACK) ?? otherAt(text, from, "argument", FILLED);
}

function namedElementAt(text: string, from: number): Separator | undefined {
	return otherAt(text, from, "element", CONTENT) ?? otherAt(text, from, "element", NESTED);
}

function assignmentAt(text: string, from: number): Separator | undefined {
	const start = behind(ANNOTATION, text, from, ": \t");
	const end = endOf(ASSIGN, text, start);
	if (end === undefined) return undefined;
	const around = text.slice(start, end);
	const untagged = behind(TAGS, text, end, "<");
	const scalar = behind(WRAPPER, text, behind(BLOCK, text, untagged, "|>!-"), "[nSsBbcC");
	const list = behind(LIST, text, scalar, "[({");
	const sign = around.length === 1 ? around : around.trim().replace(/[*_]+$/, "");
	return { kind: "assign", sign, isTight: around === sign, isList: list > scalar, end: list };
}

/** Where a part ends that may be left out and begins with one of `first`. */
function behind(pattern: RegExp, text: string, at: number, first: string): number {
	if (at >= text.length || !first.includes(text.charAt(at))) return at;
	return endOf(pattern, text, at) ?? at;
}

function otherAt(
	text: string,
	from: number,
	kind: Separator["kind"],
	pattern: RegExp,
): Separator | undefined {
	const end = endOf(pattern, text, from);
	return end === undefined ? undefined : { kind, sign: "", isTight: false, isList: false, end };
}
