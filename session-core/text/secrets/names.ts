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
