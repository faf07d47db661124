import type { ValueLink } from "./links.ts";
import type { Name } from "./names.ts";
import {
	FUNCTION_WORD,
	isCode,
	isGenerated,
	isLabel,
	isLocation,
	isPlaceholder,
	isPlainName,
	isSentence,
	looksLikePassword,
	looksMadeUp,
	NUMBER_AND_UNIT,
} from "./values.ts";

/** A word before `:` or `=` does not continue a sentence, but begins another pair: `pass: x host: y`. */
const WORD_FOLLOWS = /^ (?:(?![a-z][\w.-]*\s?[:=])[A-Za-z]|\[redacted\])/;
/** A translation file contains pairs of labels, such as `"Secret": "Geheim"`. */
const CAPITALIZED = /^\p{Lu}[\p{Ll}\p{M}]+$/u;
/** People do not choose the values of keys and tokens themselves. */
const isIssued = ({ identifier, isVariable }: Name): boolean =>
	/(?:keys?|tokens?|cred\w*)$/i.test(identifier) &&
	!/secret/i.test(identifier) &&
	(!isVariable || identifier.endsWith("KEYS"));

function isReference(text: string, name: Name, next: string): boolean {
	if (/^,[ \t]*\r?\n/.test(next)) return /^[A-Za-z_]\w*$/.test(text) && !isGenerated(text);
	if (/^_[a-z_]+$/.test(text)) return true;
	return /^[a-z]+[A-Z]\w*$/.test(name.identifier) && /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text);
}

/** The value may be the key of another pair, such as `"b"` in `{ "A_TOKEN": "…", "b": … }`. */
function isOtherKey(text: string, isQuoted: boolean, next: string): boolean {
	if (/^(?:[A-Z\d]+_[A-Z\d_]+|[a-z]+_[a-z_]+)=/.test(text)) return true;
	return isQuoted ? /^["'`]\s?:(?!:)/.test(next) : /^[A-Za-z_]+$/.test(text) && /^:\s/.test(next);
}

function isOfContext(name: Name, { place, assigns }: ValueLink, value: Value, next: string): boolean {
	const { identifier, isKey } = name;
	const { text, isQuoted } = value;
	// A short number is a duration: `"password": 3600`.
	if (isKey && !isQuoted && /^\d{1,6}$/.test(text)) return true;
	if (isOtherKey(text, isQuoted, next)) return true;
	if (
		isQuoted
			? isKey && [identifier, text].every((word) => CAPITALIZED.test(word))
			: isReference(text, name, next)
	)
		return true;
	const isArgument = /^(?:,|\s*\))/.test(next);
	// A literal value is not a label, unless it is an argument of a call with the same name as the assigned variable.
	const isLiteral = place === "sure" || (place === "firm" && (isQuoted ? assigns === true : !isArgument));
	if (isLabel(text, identifier, isLiteral)) return true;
	if (place === "sure") return false;
	return (
		(text.length < 6 && NUMBER_AND_UNIT.test(text)) ||
		isCode(text, isLiteral ? undefined : identifier, next, isQuoted)
	);
}

/** A long value is represented by its beginning, which is enough to classify it. */
export interface Value {
	text: string;
	isQuoted: boolean;
}

export function isSecret(name: Name, link: ValueLink, value: Value, next: string): boolean {
	const { kind, identifier } = name;
	const { place } = link;
	const { text, isQuoted } = value;
	if (text.length < 2 || /^\s/.test(text) || isPlaceholder(text) || isLocation(text)) return false;
	if (kind === "code")
		return /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(text) && (place !== "loose" || identifier !== "pin");
	if (isOfContext(name, link, value, next)) return false;
	// This check is the slowest one, and most values do not need it.
	const looksSecret = () => (kind === "pass" ? looksLikePassword(text) : looksMadeUp(text));
	if (kind === "key")
		return (
			isGenerated(text, place === "sure" ? 8 : 16) &&
			(isQuoted ? /^[^:/]+$/ : /^[\w+=~.$!@%^*-]+$/).test(text)
		);
	if (kind === "token" && place === "sure") {
		// This is an argument of a call: `HTTP_AUTHORIZATION=auth`.
		if (!isQuoted && /^[a-z_]+$/.test(text) && /^[,)]/.test(next)) return false;
		return !NUMBER_AND_UNIT.test(text.slice(0, 9).replace(/[;,].*/s, ""));
	}
	if (kind === "token") return isToken(text, isQuoted) && (place !== "prose" || looksSecret());
	if (place === "prose") return !/\s/.test(text) && looksSecret();
	// This is a phrase, such as `old_password=Oldingi parol`.
	if (isQuoted ? isSentence(text) : /^[A-Z][a-z]+$/.test(text) && WORD_FOLLOWS.test(next)) return false;
	if (place === "sure") return true;
	// Only a password may be a word. A key or a token is generated.
	const isByMachine = isIssued(name);
	const isPlain = /^[A-Za-z_]{1,40}$/.test(text) && isPlainName(text);
	if (isByMachine && isPlain && (!isQuoted || /^[A-Z][a-z]|(?:keys|KEYS)$|cred\w*$/.test(identifier)))
		return false;
	if (isQuoted) return kind !== "pass" || place === "firm" || /^[^\s.]{6,}$/.test(text) || looksSecret();
	if (place === "firm") return !FUNCTION_WORD.test(text);
	if (kind === "pass") return looksSecret();
	if (/[^\p{L}\s_.-]/u.test(text) || looksSecret()) return true;
	// A value of letters only is a password at the end of a line. Elsewhere, it may be a type or the start of a sentence.
	if (WORD_FOLLOWS.test(next)) return false;
	const isLast = /^[ \t]*(?:\r?\n(?!\s*[)}\]])|$)/.test(next);
	return /^[\p{Ll}-]{3,}$/u.test(text) || isLast;
}

function isToken(value: string, isQuoted: boolean): boolean {
	if (value.length < 8 || /\s|^(?:[\d.,]{1,9}|\d+(?:\.\d+)+)$/.test(value)) return false;
	if (!isQuoted && /[,;(){}[\]<>|"'`\\]/.test(value)) return false;
	return /\d/.test(value) ? /[A-Za-z]/.test(value) : isGenerated(value);
}
