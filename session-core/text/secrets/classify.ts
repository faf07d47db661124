/**
 * What the name of a value says about the value. `password`: the value is a secret, whatever it looks like. `pass`: the value may be a
 * password, but the word has other meanings ("pass: 12, fail: 0"). `token`: the value may be a key or token, but parsers also have tokens,
 * so it must look random. `key`: the word also names other things, so the value must be long and random. `code`: the value is a number that
 * authenticates a person.
 */
export type NameKind = "password" | "pass" | "token" | "key" | "code";

/** Matches words for "password" in the languages that the suite supports, including their inflected forms. */
const FOREIGN =
	/^(?:passwort\p{L}*|kennwort|contrase(?:ñ|n)a|clave|senha|mots? de passe|mdp|wachtwoord|парол\p{L}{1,2}|密码|密碼|口令|パスワード|비밀번호|암호)$/iu;

/** The literals to search for, in lower case. */
export const NAME_ANCHORS: readonly string[] =
	"pass_phrase pass_word pass_code pass pwd secret token key auth credential creds jwt otp pin salt sessid sessionid signature dsn mdp psk pw kennwort contrase clave senha mot_de_passe mots_de_passe wachtwoord парол 密码 密碼 口令 パスワード 비밀번호 암호 identified_by"
		.split(" ")
		.map((anchor) => anchor.replaceAll("_", " "));

const PASSWORD =
	/(?:passwords?|passwds?|passwrd|passphrases?|passcodes?|secrets?|requirepass|masterauth|(?:user|db|store|key|keystore)pass|pwd|secret(?:access)?key)$|^(?:(?:db|user|root|admin|bind|my|new|old)?pws?|passw|psk|pword|pswd|secret.*)$/;
const PASS =
	/^(?:db|user|root|admin|mysql|pg|smtp|mail|ftp|ssh|my|redis|sudo|become|login|http|basic|bind|ldap|vpn|wifi|rabbitmq|app|host)?pass$/;
const TOKEN =
	/(?:(?:api|access|auth|client|private|signing|encryption|decryption|master|service|subscription|license|deploy|server|account|admin|app|shared|host|user|write|read)keys?|tokens?|jwt|credentials?|creds|sessid|sessionid|bearer)$/;
const KEY = /^(?:auth|authorization|salt|signature|sig|dsn|cred|session)$/;
const CODE = /^(?:pin|otp|totp|2fa)$/;

/** Matches words before "key" that make it the name of a secret, for example "api". */
const OPENING =
	/^(?:api|access|auth|authentication|authorization|secret|private|signing|sign|encryption|encrypt|decryption|crypto|cipher|aes|hmac|jwt|master|session|service|subscription|license|product|deploy|account|admin|app|application|client|server|shared|preshared|ssh|gpg|tls|ssl|root|host|write|read|webhook|integration|live|prod|production|staging|vault|db|database|backup|kms|bot|consumer|merchant|cookie|wifi|wpa)$/;
/** Matches words before "key" that make it an ordinary name, for example "primary". */
const ADDRESSING =
	/^(?:public|pub|primary|foreign|sort|partition|cache|unique|map|object|arrow|hot|shortcut|row|react|index|search|translation|registry|composite|natural|range|hash|query|route|event|bind|meta|ctrl|alt|shift|enter|escape|tab|group|settings|config|setting|json|dict|field|column|property|prop|attribute|state|store|lookup|dedupe|idempotency|message|msg|label|order|item|entity|parent|child|next|prev|last|first|any|each|every|press|function|fn|home|end|delete|backspace|space|modifier|keyboard|local|env|context|metric|tag|resource|sequence|known|unknown|missing|invalid|duplicate|same|no|of|in|by|on)$/;

/** Matches the last word of a name whose value only describes a secret and does not contain it, as in `token_count`. */
const ABOUT =
	/^(?:ids?|names?|counts?|counter|lengths?|len|size|limits?|max|min|types?|kinds?|files?|filename|paths?|dirs?|folder|urls?|uris?|endpoints?|hosts?|ports?|fields?|inputs?|labels?|placeholder|hint|polic(?:y|ies)|rules?|expir(?:y|es|ed|ation)|ttl|age|at|date|times?|timeout|index|idx|maps?|lists?|sets?|managers?|stores?|services?|providers?|helpers?|utils?|handlers?|factory|readers?|writers?|parsers?|builders?|generators?|validators?|controller|repository|components?|views?|pages?|forms?|screen|errors?|exceptions?|tests?|specs?|mocks?|fixtures?|prefix(?:es)?|suffix|formats?|patterns?|regex|schemas?|versions?|algorithms?|alg|required|enabled|disabled|usages?|used|budget|ratio|prices?|costs?|window|streams?|events?|frames?|pairs?|refs?|references?|arn|scopes?|status|state|strength|reset|ring|columns?|changed?|changes|rotation|management|encoder|estimate|details|info|options?|opts|params?|middleware|prompt|text|message|msg|visible|visibility|method|mode|sources?|cmd|command|class|interface|props|support|per|in|out|left|total|remaining|cached|input|output|codes?)$/;
