/**
 * How much the name of a value promises.
 * - `strong`: a password, whatever it looks like.
 * - `short`: the same, but the word has other meanings ("pass: 12, fail: 0"), so in prose the value must look like one.
 * - `weak`: a key or token. Parsers have tokens and maps have keys, so the value must look random.
 * - `faint`: a word that names secrets among much else ("key", "auth"): the value must be long and random.
 * - `code`: a number that proves who somebody is: PIN, one-time password.
 */
export type Strength = "strong" | "short" | "weak" | "faint" | "code";

/** Words for a password in languages other than English, and those for a key or token. Sources: the languages' Wikipedia articles "Password". */
const PASSWORD_WORDS =
	"código de acesso|código de acceso|code d'accès|parola d'ordine|palabra clave|palavra passe|hasła|hesla|gesla|jelszav|contrasena|clave|contrasenya|contrasinal|mot de passe|mots de passe|motdepasse|kennwort|passwort|passwörter|senha|palavra-passe|wachtwoord|lösenord|losenord|adgangskode|kodeord|passord|salasana|hasło|haslo|heslo|lozinka|zaporka|geslo|jelszó|parolă|parola|parool|slaptažodis|şifre|sifre|mật khẩu|kata sandi|kata laluan|lykilorð|pasahitza|fjalëkalimi|пароль|пароля|паролем|паролю|паролі|парола|лозинка|гасло|сырсөз|κωδικός|κωδικό|κωδικοσ|συνθηματικό|סיסמה|סיסמא|הסיסמה|كلمة المرور|كلمة السر|كلمة مرور|رمز عبور|گذرواژه|पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்|รหัสผ่าน|密码|密碼|口令|通行码|通行碼|パスワード|パスフレーズ|暗証番号|비밀번호|암호|비번|패스워드|գաղտնաբառ|პაროლი";
const TOKEN_WORDS =
	"密钥|密鑰|秘钥|令牌|私钥|私鑰|トークン|キー|秘密鍵|시크릿|토큰|токен|ключ|секрет|clé|clef|schlüssel|llave|chiave|chave|sleutel|klucz|klíč|nyckel|avain|anahtar|khóa|jeton|jetón|ficha";

/** Everything that begins the look at a name, in lower case. */
export const NAME_ANCHORS: readonly string[] = [
	"pass%phrase pass%word pass%code",
	"pass pwd secret token key auth credential creds jwt otp pin mnemonic salt sessid sessionid signature dsn",
	"license licence mdp 2fa mfa pw: pw= pw\" pw' pw` pw- pw_ pw, pw; psk",
]
	.flatMap((words) => words.split(" ").map((word) => word.replace("%", " ")))
	.concat("_pat")
	.concat(
		"wifi code",
		"wlan code",
		"door code",
		"gate code",
		"alarm code",
		"pw ",
		"pw|",
		"pw?",
		"pw)",
		"pw\n",
		"pwd?",
		" p:",
		"identified by",
		"pin code",
		"one-time code",
		"sms code",
		"login code",
	)
	.concat(
		"verification code",
		"security code",
		"access code",
		"unlock code",
		"auth code",
		"confirmation code",
	)
	.concat([...new Set(`${PASSWORD_WORDS}|${TOKEN_WORDS}`.split("|").map(stemOf))]);

/** The beginning of a word, where the whole is read from the text: one anchor for all its endings. */
function stemOf(word: string): string {
	return /[ \u0e00-\uffff]/.test(word) ? word : word.slice(0, 5);
}

/** With the ending of a case or an article: "lösenordet", "паролем", "şifresi". */
const PASSWORD_WORD = new RegExp(`^(?:${PASSWORD_WORDS})\\p{L}{0,3}$`, "iu");
const TOKEN_WORD = new RegExp(`^(?:${TOKEN_WORDS})$`, "iu");

