import { type Name, nameBounds, nameIn } from "./name-at.ts";
import { readNearby } from "./nearby.ts";
import { endOf, type Reader, type Scan } from "./scan.ts";
import { type Separator, separatorAt } from "./separators.ts";
import { passwordShape } from "./shape.ts";
import { type Candidate, isSecretValue } from "./value.ts";
import { type Bare, restOf, type Value, valueAt } from "./value-at.ts";
import { readWords } from "./words.ts";

type Style = Candidate["style"];

/** The blank after `--name`, `ENV NAME`, `machine … password` and `IDENTIFIED BY`. */
const BLANK = /[ \t]{1,3}(?=[^\s=:-])/y;
const CLOSING_TAG = />(?=[^<\n]{1,2000}<\/)/y;
const NEXT_IN_LIST = /["'`]?\s{0,3}(?:,|、|;|\band\b|\bor\b)\s{0,3}/y;
const LONGEST_LIST = 50;

/** A value that stands after the name of a secret: assignments, JSON and XML, options of a command, plain sentences. */
export const readAssignment: Reader = (scan, anchor, literal) => {
	const at = anchor + (literal.startsWith(" ") ? 1 : 0);
	if (!scan.isFresh("name", at)) return;
	const bounds = nameBounds(scan.text, at, literal);
	scan.reach("name", bounds.end);
	const name = nameIn(scan.text, bounds);
	if (name && !readValue(scan, name)) readNearby(scan, name);
};

/** Hides what is assigned to the name. False if nothing is. */
function readValue(scan: Scan, name: Name): boolean {
	const { text } = scan;
	const separator = separatorAt(text, name.end);
	if (separator)
		return readAfter(scan, name, separator.end, styleOf(text, name, separator), separator.isList);
	const next = text.charAt(name.end);
	if (next === ">") return readElement(scan, name);
	const style = next === " " || next === "\t" ? blankStyle(text, name) : undefined;
	const end = style && endOf(BLANK, text, name.end);
	return end !== undefined && style !== undefined && readAfter(scan, name, end, style, false);
}

const AN_OPTION = /(?<=(?:^|[\s"'`[(])--?(?:\w{1,30}-){0,4})/y;
const AN_ENVIRONMENT = /(?<=(?:^|\s)(?:ENV|ARG|setenv|setx)[ \t]{1,3})/y;
const A_NETRC = /(?<=\blogin\s{1,5}\S{1,60}\s{1,5})(?:password|account)/y;
const A_SETTING = /requirepass\b|masterauth\b|(?:identified by|password)(?=\s{1,3}[NE]?')/iy;

/** What a blank between name and value means, by what stands in front. */
function blankStyle(text: string, { start }: Name): Style | undefined {
	const before = text.charAt(start - 1);
	if (before === "-") return endOf(AN_OPTION, text, start) === undefined ? undefined : "option";
	if (/\s/.test(before) && endOf(AN_ENVIRONMENT, text, start) !== undefined) return "env";
	const isSetting = endOf(A_SETTING, text, start) !== undefined || endOf(A_NETRC, text, start) !== undefined;
	return isSetting ? "option" : undefined;
}

function styleOf(text: string, { start, isVariable, isHeader, strength }: Name, separator: Separator): Style {
	const { kind, sign, isTight } = separator;
	if (kind === "cell" || kind === "element") return "cell";
	if (kind === "paired") return isVariable ? "env" : "option";
	if (
		kind === "argument" &&
		(isVariable || /^(?:set|with|use|using)[A-Z_]/.test(text.slice(start, start + 8)))
	)
		return "option";
	if (kind === "arrow") return "colon";
	if (kind !== "assign") return "phrase";
	const isColon = sign === ":" || sign === "：" || sign === "﹕";
	if (sign === "=" && isTight && /[?&](?:amp;)?$/.test(text.slice(Math.max(0, start - 5), start)))
		return strength === "faint" ? "code" : "query";
	if (isColon && isHeader) return "header";
	if ((sign === "=" && isTight) || (isColon && isVariable)) return isVariable ? "env" : "pair";
	if (sign === "＝") return "pair";
	if (isColon) return "colon";
	return sign === "=" && /(?:^|\n)[ \t]*(?:export )?[\w.-]*$/.test(text.slice(Math.max(0, start - 30), start))
		? "setting"
		: "code";
}

/** Where a value may be of several words without quotation marks. */
const MAY_BE_WORDS: ReadonlySet<Style> = new Set(["colon", "cell", "setting"]);

/** Hides the value at `at`, and those that follow it in a list. */
function readAfter(scan: Scan, name: Name, at: number, style: Style, isList: boolean): boolean {
	const bare = bareFor(name, style);
	let position = at;
	for (let count = 0; count < LONGEST_LIST; count++) {
		const value = valueAt(scan.text, position, bare);
		if (count === 0 && !value?.isQuoted && MAY_BE_WORDS.has(style) && name.strength === "strong")
			if (readWords(scan, name, position)) return true;
		if (!value || !isSecret(scan.text, name, value, style)) return count > 0;
		if (count > 0 && !value.isQuoted && passwordShape(value.text) === "none") return true;
		const end = restOf(scan.text, value, bare);
		scan.hide(value.start, end);
		scan.reach("name", end);
		const next = isList || name.isPlural ? endOf(NEXT_IN_LIST, scan.text, end) : undefined;
		if (next === undefined) return true;
		position = next;
	}
	return true;
}

function bareFor({ strength }: Name, style: Style): Bare {
	if (style === "query") return "query";
	return strength === "strong" || style === "env" ? "loose" : "plain";
}

function isSecret(text: string, name: Name, value: Value, style: Style): boolean {
	const quotedStyle = style === "env" || style === "header" || style === "query" ? style : "quoted";
	return isSecretValue({
		value: value.text,
		name: name.strength,
		style: value.isQuoted && style !== "phrase" ? quotedStyle : style,
		next: text.slice(value.end, value.end + 16),
	});
}

/** `<password>value</password>` */
function readElement(scan: Scan, { start: nameStart, end: nameEnd, strength }: Name): boolean {
	const front = scan.text.slice(Math.max(0, nameStart - 22), nameStart);
	if (!/<[\w.-]{0,20}:?$/.test(front) || endOf(CLOSING_TAG, scan.text, nameEnd) === undefined) return false;
	const start = nameEnd + 1;
	const end = scan.text.indexOf("<", start);
	const value = scan.text.slice(start, end);
	if (!isSecretValue({ value, name: strength, style: "quoted", next: "<" })) return false;
	scan.hide(start, end);
	return true;
}
