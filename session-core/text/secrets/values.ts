/** Classifies a value by its form: a placeholder, a reference, a sentence, or a secret that a person chose or a program generated. */

/** Matches placeholders that a person or a schema uses instead of a secret, and code that only refers to a secret. */
const PLACEHOLDER =
	/^(?:\$(?!\d|[a-z\d]{1,8}\$)|[^$]{0,80}\$\{|!\w+ |<|\{\{?|%\(|%[A-Za-z_]+%|@\w+@|\[|[*•.…xX_#-]+$|process\.env|os\.|env[.(]|ENV\b|import\.meta|secrets\.|vars\.|config\.|settings\.|self\.|this\.|your[-_ ]|my[-_]?(?:password|secret|token|api|key))/;

/** Ordinary words that may follow the name of a secret in prose, schemas and types. They are not secrets. */
const ORDINARY = new Set(
	`any array auto basic bearer bool boolean buffer bytes char default disabled empty enabled encrypted env error
	example expired failed false field file given hash hashed hidden include input int integer invalid keyword literal
	masked missing must never new nil no none null number object ok omit omitted optional password passwd plain present
	prompt provided required redacted removed same-origin secret secretstr see set str string text the this token true
	type undefined unknown unset username uuid valid value varchar wrong yes your`.split(/\s+/),
);

/** Whether a value is an ordinary word or a placeholder for a secret. */
export function isPlaceholder(value: string): boolean {
	return PLACEHOLDER.test(value) || ORDINARY.has(value.toLowerCase());
}

const FUNCTION_WORD =
	/(?:^|\s)(?:a|an|and|are|as|at|be|by|can|cannot|characters?|enter|flag|for|from|has|if|in|incorrect|invalid|is|it|least|missing|must|new|not|of|on|option|or|please|required|should|that|the|to|too|was|will|with|wrong|your)(?=\s|$)/i;
const SPEAKS_OF_IT =
	/passw|passphrase|secret|token|credential|\bkeys?\b|\b(?:confirm|expired|failed|forgot|minimum|optional)\b|[:.?]$|\.\.\.|…/i;
const SENTENCE = /^[A-Z][a-z]+(?: [a-z]+)+$/;

/** Whether a text reads like a phrase or sentence, such as those in forms, messages and help texts. */
export function isSentence(value: string): boolean {
	return /\s/.test(value) && FUNCTION_WORD.test(value) && (SPEAKS_OF_IT.test(value) || SENTENCE.test(value));
}

export function hasFunctionWord(value: string): boolean {
	return FUNCTION_WORD.test(value);
}

const URL_LIKE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]{0,40}(?:[\\/][\w.@~-]{0,40})*$/;
const IDENTIFIER = /^[A-Za-z_$]+(?:\d{1,2}[A-Za-z_$]*)?$/;
const DOTTED_NAME = /^[A-Za-z_$][\w$]{0,30}(?:[?!]?\.[A-Za-z_$][\w$]{0,30})+$/;
export const NAMES_SECRET = /passw|passphrase|secret|token|credential|key/i;

/** Whether a value is a URL or the path of a file that contains the secret. */
export function isLocation(value: string): boolean {
	return URL_LIKE.test(value) || (PATH.test(value) && !(value.length >= 32 && entropy(value) >= 4.3));
}

/**
 * Whether a value is an expression: a property access, a call, or a variable that is named after the secret it holds. `next` is the text
 * after the value.
 */
export function isExpression(value: string, next: string): boolean {
	if (DOTTED_NAME.test(value)) return next.startsWith("(") || value.replace(/\D/g, "").length < 3;
	if (/^[A-Za-z_$][\w$.]*\[\w*\]*$/.test(value)) return true;
	if (/^\s?(?:\(|\[(?!redacted\]))/.test(next) && IDENTIFIER.test(value)) return true;
	if (/^[A-Za-z_][\w.]*\(/.test(value + next.charAt(0))) return true;
	return IDENTIFIER.test(value) && NAMES_SECRET.test(value);
}

/** Matches names of algorithms, formats and versions. */
const TECHNICAL =
	/^(?:sha|md|aes|rsa|hs|rs|es|ps|ed|x|p|v|r|utf|ucs|ipv|http|tls|ssl|base|argon|pbkdf|oauth|openid|auth|bcrypt|scrypt|hmac|node|python|php|java|int|uint|float|mp|ec|s|k|h|l|gpt|win|i18n|l10n|a11y|e2e|iso|rfc|cve|field|line|step|item|row|col|arg|param|test|file|user|id|var|val|key|part|level|page|option|example|token|password|secret)[-_]?\d{0,5}(?:[-_.][a-z\d]{0,8}|id|ctr|gcm|cbc|url|sum|crypt|mb4|le|be|bit|js|ts)?$/i;
const NUMBER_AND_UNIT =
	/^[~<>≤≥+-]?[\d.,:]+(?:[a-z]{1,4}|st|nd|rd|th|min|%|px|chars?|days?|hours?|bytes?|bits?)?[.+]?$/i;
const HEX = /^(?:0x)?(?:[0-9a-f]{7,}|[0-9A-F]{7,})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOT_A_WORD =
	/[/\\(){}<>[\]|"'`;,…=]|:\/\/|^[-#&:@]|::|\$\{|^\$[A-Z_]+$|\+\+|&&|&\w+;|\*\*|\?\?|\?\.|^[\w.+-]+@[\w-]+\.[\w.-]+$/;
const DOTTED = /\.[a-z][a-z\d]{0,4}$|^v?\d+(?:\.\w+)+$|^\.|^[a-z]+(?:\.[a-z]+)+$|^[\w-]+(?:\.[\w-]+){2,}$/;
const SIGN_INSIDE = /[\p{L}\d][!@#$%^&*?+~][\p{L}\d]/u;

/** Whether a word mixes letters with digits or symbols in a way that numbers, identifiers and paths do not. */
export function looksLikePassword(word: string): boolean {
	if (word.length < 4 || word.length > 128 || !/\p{L}/u.test(word)) return false;
	if (TECHNICAL.test(word) || DOTTED.test(word) || NUMBER_AND_UNIT.test(word) || UUID.test(word))
		return false;
	if (NOT_A_WORD.test(word) || HEX.test(word)) return false;
	return /\d/.test(word) || SIGN_INSIDE.test(word) || /[^\s\p{L}][!@#$%^&*?+~]|\p{L}[!$%^&*]$/u.test(word);
}

/** Returns the entropy of a text in bits per character, computed from how often each character occurs in it. */
export function entropy(text: string): number {
	const counts = new Map<string, number>();
	for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
	return bits;
}

/** Whether a value is a long mixture of letters and digits, like generated keys and encoded bytes. */
export function looksRandom(value: string, length: number): boolean {
	if (value.length < length || /[\s()<>{}]/.test(value)) return false;
	return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value.slice(0, 200)) >= 3;
}