const STRONG =
	/(?:password|passwd|passwrd|passphrase|passcode|passwort|kennwort|contrase[nñ]a|passwords|passwds|passcodes|passphrases|secret|secrets|requirepass|masterauth|userpass|dbpass|storepass|keypass|keystorepass)$|^(?:db|user|root|admin|bind|my|new|old)?pws?$|^(?:passw|mdp|psk|pword|pswd)$|^secret|secret(?:key|accesskey)$|^pwd$|pwd$/;
const SHORT =
	/^(?:(?:db|user|root|admin|mysql|pg|smtp|mail|ftp|ssh|my|redis|sudo|become|login|http|basic|bind|ldap|vpn|wifi|rabbitmq|app|host)?pass|p)$/;
const WEAK =
	/(?:(?:api|access|auth|client|private|signing|encryption|decryption|master|service|subscription|license|deploy|server|account|admin|app|shared|host|user|write|read)keys?|tokens?|jwt|credentials?|creds|sessid|sessionid|bearer|apikeys?)$/;
const FAINT =
	/^(?:keys?|auth|authorization|salt|pepper|signature|sig|dsn|license|licence|serial|sid|cred|webhook|hmac|session|cookie)$/;
const CODE =
	/^(?:pin|otp|totp|mfa|2fa|tan|cvv|cvc)$|^(?:verification|security|access|unlock|auth|login|sms|confirmation|one-time|pin) code$/i;

/** What stands before "key" and makes it one that opens something. */
const KEY_OF =
	/^(?:api|access|auth|authentication|authorization|secret|private|signing|sign|encryption|encrypt|decryption|crypto|cipher|aes|hmac|jwt|master|session|service|subscription|license|licence|product|activation|deploy|account|storage|admin|app|application|client|server|shared|preshared|pre|ssh|gpg|pgp|tls|ssl|cert|root|host|user|write|read|rest|webhook|integration|ingest|send|test|live|prod|production|staging|dev|sandbox|openai|anthropic|stripe|sendgrid|mailgun|twilio|google|maps|github|gitlab|aws|azure|gcp|s3|cloudflare|algolia|datadog|sentry|slack|heroku|digitalocean|firebase|supabase|gemini|mistral|groq|cohere|replicate|pinecone|huggingface|hf|deepseek|openrouter|perplexity|tavily|serpapi|serper|exa|brave|newrelic|segment|mixpanel|amplitude|wandb|langsmith|langfuse|resend|postmark|plaid|vault|db|database|backup|wrap|wrapping|kms|data|bot|consumer|merchant|publishable|restricted|dashboard|telemetry|recaptcha|captcha|vapid|turnstile|nextauth|cookie|csrf|nonce|wifi|network|wpa|wireguard|the|my|your|our)$/;
/** What stands before "key" and makes it a name among others. */
const NO_KEY_OF =
	/^(?:public|pub|primary|foreign|sort|partition|cache|unique|map|object|arrow|hot|shortcut|row|react|index|search|translation|i18n|registry|composite|natural|range|hash|query|route|route|event|bind|meta|ctrl|alt|shift|enter|escape|tab|group|settings|config|setting|json|dict|field|column|property|prop|attribute|state|store|lookup|dedupe|dedup|idempotency|message|msg|label|sorting|order|item|entity|parent|child|next|prev|last|first|any|each|every|press|function|fn|home|end|delete|backspace|space|modifier|keyboard|piano|answer|local|env|context|metric|tag|resource|sequence|known|unknown|missing|invalid|duplicate|same|no|of|in|by|on)$/;

