import { endOf, matchAt, type Scan } from "./scan.ts";

/**
 * Kinds of secret names. `certain`: the value is always a secret. `pass` and `token`: the word has other
 * meanings, as in `pass: 12`, so the value must not be an ordinary word. `key`: the value must look
 * generated. `code`: the value is a number, such as a one-time password. `header`: the value has several
 * parts, and one part may be a secret. `call`: the name is a function such as `login`, and only a generated
 * argument is a secret.
 */
export type NameKind = "certain" | "pass" | "token" | "key" | "code" | "header" | "call";

/** Matches the word "password" in the languages that the suite supports. */
const FOREIGN =
	/^(?:passwort\p{L}*|kennwort|contrase(?:ñ|n)a|clave|senha|mots? de passe|mdp|wachtwoord|парол\p{L}{1,2}|密码|密碼|口令|パスワード|비밀번호|암호)$/iu;

export const NAME_ANCHORS: readonly string[] =
	"pass_phrase pass_word pass_code pass pwd secret token key auth bearer credential creds jwt otp pin psw salt cookie sessid sessionid dsn mdp psk pw kennwort contrase clave senha mot_de_passe mots_de_passe wachtwoord парол 密码 密碼 口令 パスワード 비밀번호 암호 identified_by _pat _seed pepper login connect hmac crypt fernet wallet pdo"
		.split(" ")
		.map((anchor) => anchor.replaceAll(/(?<=.)_/g, " "));

/** After one of these words, `key` or `token` names a secret, as in `api_key`. */
const OWNER =
	"api|access|auth|authentication|authorization|oauth|secret|private|personal|signing|encryption|decryption|crypto|hmac|jwt|master|session|service|security|subscription|license|deploy|account|admin|user|app|client|server|shared|preshared|ssh|gpg|root|write|read|webhook|integration|live|vault|bot|refresh|bearer|consumer|merchant|registry|publish|ci|my|db|wpa|unseal|openai|anthropic|stripe|sendgrid|google|gemini|azure|aws|github|gitlab|slack|npm";
const OWNED = new RegExp(`^(?:${OWNER})$`);
const CERTAIN = new RegExp(
	`(?:pass(?:words?|wds?|wrd|phrases?|codes?)|secrets?|.pwds?|(?:store|key|require|bind)pass|masterauth|(?:${OWNER})keys?|(?:api|access|auth|secret|bot|refresh|session|bearer)tokens?)$|^(?:pwds|(?:db|user|root|admin|bind|my|new|old)?pws?|psw|psk|pword|pswd|credentials?|creds)$`,
);
const PASS =
	/^pwd$|^(?!(?:by|com|tres|sur|over|under|encom|multi|single|first|all|low|high|band|sub|mini)pass)[a-z]{0,12}pass$/;
const TOKEN = /(?:tokens?|jwt|sessid|sessionid|bearer)$/;
const KEY = /^(?:keys?|auth|authorization|(?:password)?salt|seed|pepper|sig|dsn|session)$/;
/**
 * If one of these words precedes `key` or `token`, as in `cache_key`, the name is not the name of a
 * secret, even if the value looks random.
 */
const PUBLIC =
	/^(?:public|pub|primary|unique|group|protobuf|foreign|partition|sort|cache|idempotency|host|known|recv|authorized|object|query|row|page|pagination|next|continuation|cancel|cancellation)$/;
/**
 * Matches a suffix that only distinguishes one secret from another, as in `PASSWORD_PROD` and `token2`.
 */
const WHICH =
	/^(?:v\d{1,3}|prod|production|dev|test|staging|live|local|values?|val|b64|base64|plain|old|new|raw|base|data|string|str|current|previous|default|primary|secondary|main|confirm|confirmation|again|hash|\d{1,12}|[ab])$/;

