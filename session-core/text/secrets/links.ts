import type { Name } from "./names.ts";
import { endOf } from "./scan.ts";

/**
 * How likely it is that a secret follows. `sure` (`NAME=value`): any value is a secret. `firm`
 * (`name=value`): any value except an expression is a secret. `loose` (`name: value`): the value may
 * also be part of prose, a type or code.
 */
type Place = "sure" | "firm" | "loose";

/**
 * Each pattern matches only the beginning of an unquoted value, because the beginning is enough to classify
 * the value. The patterns apply in different contexts, such as a URL parameter or a connection string.
 */
const PARAMETER = /(?:[^\s&#"`<>)]|\)(?![[\]\s])|#(?!\w[\w/.-]*(?:[\s"'`<>)]|$))){1,160}/y;
export const CONTENT = /[^<\n]{1,160}/y;
const CONNECTION = /(?:[^\s;<]|<(?!\/[a-z]{1,9}>)|;(?!<\/|[ \t]*[A-Za-z][A-Za-z ]{1,30}=|\s|$)){1,160}/y;
const BRACED = /[^}\n]{1,160}/y;
export const WORD = /\S{1,160}/y;
export const PLAIN =
	/(?:[^\s"'`,;&<>|(){}[\]\\\u3000-\u303f\uff00-\uff20]|(?<=\S)["'`,;&<>|(){}[\]\\](?!(?<=\\)[nrtu]|(?<=[,;&])\w+\s?[=:])(?=[\w!#$%^*+=?@~\\(-])){1,160}/y;

/**
 * A closing quotation mark, a note such as `(again)` or a type may appear between a secret's name and
 * its value.
 */
const CLOSE = String.raw`["'\x60*_]{0,6}(?::(?:["']?[\w\\]{1,60}["']?:)?(?:private|protected)(?=\]))?\]?[*_]{0,2}(?: \d{1,2}(?=:)| (?<!["'] )\((?!["'\x60])[^()\n]{0,60}\)(?=\s?[:=])| for (?:[a-z]{1,12} )?(?:'[^'\n]{1,100}'|[^\s:=]{1,60})(?=\s?[:=])|(?<!pass) \p{L}{1,4}(?: [\p{L}\d.@_-]{1,20}){1,3}(?=\s?[:：]\s))?`;
const TYPED = String.raw`(?:(?:[ \t]{0,3}:[ \t]{0,3}&?[A-Za-z_][\w.<>|?[\] ]{0,40}|[ \t]{1,3}(?:as |constant )?(?:string|str|text|\[\]byte|char|n?varchar2?)(?:\(\w{1,6}\))?)(?=[ \t]{0,3}:?=\s{0,3}["'\x60]|[ \t]{0,3}=\s{0,3}\w{1,30}\(default=))?`;
const SIGN = String.raw`(?:[?:+]=|=>|<-(?=\s?["'])|[!=]==?(?=\s?["'])|=(?![=>]|~[\s/])|[:：﹕＝](?![:=]))`;
const closed = (form: string): RegExp => new RegExp(CLOSE + form, "iuy");
const BLANK = /[ \t]{1,80}(?=[^\s=]|=\S)/y;

/** The name of a command-line option follows one or two hyphens, as in `--db-password`. */
export const OPTION = /(?<=(?:^|[\s"'`[(,])--?(?:\w{1,30}-){0,4})(?![PpKk](?:asswort|ennwort))/my;

/**
 * `front` matches the text before a secret's name, `form` matches the text between the name and the value,
 * and `bare` matches an unquoted value.
 */
type Row = readonly [place: Place, form: RegExp, front?: RegExp | undefined, bare?: RegExp];

const ASSIGNED: readonly Row[] = [
	["firm", closed(String.raw`(?:[?:+]=|=>|=(?![=>]|~[\s/]))(?=\S)`)],
	[
		"loose",
		closed(String.raw`(?: (?:is|are)(?=:))?${TYPED}[ \t]{0,80}${SIGN}(?:[*_]{1,2}(?=\s))?[ \t]{0,80}`),
	],
];

export const LINKS: readonly Row[] = [
	// --name value, or a list
	["firm", /[ \t]{1,80}(?=["']?[^\s"'<-])(?!\([A-Za-z]|[:=]\s)/y, OPTION, WORD],
	["firm", /["'`]\s{0,40},\s{0,40}(?=["'`](?!-))|["']?[ \t]*\r?\n[ \t]*-[ \t]+(?=[^\s-])/y, OPTION, WORD],
	// ${NAME:-value}
	["sure", /:[-=?+]/y, /(?<=\{)/y, BRACED],
	...ASSIGNED,
	// setx NAME value
	[
		"sure",
		BLANK,
		/(?<=(?:^|[\s"'`])(?:ENV|ARG|[Ss]et[Ee]nv|setx|set(?: -\w+){1,3}|\w{1,20}_header|header_up|fastcgi_param)[ \t]{1,3})/my,
		WORD,
	],
	// .netrc, redis.conf and SQL
	[
		"sure",
		BLANK,
		/(?<=\b(?:machine\s{1,5}\S{1,100}|default)\s{1,9}login\s{1,5}\S{1,60}\s{1,5}|\n[ \t]{0,9}login[ \t]{1,5}\S{1,60}\n[ \t]{0,9})(?:password|account)|requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,80}(?:[NE]?'|"))/iy,
		WORD,
	],
	// <name>value</name>
	[
		"firm",
		/(?:\s[^<>\n]{0,100})?>\s{0,80}(?=(?:<!\[CDATA\[(?!\]))?[^<\s][^<\n]{0,2000}(?:\s{0,80}<\/|$))/y,
		/(?<=<[\w.-]{0,20}:?)/y,
		CONTENT,
	],
	// Matches XML: `<entry key="password">value</entry>` or `<key>password</key><string>value</string>`.
	[
		"firm",
		/["'][^<>\n]{0,80}>\s{0,80}(?:<[\w:.-]{1,30}>\s{0,80})?(?=[^<\s][^<\n]{0,200}<\/)/y,
		/(?<=(?:key|name)=["'][\w.-]{0,60})/iy,
		CONTENT,
	],
	["firm", /<\/[\w:.-]{1,30}>\s{0,20}<(?!input)[\w:.-]{1,30}[^<>\n]{0,80}>\s{0,5}/y],
	// Commands such as `vault kv get` print a table of names and values.
	["loose", / {4,40}(?=\S+[ \t]*(?:\r?\n|$))/y, /(?<=^ {0,4})/my],
	["loose", /[*`]{0,2}[ \t]{1,40}[|│][ \t]{1,40}(?=`[^`\s]{6,200}`[ \t]{0,40}[|│])/y, /[A-Z][A-Z\d]*_\w/y],
	// The password is `value`
	["loose", / (?:is|was|to)(?: now| set to)?:? (?=["'`“])/y, /\w*pass\w/iy],
	// The value follows the name directly in `#define NAME "value"` and `storePassword 'value'`.
	[
		"firm",
		/[ \t]{1,80}(?=["'][^\s"']{3,200}["'])/y,
		/(?<=#[ \t]{0,80}define[ \t]{1,9})\w|\w+pass|(?<=\((?:setq|setf|def\w{0,9})[ \t]{1,9}(?:\w[\w-]{0,60}-)?)/iy,
	],
	["firm", /\((?=["'])|[ \t]{0,80}<<<[ \t]{0,80}(?=\S)/y, /PASSWORD/y],
	// db.password value
	["firm", /[ \t]{1,9}(?=[^\s.#]\S*[ \t]*(?:\r?\n|$))/y, /(?<=^[\w-]+\.(?:[\w-]+\.){0,5})/my, WORD],
	// process.env.NAME || "…"
	[
		"firm",
		/["'\])]{0,3}\s{0,3}(?:\|\||\?\?|\?:|\bor\b|\|\|=|\| ?default[ (]|(?<=\)\s{0,3})\{)\s{0,20}(?=["'`])/y,
	],
	// define('NAME', "…")
	["firm", /["'],[ \t]{0,80}(?:\w{1,20}\s?=\s?)?(?=["'`](?![A-Z_]+["'`]))/y, /[A-Z][A-Z\d_]{1,60}["'`]/y],
];

/** A YAML indicator such as `|`, an opening bracket or an HTML element may precede a secret. */
const OPENING = new RegExp(
	[
		String.raw`[|>][+-]?\d?[ \t]{0,9}\r?\n[ \t]{1,40}|\r?\n[ \t]{0,40}(?:-[ \t]{1,9}|(?=["'](?!""|'')))`,
		String.raw`(?:![\w!]{1,20}|&[\w-]{1,40}|-)[ \t]{1,20}|[[({]\s{0,40}(?=["'])`,
		String.raw`(?:\r?\n[ \t]{0,40})?string(?:\(\d{1,6}\))? (?=["'])|(?:\[\]byte|(?:[\w.]{1,20}::)?(?:Secret|SecretStr|SecureString|String|Buffer\.from|bytes|Some|Ok|Just|from|new))\((?=["'\x60]|[\w.:]{1,30}\(["'\x60])`,
		String.raw`\[(?!redacted\])(?=[\w, ]{1,2000}(?:\]|$))|(?:<\/?[a-z]{1,9}>[ \t]{0,5}){1,3}|<!\[CDATA\[(?!\])`,
	].join("|"),
	"y",
);

export function openedAt(text: string, at: number): number | undefined {
	const once = endOf(OPENING, text, at) ?? at;
	const twice = endOf(OPENING, text, once) ?? once;
	return /[\r\n]/.test(text.charAt(twice)) ? undefined : twice;
}

export interface ValueLink {
	at: number;
	place: Place;
	bare: RegExp;
	/**
	 * True if the value is assigned to the name of the secret. False if the value may be another argument
	 * of the same function call.
	 */
	assigns: boolean;
}

/** Returns where the value after a secret's name begins, or undefined if no known pattern matches. */
export function linkAt(text: string, name: Name): ValueLink | undefined {
	for (const row of LINKS) {
		const [place, form, front, bare = PLAIN] = row;
		const found = endOf(form, text, name.end);
		// The text after a secret's name is checked first, because this check rules out most patterns.
		if (found === undefined || (front && endOf(front, text, name.start) === undefined)) continue;
		const at = openedAt(text, found);
		if (at === undefined) continue;
		if (ASSIGNED.includes(row)) return assignment(text, name, place, text.slice(name.end, found), at);
		return { place, at, bare, assigns: bare !== PLAIN };
	}
	return undefined;
}

function assignment(text: string, name: Name, form: Place, link: string, at: number): ValueLink {
	const { start, kind, identifier, isVariable, quote } = name;
	const before = /\S?[^\S\n]{0,3}["']?$/.exec(text.slice(Math.max(0, start - 5), start))?.[0] ?? "";
	const isParameter = /[?&]$/.test(before);
	// After a quoted name of a secret, an unquoted value is code or, in Markdown, an explanation of the name.
	const isColon =
		/^(?!["'`]).*[:：﹕]["'`*_]{0,3}\s*$/s.test(link) ||
		(/[:：﹕]\s*$/.test(link) && /["']/.test(text.charAt(at)));
	const isSure =
		form === "firm"
			? isVariable || isParameter
			: isColon &&
				!/^[a-z]{2,12} [\w`]/.test(text.slice(at, at + 20)) &&
				((isVariable && kind === "certain") || /^(?:x|api|private)-/i.test(identifier));
	const place = isSure ? "sure" : form;
	const shared = { at, place, assigns: true };
	if (isParameter) return { ...shared, bare: PARAMETER };
	// If a quotation mark precedes the secret's name, the string also contains the value: `"password: …"`.
	if (quote !== "" && text.charAt(start - 1) === quote) return { ...shared, bare: WORD };
	return { ...shared, bare: /^[{(,[]/.test(before) ? PLAIN : CONNECTION };
}
