import type { Rule } from "./rules.ts";
import { isCredential, isGenerated, isMixed, looksMadeUp } from "./values.ts";

/**
 * Basic authentication encodes `user:password` in base64 (RFC 7617). SASL PLAIN separates the two with
 * a null byte (RFC 4616). The value may be truncated.
 */
function isBasicCredential(value: string): boolean {
	const plain = Buffer.from(value.slice(0, 400), "base64").toString("latin1");
	if (/^[\w.@+-]{2,}:[\x20-\x7e\x80-\xff]*$|^[\w.@+-]*\0[\w.@+-]{2,}\0[\x20-\x7e]/.test(plain)) return true;
	return (
		value.length >= 8 && /\d|=$/.test(value) && /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(plain)
	);
}

/** A cookie with a short value, an expression or a number contains no secret. */
const hasCredential = (cookies: string): boolean =>
	/=["']?(?![$<{%*]|\d+(?:;|$)|" [+.] )[^;\s]{8}/.test(
		cookies.replace(/;\s?(?:expires|path|domain)=.*/is, ""),
	);

const COOKIE_VALUE = '(?:"[^"\\n]{0,4000}"?|[^\\s;"\'\\\\]*)';

const HEADERS: readonly Rule[] = [
	// The `Authorization` header is defined in RFC 9110, section 11.6.2.
	{
		form: /authorization(?:["']{0,2}\s{0,5}[:=：](?!:)|["'`]\]?\s{0,3}[,=](?=\s{0,5}["'`][a-z-]{2,20} [^\s"'`,]{6,}["'`]))\s{0,5}["'`]{0,2}(?:[a-z][\w-]{2,20} {1,3}(?!\())?((?:\w{2,20}=(?:\\?"[^"\n]{0,500}"|[^\s"'`,\\<>]{1,500})(?:,\s{0,3}|(?=["'\s]|$))){2,20}|[^\s"'`,\\<>]+)/i,
		accepts: isCredential,
	},
	{
		form: /bearer\s{1,3}(?:["'`]\s{0,2}[+.]\s{0,2}["'`])?([\w.~+/=-]{6,})/i,
		accepts: isCredential,
	},
	{ form: /(?:basic|auth plain) {1,3}([\w+/-]{4,}={0,2})/i, accepts: isBasicCredential },
	// RFC 6265
	{
		form: new RegExp(
			`cookie["']{0,2}\\s{0,3}[:=]\\s{0,3}["'\`]?([\\w.-]+=${COOKIE_VALUE}(?:;\\s?[\\w.-]+(?:=${COOKIE_VALUE})?)*)`,
			"i",
		),
		accepts: hasCredential,
	},
	// Cookies in HAR files
	{ form: /cookies["']?\s?:\s?\[[^\]]{1,20000}/i, each: /"value"\s?:\s?"((?:\\.|[^"\\\n])+)/ },
	// Docker and npm store base64 credentials in an `auth` field.
	{
		form: /auth["']{0,2}\s{0,3}[:=]\s{0,3}["']{0,2}([\w+/-]{4,}={0,2})(?![\w+/])/i,
		accepts: isBasicCredential,
	},
];

/** Matches the user name and the colon in a URL. */
const USER = "://(?<=[a-z][a-z0-9+.-]{0,30}://)(?![<$[{%])[^\\s/?#\"'<>`:\\\\]{0,100}:";
const REFERENCE = "(?!\\$\\{|<|\\{\\{|%[sd])";

const ADDRESSES: readonly Rule[] = [
	// A password in a URL (RFC 3986, section 3.2.1) may contain an unescaped `/`, `#` or `@`.
	// A port in a URL is not a password.
	new RegExp(
		`${USER}${REFERENCE}((?:[^\\s/?#@"'<>\`\\\\]|'(?![,\\s)\\]}])){1,200})@(?=[\\w.-]+(?::\\d{1,5})?[/?#])`,
		"i",
	),
	new RegExp(
		`${USER}${REFERENCE}(?!\\d{1,5}[/?#])((?:[^\\s"'<>\`\\\\]|'(?![,\\s)\\]}])){1,200})@(?=[\\w.[{$<%#"'\`-])`,
		"i",
	),
	// A URL may be cut off inside its password.
	new RegExp(
		`${USER}${REFERENCE}(?!\\d{1,5}(?:[/?#\\s"'\`]|$))((?:[^\\s/?#@"'<>\`\\\\…]|'(?=.)){4,200})…?["'\`]?$`,
		"i",
	),
	// In Go, a database address looks like `user:password@tcp(host:3306)`.
	/@(?:tcp|unix)\((?<=[\w.-]{1,40}:([^\s:"'`<>]{1,80})@\w{3,4}\()/,
	// In a URL, a long user name without a password is a token.
	{
		form: /:\/\/(?<=[a-z][a-z0-9+.-]{0,30}:\/\/)(?![<$[{%])([\w.~-]{12,200}):?@/i,
		accepts: (value) => (value.length >= 20 && /\d/.test(value)) || isGenerated(value, 12) || isMixed(value),
	},
	// Names of URL parameters that are too short to be searched for elsewhere
	/[?&](?:sig|sid|auth|jwt|pwd|x-amz-signature)=([^\s&#"'`<>[\]]+)/i,
];

const FILES: readonly Rule[] = [
	// These commands print a secret.
	{
		form: /(?:base64 -d|base64 --decode|get-secret-value|pass show|op read|openssl rand|print-access-token|gh auth token|kubectl create token|find-generic-password|kv get -field|output -raw|pwgen|gopass|vault-token|sops -d|gpg -d|ansible-vault view|\/dev\/urandom)(?![\w-])[^\n]{0,300}\n\s{0,9}["']?(?!```)([^\s"']{6,400})["']?[ \t]*(?:\r?\n|$)/i,
		accepts: looksMadeUp,
	},
	// The private members of a JSON Web Key are defined in RFC 7518, section 6.3.2.
	{ form: /"kty"[^{}]{0,4000}/, each: /"(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3}"([\w-]{16,})"/ },
	// .pgpass
	/(?::5432:|:6432:|:5433:|:3306:|\*:\*:)(?<=(?:^|[\s"']|:\d{1,6}:)[\w.*-]{1,80}:(?:\*|\d+):)[^:\s]{1,60}:[^:\s]{1,60}:((?:[^\s\\]|\\.){2,100}?)(?=["')]{0,2}(?:\s|$))/,
];

/** Matches the label of a private key in PEM or PGP format (RFC 7468, RFC 9580). */
const LABEL = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?";
const SPACE = "(?:%20|\\+)";
const URL_LABEL = `${SPACE}(?:[A-Z0-9]{1,20}${SPACE}){0,3}PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?`;
const HEADER_FIELD = "(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\n\\\\]*";
const PRIVATE_KEYS: readonly Rule[] = [
	// In a URL
	new RegExp(
		`-----BEGIN${URL_LABEL}-----(?:[A-Za-z0-9+/=\\s]|%(?:0[ADad]|2[0BFbf]|3[Dd]))*(?:-----END${URL_LABEL}(?:-----)?)?`,
	),
	{
		form: new RegExp(`-----BEGIN ${LABEL}-----(?:[^-]|-(?!----(?:BEGIN|END) ))*-----END ${LABEL}(?:-----)?`),
		accepts: (key) => /(?=[A-Za-z+/]{0,60}\d)[A-Za-z\d+/]{20}/.test(key.replace(/-----.*?-----/g, "")),
	},
	new RegExp(
		`-----BEGIN ${LABEL}-----(?:(?:\\\\[nr]|[\\s"',>|])*(?:${HEADER_FIELD}|[A-Za-z0-9+/=]{16,}))+(?:(?:\\\\n|\\n)[A-Za-z0-9+/=]{1,15}(?![^\\s\\\\]))?`,
	),
	// The beginning of the private key may have been cut off.
	new RegExp(`-----END (?<=(?<lead>[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=\\s"',>|\\\\]*)-----END )${LABEL}-----`),
];

export const FORM_RULES: readonly Rule[] = [...PRIVATE_KEYS, ...HEADERS, ...ADDRESSES, ...FILES];