/** Splits an identifier into lowercase words: `dbPassword` becomes `db` and `password`. */
export function nameWords(identifier: string): string[] {
	return identifier
		.replace(/(?<=[a-z]\d{0,3})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
		.toLowerCase()
		.split(/[^\p{L}\p{M}\d]+/u)
		.filter((word) => word !== "");
}

function kindOf(identifier: string, before: string): NameKind | undefined {
	if (FOREIGN.test(identifier) || /^(?:identified by|pass (?:phrase|word|code))$/i.test(identifier))
		return "certain";
	if (
		/^(?:OLDPWD|NOPASSWD|client_credentials|PublicKeyToken|Sec-WebSocket-Key)$|(?:^|[a-z])[gG]et(?:Secret|Token|Key|Password)$/.test(
			identifier,
		)
	)
		return undefined;
	if (/^(?:proxy-|set-)?(?:authorization|cookie)$/i.test(identifier)) return "header";
	const isVariable = /^[A-Z\d]+_[A-Z\d_]+$/.test(identifier);
	const words = nameWords(identifier.slice(-100));
	while (words.length > 1 && WHICH.test(words.at(-1) ?? "")) words.pop();
	const last = (words.at(-1) ?? "").replace(/(?<=[a-z]{3})\d{1,12}$/, "");
	const previous = words.at(-2) ?? before.toLowerCase();
	if (/^(?:pin|otp|totp|2fa)$/.test(last)) return "code";
	// The option `--ask-password` takes no value, and `existingSecret` contains only the name of a secret.
	if (words.includes("ask") || words.includes("existing")) return undefined;
	if (CERTAIN.test(last) || FOREIGN.test(last)) return "certain";
	if (PASS.test(last)) return words.length > 1 ? "certain" : "pass";
	if (/^(?:keys?|.*tokens?)$/.test(last) && PUBLIC.test(previous)) return undefined;
	// A name such as `session_key` may refer to an entry in a session and not to a secret.
	if (/^keys?$/.test(last)) return OWNED.test(previous) && previous !== "session" ? "certain" : "key";
	// In an HTTP header, the word `Bearer` is not the name of a secret but precedes a token.
	if (/^[Bb]earer$/.test(identifier)) return undefined;
	if (TOKEN.test(last))
		return (isVariable && last !== "tokens") || OWNED.test(previous) ? "certain" : "token";
	if (/^(?:auth|authorization|pepper|salt)$/.test(last) && /^[A-Z\d_]+$/.test(identifier))
		return previous === "basic" ? "certain" : "token";
	if (/_PAT$/.test(identifier)) return "certain";
	if (/^secret_?id$/i.test(identifier)) return "key";
	if (
		/(?:login|connect(?:ion)?|basicauth|fernet|wallet|pdo)$|^(?:.*[_.])?[a-z]*(?:hmac|crypt)/i.test(
			identifier,
		)
	)
		return "call";
	return KEY.test(last) ? "key" : undefined;
}

export interface Name {
	start: number;
	end: number;
	kind: NameKind;
	identifier: string;
	/** True if the name of a secret is in capital letters, like an environment variable. */
	isVariable: boolean;
	/**
	 * The quotation mark before the name of a secret, or an empty string. The quotation marks may enclose
	 * the name alone or the value as well, as in `"password=…"`.
	 */
	quote: string;
	/** True if only the name of a secret is in quotation marks, as in `"password": …`. */
	isKey: boolean;
	/**
	 * True if a secret's name ends a quoted phrase, as in a translation: `"Change your password": "…"`.
	 */
	isPhrase: boolean;
}

export const UNSPACED = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const NAME_REST = /(?:[\p{L}\p{M}\p{N}_$]|(?<=\w)[-.](?=[A-Za-z_])){1,80}/uy;
const NAME_FRONT = /(?<=((?:[\w$À-ɏЀ-ӿ]|(?<=\w)[-.](?=[A-Za-z_])){1,80}))/y;

/**
 * A class may be named after a secret, and so may an HTML attribute whose value is code, as in a Vue
 * template.
 */
const DECLARED =
	/(?<=\b(?:class|interface|struct|trait|enum|record) |\burn:[\w:.-]{0,60})|(?<=\s[:@])(?=[\w-]{1,60}=")/y;
const WORD_BEFORE = /(?<=(?<!\w)(\w{1,24})[ .-])/y;

export function nameAt(scan: Scan, at: number, literal: string): Name | undefined {
	const { text } = scan;
	const isWord = !literal.includes(" ") && !UNSPACED.test(literal);
	let end = (isWord ? endOf(NAME_REST, text, at) : undefined) ?? at + literal.length;
	// In `password.equals(…)`, the last word is a method and not the name of a secret.
	const dot = text.charAt(end) === "(" ? text.lastIndexOf(".", end) : -1;
	if (dot > at) end = dot;
	// The output of `cat password.txt` is treated as a secret, because the file is named after a secret.
	if (text.startsWith(".txt", end - 4)) end -= 4;
	let start = at - (isWord ? (matchAt(NAME_FRONT, text, at)?.[1]?.length ?? 0) : 0);
	// In `process.env.API_KEY`, only the part after the last dot is the name of the secret.
	start += text.slice(start, end).lastIndexOf(".") + 1;
	const identifier = text.slice(start, end);
	const before = /^(?!_).*keys?$/i.test(identifier) ? matchAt(WORD_BEFORE, text, start)?.[1] : "";
	const kind = kindOf(identifier, before ?? "");
	if (!kind || endOf(DECLARED, text, start) !== undefined) return undefined;
	const enclosing = scan.quoteAt(start);
	// A closing quotation mark directly after a secret's name shows that only the name is in quotes.
	const isClosed = enclosing !== "" && text.charAt(end) === enclosing;
	const isPhrase =
		isClosed &&
		!enclosing.startsWith("`") &&
		/[\p{L}\p{M}\p{P}] $/u.test(text.slice(Math.max(0, start - 3), start));
	const isVariable = /^[A-Z][A-Z\d_]+$/.test(identifier);
	return {
		start,
		end,
		kind,
		identifier,
		isVariable,
		quote: isClosed ? "" : enclosing,
		isKey: isClosed,
		isPhrase,
	};
}