/** Last words of names that speak about a secret and do not hold it. */
const ABOUT =
	/^(?:ids?|names?|counts?|counter|lengths?|len|size|limits?|max|min|types?|kinds?|files?|filename|paths?|dirs?|folder|urls?|uris?|endpoints?|hosts?|ports?|fields?|inputs?|labels?|placeholder|hint|polic(?:y|ies)|rules?|expir(?:y|es|ed|ation)|expiresin|ttl|age|ages|at|date|times?|timeout|index|idx|maps?|lists?|sets?|managers?|stores?|service|services|providers?|helpers?|utils?|handlers?|factory|readers?|writers?|parsers?|builders?|generators?|validators?|controller|repository|components?|views?|pages?|forms?|screen|errors?|exceptions?|tests?|specs?|mocks?|fixtures?|prefix(?:es)?|suffix|formats?|patterns?|regex|schemas?|versions?|algorithms?|algo|alg|required|enabled|disabled|usages?|used|budget|ratio|prices?|cost|costs|window|streams?|events?|press|down|up|board|frames?|pairs?|vault|refs?|references?|arn|scopes?|status|state|strength|reset|ring|column|columns|change|changed|changes|rotation|management|encoder|tokens?izer|estimate|estimator|details|info|options?|opts|params?|policy|middleware|prompt|text|message|msg|visibility|visible|method|mode|source|sources|cmd|command|class|interface|props|handling|support|per|in|out|left|used|total|remaining|cached|input|output|binding|bindings|codes?)$/;

/** Words of an identifier: parted by signs, by camel case and before digits at the end. */
function wordsOf(identifier: string): string[] {
	return identifier
		.replace(/(?<=[a-z]\d{0,3})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
		.toLowerCase()
		.split(/[^\p{L}\p{M}\d]+/u)
		.filter((word) => word !== "");
}

/** Endings that say which one it is: `PASSWORD_PROD`, `token2`, `SECRET_KEY_BASE`, `client-key-data`. */
const WHICH =
	/^(?:prod|production|dev|development|test|staging|live|local|values?|val|b64|base64|plain|plaintext|old|new|raw|base|data|string|str|current|previous|prev|default|primary|secondary|main|temp|tmp|confirm|confirmation|again|repeat|clear|hash|hashed|\d{1,4}|[ab])$/;

/** What a name promises, `before` being the word that stands in front of it with a blank between. Undefined: nothing. */
export function strengthOf(identifier: string, before = ""): Strength | undefined {
	if (/^(?:pass (?:phrase|word|code)|(?:wifi|wlan|door|gate|alarm) code)$/i.test(identifier)) return "strong";
	if (CODE.test(identifier)) return "code";
	if (/^\$?[A-Z\d_]+_PAT$/.test(identifier)) return "weak";
	if (PASSWORD_WORD.test(identifier) || /^identified by$/i.test(identifier)) return "strong";
	const words = wordsOf(identifier.slice(-100));
	while (words.length > 1 && WHICH.test(words.at(-1) ?? "")) words.pop();
	const last = (words.at(-1) ?? "").replace(/(?<=[a-z]{3})\d{1,3}$/, "");
	const previous = words.at(-2) ?? before.toLowerCase();
	if (words.length > 1 && ABOUT.test(last)) return undefined;
	if (STRONG.test(last))
		return last === "pwd" && words.length === 1 && identifier === "PWD" ? undefined : "strong";
	if (PASSWORD_WORD.test(last)) return "strong";
	if (SHORT.test(last)) return words.length > 1 ? "strong" : "short";
	if (last === "key" || last === "keys") return keyStrength(words, previous);
	if (WEAK.test(last)) return "weak";
	if (TOKEN_WORD.test(last)) return words.length > 1 ? "weak" : "faint";
	if (CODE.test(last)) return "code";
	if (FAINT.test(last))
		return /^(?:auth|salt|pepper|dsn|sig|signature)$/.test(last) && words.length > 1 ? "weak" : "faint";
	return words.length > 1 && words.some((word) => STRONG.test(word)) && /^(?:key|code|phrase)s?$/.test(last)
		? "strong"
		: undefined;
}

function keyStrength(words: readonly string[], previous: string): Strength | undefined {
	if (NO_KEY_OF.test(previous)) return undefined;
	if (previous === "secret" || words.includes("secret")) return "strong";
	return KEY_OF.test(previous) ? "weak" : "faint";
}
