import { PLAIN, type ValueLink } from "./links.ts";
import type { Name } from "./names.ts";
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

/** Matches a space and the next word of a sentence. A word with `:` or `=` after it begins another pair: `pass: x host: y`. */
const WORD_FOLLOWS = /^ (?:(?![a-z][\w.-]*\s?[:=])[A-Za-z]|\[redacted\])/;
/** Matches a label, such as "Geheim" in a translation: `"Secret": "Geheim"`. */
const CAPITALIZED = /^\p{Lu}[\p{Ll}\p{M}]+$/u;
/** Whether people do not make up the values of a name themselves. */
const isIssued = ({ identifier, isVariable }: Name): boolean =>
	/(?:keys?|tokens?|cred\w*)$/i.test(identifier) &&
	!/secret/i.test(identifier) &&
	(!isVariable || identifier.endsWith("KEYS"));

/**
 * Whether an unquoted value is a variable in code: a comma ends its line, a call or an object ends after it, or it is in camel case like
 * the variable that it is assigned to.
 */
function isReference(text: string, name: Name, next: string): boolean {
	if (/^,[ \t]*\r?\n/.test(next)) return /^[A-Za-z_]\w*$/.test(text) && !isGenerated(text);
	if (/^_[a-z_]+$/.test(text)) return true;
	return /^[a-z]+[A-Z]\w*$/.test(name.identifier) && /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text);
}

/** Whether the value is the key of another pair: "b" in { "A_TOKEN": "…", "b": … }, `source` in a list of mappings, or `B_TOKEN=`. */
function isOtherKey(text: string, isQuoted: boolean, next: string): boolean {
	if (/^(?:[A-Z\d]+_[A-Z\d_]+|[a-z]+_[a-z_]+)=/.test(text)) return true;
	return isQuoted ? /^["'`]\s?:(?!:)/.test(next) : /^[A-Za-z_]+$/.test(text) && /^:\s/.test(next);
}

/** Whether the value is a word, a label or an expression of the text around it. */
function isOfContext(name: Name, { place, bare }: ValueLink, value: Value, next: string): boolean {
	const { identifier, isKey } = name;
	const { text, isQuoted } = value;
	// A duration: "password": 3600
	if (isKey && !isQuoted && /^\d{1,6}$/.test(text)) return true;
	if (isOtherKey(text, isQuoted, next)) return true;
	if (
		isQuoted
			? isKey && [identifier, text].every((word) => CAPITALIZED.test(word))
			: isReference(text, name, next)
	)
		return true;
	const isArgument = /^(?:,|\s*\))/.test(next);
	// A literal value is not a label, unless it is an argument of a call that has the same name as the assigned variable.
	const isLiteral = place === "sure" || (place === "firm" && (isQuoted ? bare !== PLAIN : !isArgument));
	if (isLabel(text, identifier, isLiteral)) return true;
	if (place === "sure") return false;
	return (
		(text.length < 6 && NUMBER_AND_UNIT.test(text)) ||
		isCode(text, isLiteral ? undefined : identifier, next, isQuoted)
	);
}

/** The value after the name of a secret, or its beginning, which is enough to classify it. */
export interface Value {
	text: string;
	isQuoted: boolean;
}

/** Whether the value is a secret rather than a placeholder, a reference or prose. `next` is the text after it. */
export function isSecret(name: Name, link: ValueLink, value: Value, next: string): boolean {
	const { kind, identifier } = name;
	const { place } = link;
	const { text, isQuoted } = value;
	if (text.length < 2 || /^\s/.test(text) || isPlaceholder(text) || isLocation(text)) return false;
	if (kind === "code")
		return /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(text) && (place !== "loose" || identifier !== "pin");
	if (isOfContext(name, link, value, next)) return false;
	// These checks are the slowest ones, and the result for most values does not depend on them.
	const isRandom = () => kind !== "pass" && (isGenerated(text) || isMixed(text));
	const looksSecret = () => looksLikePassword(text) || isRandom();
	if (kind === "key") {
		if (/[:/]/.test(text)) return false;
		return isGenerated(text, place === "sure" ? 8 : 16) && (isQuoted || /^[\w+=~.$!@%^*-]+$/.test(text));
	}
	if (kind === "token" && place === "sure") {
		// An argument of a call: HTTP_AUTHORIZATION=auth
		if (!isQuoted && /^[a-z_]+$/.test(text) && /^[,)]/.test(next)) return false;
		return !NUMBER_AND_UNIT.test(text.slice(0, 9).replace(/[;,].*/s, ""));
	}
	if (kind === "token") return isToken(text, isQuoted) && (place !== "prose" || isRandom());
	if (place === "prose") {
		return !/\s/.test(text) && looksSecret();
	}
	// A phrase, such as `old_password=Oldingi parol`
	if (isQuoted ? isSentence(text) : /^[A-Z][a-z]+$/.test(text) && WORD_FOLLOWS.test(next)) return false;
	if (place === "sure") return true;
	// A key or token is generated; only a password may be a word.
	const isByMachine = isIssued(name);
	const isPlain = /^[A-Za-z_]{1,40}$/.test(text) && isPlainName(text);
	if (isByMachine && isPlain && (!isQuoted || /^[A-Z][a-z]|(?:keys|KEYS)$|cred\w*$/.test(identifier)))
		return false;
	if (isQuoted) return kind !== "pass" || place === "firm" || /^[^\s.]{6,}$/.test(text) || looksSecret();
	if (place === "firm") return !FUNCTION_WORD.test(text);
	if (kind === "pass") return looksSecret();
	const isWord = WORD_FOLLOWS.test(next);
	if (/[^\p{L}\s_.-]/u.test(text) || looksSecret()) return !(isWord && TECHNICAL.test(text));
	// A value that consists only of letters counts as a password at the end of a line. Elsewhere, it may be a type, a variable or the start
	// of a sentence.
	if (isWord) return false;
	const isLast = /^[ \t]*(?:\r?\n(?!\s*[)}\]])|$)/.test(next);
	return /^[\p{Ll}-]{3,}$/u.test(text) || isLast;
}

function isToken(value: string, isQuoted: boolean): boolean {
	if (value.length < 8 || /\s|^(?:[\d.,]{1,9}|\d+(?:\.\d+)+)$/.test(value)) return false;
	if (!isQuoted && /[,;(){}[\]<>|"'`\\]/.test(value)) return false;
	return /\d/.test(value) ? /[A-Za-z]/.test(value) : isGenerated(value);
}
