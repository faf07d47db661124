/**
 * What a value looks like, apart from where it stands. "Strong" needs no more than the neighbourhood of the word
 * "password"; "weak" needs to stand right after it.
 */
export type Shape = "none" | "weak" | "strong";

/** Names of algorithms, formats and versions: letters and digits that nobody uses as a password. */
const TECHNICAL =
	/^(?:sha|md|aes|rsa|hs|rs|es|ps|ed|x|p|v|r|utf|ucs|ipv|http|tls|ssl|base|argon|pbkdf|oauth|openid|auth|bcrypt|scrypt|hmac|node|python|php|java|vue|http|int|uint|float|mp|ec|s|k|h|l|gpt|win|mac|ubuntu|debian|mysql|postgres|pg|redis|web|i18n|l10n|a11y|e2e|x86|arm|amd|iso|rfc|cve|log4j|field|line|step|item|row|col|arg|param|test|file|user|id|var|val|key|part|level|layer|tier|phase|page|option|example)[-_]?\d{0,5}(?:[-_.][a-z\d]{0,8}|id|ctr|gcm|cbc|url|sum|crypt|mb4|le|be|bit|js|ts)?$/i;
const NUMBER_AND_UNIT =
	/^[~<>≤≥+-]?[\d.,:]+(?:[a-z]{1,4}|st|nd|rd|th|min|%|px|chars?|days?|hours?|bytes?|bits?)?[.+]?$/i;
const HEX = /^(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL_OR_HANDLE = /^@|^[\w.+-]+@[\w-]+\.[\w.-]+$|^[a-z.]+@[a-z.]+$/;
/** Paths, addresses, calls, assignments, options, references, markup and types: text of programs. */
const CODE =
	/[/\\(){}<>[\]|"'`;,…]|:\/\/|^-|[=:]|^[$#%&]|\$\{|\+\+|&&|&\w+;|\.\w{1,5}$|^\.|[a-z]\.[a-z]|\*\*|\?\?|\?\./i;
const KEBAB_OR_SNAKE = /^[a-z\d]+(?:[-_.][a-z\d]+)+$/i;
const SYMBOL = /[!@#$%^&*?+~]/;

/** How much a word looks like a password that somebody thought up. */
export function passwordShape(word: string): Shape {
	if (word.length < 4 || word.length > 128) return "none";
	const letters = /\p{L}/u.test(word);
	const digits = /\d/.test(word);
	const symbols = SYMBOL.test(word);
	if (!letters || !(digits || symbols)) return "none";
	if (isGenerated(word)) return "strong";
	if (EMAIL_OR_HANDLE.test(word) || CODE.test(word) || TECHNICAL.test(word)) return "none";
	if (NUMBER_AND_UNIT.test(word) || UUID.test(word) || (HEX.test(word) && word.length >= 6)) return "none";
	if (KEBAB_OR_SNAKE.test(word)) return isRandom(word, 16) ? "strong" : "none";
	if (symbols && digits && word.length >= 6) return "strong";
	if (symbols) return word.length >= 6 && SYMBOL.test(word.slice(0, -1)) ? "weak" : "none";
	if (word.length < 5) return "none";
	return hasInnerDigits(word) ? "strong" : "weak";
}

/** A file's name, a version, an address or a member: dots that mean something. */
const DOTTED = /\.[a-z][a-z\d]{0,4}$|^v?\d+(?:\.\w+)+$|^\.|^[a-z]+(?:\.[a-z]+)+$|^[\w-]+(?:\.[\w-]+){2,}$/;
const NOT_A_WORD = /[/\\(){}<>[\]|"'`;,…=]|:\/\/|^-|^[#&:]|::|\$\{|^\$[A-Z_]+$|\+\+|&&|&\w+;|\*\*|\?\?|\?\./;
/** A sign between letters or digits. */
export const SIGN_INSIDE = /[\p{L}\d][!@#$%^&*?+~.:_-][\p{L}\d]/u;

/**
 * Whether a word may be a password right behind the word that names one: letters with a digit, or with a sign or a
 * capital inside, where neither is the way of a path, a number or an identifier.
 */
export function isLoosePassword(word: string): boolean {
	if (word.length < 4 || word.length > 128 || !/\p{L}/u.test(word)) return false;
	if (passwordShape(word) !== "none") return true;
	if (NOT_A_WORD.test(word) || EMAIL_OR_HANDLE.test(word) || TECHNICAL.test(word) || DOTTED.test(word))
		return false;
	if (NUMBER_AND_UNIT.test(word) || UUID.test(word) || (HEX.test(word) && word.length >= 7)) return false;
	if (/\d/.test(word)) return true;
	return /[!@#$%^&*?+~]/.test(word) && SIGN_INSIDE.test(word);
}

/** Capitals, small letters, digits and signs in turn, as generators of passwords make them. */
function isGenerated(word: string): boolean {
	if (
		word.length < 8 ||
		word.length > 40 ||
		!/[A-Z]/.test(word) ||
		!SYMBOL.test(word) ||
		/:\/\/|\(\)|\$\{|['"`]/.test(word)
	)
		return false;
	const kinds = [...word].map((character) =>
		[/[a-z]/, /[A-Z]/, /\d/].findIndex((kind) => kind.test(character)),
	);
	const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
	return new Set(kinds).size === 4 && changes * 2 >= word.length;
}

/** Digits among letters, as in `hunter2x9` and `Tr0ub4dor`: twice, or once in a word of mixed case or with a letter's look. */
function hasInnerDigits(word: string): boolean {
	const groups = word.match(/(?<=\p{L})\d+(?=\p{L})/gu)?.length ?? 0;
	if (groups === 0 || word.length < 7) return false;
	if (groups > 1 || /\p{L}\d+$/u.test(word)) return true;
	return /[a-z]/.test(word) && (/[A-Z]/.test(word.slice(1)) || /[a-z][013457][a-z]/.test(word));
}

/** Bits per character of a text, by its own character counts. */
export function entropy(text: string): number {
	const counts = new Map<string, number>();
	for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
	return bits;
}

/** Long and mixed: keys and encoded bytes, which nobody thought up. */
export function isRandom(value: string, length: number): boolean {
	if (value.length < length || /[\s()<>{}]/.test(value)) return false;
	if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
	return entropy(value.slice(0, 200)) >= 3;
}