/**
 * Matches the last word of a name if that word only distinguishes one secret from another: `PASSWORD_PROD`, `token2`, `client-key-data`.
 */
const WHICH =
	/^(?:prod|production|dev|test|staging|live|local|values?|val|b64|base64|plain|old|new|raw|base|data|string|str|current|previous|default|primary|secondary|main|tmp|confirm|confirmation|again|hash|\d{1,12}|[ab])$/;

/** Splits an identifier into lowercase words, at punctuation and at camel-case boundaries. */
function wordsOf(identifier: string): string[] {
	return identifier
		.replace(/(?<=[a-z]\d{0,3})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
		.toLowerCase()
		.split(/[^\p{L}\p{M}\d]+/u)
		.filter((word) => word !== "");
}

/** Returns what an identifier says about its value; undefined if it says nothing. `before` is the preceding word. */
function kindOf(identifier: string, before: string): NameKind | undefined {
	if (FOREIGN.test(identifier) || /^(?:identified by|pass (?:phrase|word|code))$/i.test(identifier))
		return "password";
	if (identifier === "PWD") return undefined;
	const words = wordsOf(identifier.slice(-100));
	while (words.length > 1 && WHICH.test(words.at(-1) ?? "")) words.pop();
	const last = (words.at(-1) ?? "").replace(/(?<=[a-z]{3})\d{1,12}$/, "");
	const previous = words.at(-2) ?? before.toLowerCase();
	const isLong = words.length > 1;
	if (isLong && ABOUT.test(last)) return undefined;
	if (CODE.test(last)) return "code";
	if (PASSWORD.test(last) || FOREIGN.test(last)) return "password";
	if (PASS.test(last)) return isLong ? "password" : "pass";
	if (/^keys?$/.test(last)) {
		if (ADDRESSING.test(previous)) return undefined;
		if (words.includes("secret") || previous === "secret") return "password";
		return OPENING.test(previous) || /^[A-Z\d_]+_KEYS?$/.test(identifier) ? "token" : "key";
	}
	if (TOKEN.test(last) || (isLong && KEY.test(last)) || /_PAT$/.test(identifier)) return "token";
	return KEY.test(last) ? "key" : undefined;
}

/** Results are cached, because names repeat within a text and each check takes a dozen patterns. */
const judged = new Map<string, NameKind | "none">();
const MOST_JUDGED = 2_000;

/** Like {@link kindOf}, but with a cache. */
export function nameKind(identifier: string, before: string): NameKind | undefined {
	const name = before === "" ? identifier : `${before} ${identifier}`;
	let kind = judged.get(name);
	if (kind === undefined) {
		kind = kindOf(identifier, before) ?? "none";
		if (judged.size >= MOST_JUDGED) judged.clear();
		// The name is copied, because a slice would keep the whole text in memory.
		judged.set([...name].join(""), kind);
	}
	return kind === "none" ? undefined : kind;
}

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

export const FUNCTION_WORD =
	/(?:^|\s)(?:a|an|and|are|as|at|be|by|can|cannot|characters?|enter|flag|for|from|has|if|in|incorrect|invalid|is|it|least|missing|must|new|not|of|on|option|or|please|required|should|that|the|to|too|was|will|with|wrong|your)(?=\s|$)/i;
const SPEAKS_OF_IT =
	/passw|passphrase|secret|token|credential|\bkeys?\b|\b(?:confirm|expired|failed|forgot|minimum|optional)\b|[:.?]$|\.\.\.|…/i;
const SENTENCE = /^[A-Z][a-z]+(?: [a-z]+)+$/;

/** Whether a text reads like a phrase or sentence, such as those in forms, messages and help texts. */
export function isSentence(value: string): boolean {
	return /\s/.test(value) && FUNCTION_WORD.test(value) && (SPEAKS_OF_IT.test(value) || SENTENCE.test(value));
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
