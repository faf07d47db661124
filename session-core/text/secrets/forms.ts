import type { Rule } from "./rules.ts";
import { endOf, type Reader } from "./scan.ts";
import { isCredential, isGenerated, isMixed, looksMadeUp } from "./values.ts";

/**
 * Returns true if a base64 value contains credentials. Basic authentication encodes `user:password` (RFC
 * 7617). SASL PLAIN separates the user name from the password with a null byte (RFC 4616). The value may be
 * truncated.
 */
function isBasicCredential(value: string): boolean {
	const plain = Buffer.from(value.slice(0, 400), "base64").toString("latin1");
	if (/^[\w.@+-]{2,}:[\x20-\x7e\x80-\xff]*$|^[\w.@+-]*\0[\w.@+-]{2,}\0[\x20-\x7e]/.test(plain)) return true;
	return (
		value.length >= 8 && /\d|=$/.test(value) && /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(plain)
	);
}

/**
 * Returns false if every value in a cookie header is short, a number or an expression, because such values
 * are not secrets.
 */
const hasCredential = (cookies: string): boolean =>
	/=["']?(?![$<{%*]|\d+(?:;|$)|" [+.] )[^;\s]{8}/.test(
		cookies.replace(/;\s?(?:expires|path|domain)=.*/is, ""),
	);

const COOKIE_VALUE = '(?:"[^"\\n]{0,4000}"?|[^\\s;"\'\\\\]*)';

const HEADERS: readonly Rule[] = [
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
	{
		form: /authorization["']{0,2}\s{0,5}[:=：]\s{0,5}["'`]{0,2}(?:bearer|basic|token) {1,3}([a-z]{8,})(?=["'`\\]|\s*(?:\n|$))/i,
		accepts: (value) => !/^(?:access|auth|your|my)|token$/i.test(value),
	},
	// auth: "user:password"
	/auth["']{0,2}\s{0,3}[:=]\s{0,3}(?:[([]["'][\w.@-]{1,60}["'],\s?["']|["'][\w.@-]{1,60}:(?!\/\/))([^"'\n]{2,100})["']/i,
];

const USER = "://(?<=[a-z][a-z0-9+.-]{0,30}://)(?![<$[{%])[^\\s/?#\"'<>`:\\\\]{0,100}:";
const REFERENCE = "(?!\\$\\{|<|\\{\\{|%[sd])";

const ADDRESSES: readonly Rule[] = [
	// In practice, a password in a URL can contain an unescaped `/`, `#` or `@`, although RFC 3986 (section
	// 3.2.1) does not allow it.
	// The port in a URL must not be mistaken for a password.
	new RegExp(
		`${USER}${REFERENCE}((?:[^\\s/?#@"'<>\`\\\\]|'(?![,\\s)\\]}])){1,200})@(?=[\\w.-]+(?::\\d{1,5})?[/?#])`,
		"i",
	),
	new RegExp(
		`${USER}${REFERENCE}(?!\\d{1,5}[/?#])((?:[^\\s"'<>\`\\\\]|'(?![,\\s)\\]}])){1,200})@(?=[\\w.[{$<%#"'\`-])`,
		"i",
	),
	new RegExp(
		`${USER}${REFERENCE}(?!\\d{1,5}(?:[/?#\\s"'\`]|$))((?:[^\\s/?#@"'<>\`\\\\…]|'(?=.)){4,200})…?["'\`]?$`,
		"i",
	),
	// In Go, a database address can look like `user:password@tcp(host:3306)`.
	/@(?:tcp|unix)\((?<=[\w.-]{1,40}:([^\s:"'`<>]{1,80})@\w{3,4}\()/,
	// In a URL, a long user name without a password is assumed to be a token.
	{
		form: /:\/\/(?<=[a-z][a-z0-9+.-]{0,30}:\/\/)(?![<$[{%])([\w.~-]{12,200}):?@/i,
		accepts: (value) => (value.length >= 20 && /\d/.test(value)) || isGenerated(value, 12) || isMixed(value),
	},
	// Some names of URL parameters are too short to search for outside URLs.
	/[?&](?:sig|sid|auth|jwt|pwd|x-amz-signature)=([^\s&#"'`<>[\]]+)/i,
	/[?&](?:key|appid|app_id|appkey|hapikey|signature|k|code|s|sign|subscription-key)=(?=[\w%-]{0,40}\d)(?=[\w%-]{16})([^\s&#"'`<>[\]]+)/i,
	// A URL scheme is optional: `user:password@host`. Before an e-mail address, `mail:` is only a label.
	{
		form: /@[abcdefghijklmnopqrstuvwxyz0123456789](?<=(?<![\w/.:@-])(?!mailto|cid|e-?mail|acct|sips?:|xmpp)[\w.+-]{1,40}:([^\s@:/"'`<>()[\]{},]{6,80})@.)(?!sha\d)(?=[\w.-]{0,60}(?:\.[a-z]{2,10}(?![\w.])|:\d{2,5}|\/\w)|ocalhost|[\d.]{5,14}(?![\w.]))/i,
		accepts: looksMadeUp,
	},
	// Oracle
	/(?:thin:|sqlplus |impdp |expdp |sqlldr )(?:-\w+ ){0,3}["']?\w{1,30}\/(?![<$])("[^"\n]+"|[^\s"'/<]{1,100})@/i,
	// QR codes for Wi-Fi networks
	/wifi:(?:[TSH]:[^;\n]{0,60};){0,3}P:((?:\\.|[^;\\\n]){1,100});/i,
];

/**
 * Matches a call such as `login("user", "password")`. `others` is the quantifier, in regular expression
 * syntax, for the arguments before the password.
 */
function call(names: string, others: string): Rule {
	const argument = String.raw`(?:["'][^"'\n]{0,100}["']|[\w.$>()-]{1,60}|\{[^{}\n]{0,100}\}),\s{0,20}`;
	const password = `b?(?:(?:Some|\\[\\]byte|[\\w.]{1,40}getbytes)\\()?["'](?!\\w[^"'\\n@]*@[\\w-]+\\.[a-z]+["'])([^"'\\n]{4,100})["']`;
	const form = `(?:${names.replaceAll(" ", "|")})[( ]\\s{0,20}(?:${argument})${others}${password}`;
	return { form: new RegExp(form, "i"), accepts: looksMadeUp };
}

const CALLS: readonly Rule[] = [
	call(
		"crypt pbekeyspec newcookiestore cookieparser scryptsync hashpw password_hash make_password hash hash::make hashsync fernet",
		"{0}",
	),
	call(
		"login create_user createuser sign_in signin authenticate auth basicauth authbasic setbasicauth httpbasicauth httpdigestauth networkcredential passwordauthentication usernamepasswordcredentials withcredentials simple_bind_s wifi\\.begin username_pw_set hash_hmac signwith createcipheriv createhmac hmac\\.new jwt\\.sign jwt\\.verify jwt\\.encode jwt\\.decode",
		"{1,2}?",
	),
	call(
		"pdo create_superuser mysqli mysqli_connect getconnection connect createconnection sequelize plainauth ftp_login imap_open ldap_bind signinwithemailandpassword createuserwithemailandpassword",
		"{2,3}?",
	),
	// btoa("user:password")
	{
		form: /(?:btoa|buffer\.from|b64encode|base64_encode)\(\s?b?["'`][\w.@+-]{1,60}:([^"'`\n]{3,100})["'`]/i,
		accepts: looksMadeUp,
	},
];

/** The value after a user name may be code, such as `[]string{`, instead of a password. */
const isLoginPassword = (value: string): boolean => looksMadeUp(value) && !/[,([\]]/.test(value);

const PROSE: readonly Rule[] = [
	{
		form: /(?:password|passwd|passphrase)(?![\w-])[^\n]{0,40}? from ["'`]?[^\s"'`]{4,80}["'`]? to ["'`]?[^\s"'`]{4,80}/i,
		each: /(?<=(?:from|to) ["'`]?)[^\s"'`]{3,79}[^\s"'`.,;:)]/,
		accepts: looksMadeUp,
	},
	// Log in as bob / …
	{
		form: /(?:log in|login|logged in|sign in|connect as|basic auth|credentials|creds|user\/pass|wifi|wi-fi)(?![\w\]-])[^\n/]{0,40}?[ \t"'`(](?!h1:)[a-z][\w.@+-]{1,40}["'`]?(?: ?\/ ?|:| with | using | and )(?:["'`]([^\s"'`]{6,80})["'`]|(?!:|[^\s"'`]{0,80}=>)([^\s"'`/)<][^\s"'`]{4,78}[^\s"'`.,;:)]))/i,
		accepts: isLoginPassword,
	},
	/(?:seed phrase|seed words|recovery phrase|recovery words|mnemonic)["'`]{0,2}\s{0,3}(?:\([^)\n]{0,40}\)|for [\w -]{1,30})?(?:[:=：]|(?:is|are)(?: now)?:?) {0,3}["'`]?((?:(?!(?:the|and|you|your|for|that|with|must|are|not|all|this|from)[ ,])[a-z]{3,8},? ){11,23}[a-z]{3,8})/i,
	/passphrase["'`]{0,2}\s{0,3}(?:\([^)\n]{0,40}\)|for [\w -]{1,30})?[:=：]\s{0,3}["'`]?((?:[a-z\d]{2,8}[ ,-]{1,2}){2,23}[a-z\d]{2,8})(?=["'`.]?\s*(?:\n|$))/i,
	/(?:recovery|backup|scratch) codes?["'`*]{0,3}\s{0,3}(?:is|are|[:=：])[\s"'[*-]{0,8}(?=[a-z\s,"'-]{0,60}\d)((?:(?:(?=[a-z-]{0,40}\d)[a-z\d]{4,10}(?:-[a-z\d]{4,10}){0,4}|[a-z\d]{4,6}-[a-z\d]{4,6}(?![\w-]))[\s,"']{0,4}){1,20})/i,
	/(?:2fa|verification|security|unlock|access|login|pin|one-time) (?:code|password)["'`*]{0,3}(?: is|[:=：])?["'`*]{0,3}\s{1,3}(\d{4,8}|\d{3}[ -]\d{3})(?![\w-])/i,
];

const FILES: readonly Rule[] = [
	// These commands print a secret.
	{
		form: /(?:base64 -d|base64 --decode|get-secret-value|pass show|op read|openssl rand|wg genkey|print-access-token|gh auth token|kubectl create token|find-generic-password|kv get -field|output -raw|pwgen|gopass|vault-token|sops -d|gpg -d|ansible-vault view|\/dev\/urandom)(?![\w-])[^\n]{0,300}\n\s{0,9}["']?(?!```)([^\s"']{6,400})["']?[ \t]*(?:\r?\n|$)/i,
		accepts: looksMadeUp,
	},
	// The private members of a JSON Web Key are defined in RFC 7518, section 6.3.2.
	{ form: /"kty"[^{}]{0,4000}/, each: /"(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3}"([\w-]{16,})"/ },
	// .pgpass
	/(?::5432:|:6432:|:5433:|:3306:|\*:\*:)(?<=(?:^|[\s"']|:\d{1,6}:)[\w.*-]{1,80}:(?:\*|\d+):)[^:\s]{1,60}:[^:\s]{1,60}:((?:[^\s\\]|\\.){2,100}?)(?=["')]{0,2}(?:\s|$))/,
	// passwords: { bob: "…" }
	{
		form: /(?:passwords|secrets|credentials|apikeys|api_keys|basic_auth_users|github-oauth|gitlab-token|bearer)["']?\s{0,3}[:=]\s{0,5}\{?(?:\s{0,20}(?:- )?["']?[\w.@-]{1,40}["']?[ \t]{0,2}:(?:[ \t]{1,3}|(?=["']))["']?[^\s"',{}]{4,100}["']?,?){1,40}/i,
		each: /:(?:[ \t]{1,3}|(?=["']))["']?([^\s"',{}]{4,100})/,
		accepts: isLoginPassword,
	},
	// Kubernetes secrets are recognized even if the field `kind` is missing.
	{ form: /stringdata["']?\s?:\s?\{[^{}]{1,2000}/i, each: /:\s?"((?:\\.|[^"\\\n])+)/ },
	/keyname["']\s?:\s?["'][^{}]{0,300}["']value["']\s?:\s?["']([\w+/=-]{20,})/i,
	/vault\.azure\.net\/secrets\/[^{}]{0,600}["']value["']\s?:\s?"((?:\\.|[^"\\\n]){2,2000})"/i,
	// Terraform
	/random_password["'][\s\S]{0,1000}?[\s"']result["']?\s{0,20}[=:]\s{0,5}"([^"\n]{1,200})"/i,
	// The format of PuTTY's private keys is described in the PuTTY manual, appendix C.
	/private-lines:\s{0,3}\d{1,4}\s{1,3}((?:[A-Za-z0-9+/=]{4,80}\s{1,3})*[A-Za-z0-9+/=]{4,80}(?![\w+/=-]))/i,
	/private-(?:mac|hash):\s{0,3}([0-9a-f]{16,})/i,
	// expect scripts
	/expect[\s(][^\n;]{0,60}(?:assword|passphrase|passwd)[^\n;]{0,20}[;{\n\s]{1,20}(?:\w{1,30}\.)?send(?:line)?[ (](?:-- )?["']([^"'\n]{2,80}?)(?:\\[rn])*["']/i,
	// Redis and IMAP
	{
		form: /(?:AUTH |LOGIN | on >)(?<=(?:^[ \t]*|> )AUTH |^\w{1,6} LOGIN | on >)(?:[\w@.-]{1,40} (?=\S+["'`]?$))?(?![A-Z]+-(?:MD5|SHA)|XOAUTH)([^\s"'`=]{4,100})(?=["'`]?(?:\s|$))/m,
		accepts: looksMadeUp,
	},
	// OpenVPN
	/<auth-user-pass>\s{1,5}[^\n<]{1,100}\n\s{0,5}([^\n<]{2,100}?)\s{1,5}</i,
	// IPsec and SNMP
	/: (?:PSK|EAP|XAUTH) ["']?([^"'\n]{2,100})/i,
	/(?:snmp-server community|rocommunity|rwcommunity) (\S{2,100})/i,
	/(?:bindpw|rootpw|wpa-psk|wep-key)(?<=^\s*[\w-]+) {1,5}(?:--\w+ )?(?:["']([^"'\n]{1,100})|([^\s"'{<]\S{1,100})[ \t]*$)/im,
	// Matches user names with passwords in configuration files of HAProxy, monit, Traefik, Squid and curl.
	{
		form: /(?:stats auth |allow |users=|user=|user = |users: |user: |login=|login = |basicauth: |basic_auth: |bundle_)(?:(?<!_)|[A-Z\d_]{1,100}:)\s{0,3}["']?[\w.-]{1,60}(?:@[\w-]{1,40}\.[\w.]{2,20})?:(?!:|\d{1,5},)([^\s"'`]{4,100})/i,
		accepts: looksMadeUp,
	},
	// cloud-init
	{
		form: /chpasswd:\s{1,20}(?:expire: \w{4,5}\s{1,20})?list: [|>]-?\r?\n(?:[ \t]{1,20}[\w-]{1,40}:\S{1,100}\r?\n?){1,20}/,
		each: /(?<=^[ \t]+[\w-]+:)\S{2,100}/m,
	},
	// A table that Vault prints
	{
		form: /key {2,42}value\s{1,5}-{3,} {1,40}-{3,}[\s\S]{0,2000}/i,
		each: /(?<=^[\w.-]{1,60} {2,60})(?!\d{4}-)\S{4,400}(?=[ \t]*$)/m,
		accepts: looksMadeUp,
	},
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
	// The beginning of a private key is missing if the text was cut.
	new RegExp(`-----END (?<=(?<lead>[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=\\s"',>|\\\\]*)-----END )${LABEL}-----`),
];

export const FORM_RULES: readonly Rule[] = [
	...PRIVATE_KEYS,
	...HEADERS,
	...ADDRESSES,
	...CALLS,
	...PROSE,
	...FILES,
];

const KIND = /kind["']?:[ \t]{0,3}["']?Secret(?![\w-])/y;
/** A YAML file may contain several objects, as separate documents or as items of a list. */
const OBJECT =
	/^---|^[ \t]*- +(?=(?:apiVersion|data|kind|metadata|stringData):)|\{(?=\s*"(?:apiVersion|kind)"\s?:)/gm;
const DATA =
	/^([ \t]*)["']?(?:data|stringData)["']?:[ \t]*\{?[ \t]*(?:#.*)?\r?\n((?:\1[ \t].*\n?|[ \t]*\r?\n)*)|"(?:data|stringData)"\s?:\s?\{([^{}]*)/gm;
/** Matches a line with a secret. Comments, and keys without a value, do not match. */
const VALUE =
	/^[ \t]*(?!["']?[\w.-]+["']?:[ \t]*(?:[|>][+-]?\d?|\{.*|"\{\{.*\}\}")?\s*$)(?:["']?[\w.-]+["']?:[ \t]+)?["']?([^{}#\s].*?)["']?,?\r?$/dgm;
const JSON_VALUE = /:\s?"([^"]+)/dg;
const BOUND = 128 * 1024;

/** Redacts all values under `data` and `stringData` in a Kubernetes object whose kind is `Secret`. */
export const readManifest: Reader = (scan, at) => {
	scan.isPromising = true;
	if (at < scan.reachedBy(readManifest) || endOf(KIND, scan.text, at) === undefined) return;
	const from = Math.max(scan.reachedBy(readManifest), at - BOUND);
	const text = scan.text.slice(from, at + BOUND);
	const starts = [...text.matchAll(OBJECT)].map(({ index }) => index);
	const start = starts.findLast((one) => one <= at - from) ?? 0;
	const end = starts.find((one) => one > at - from) ?? text.length;
	scan.reach(readManifest, from + end);
	// In a YAML list item, the hyphen is replaced by spaces, so that all keys of the item are aligned.
	const object = text.slice(start, end).replace(/^[ \t]*- +(?=\w+:)/gm, (item) => " ".repeat(item.length));
	for (const { 0: all, 2: lines, 3: inline = "", index } of object.matchAll(DATA)) {
		const values = (lines ?? inline).matchAll(lines === undefined ? JSON_VALUE : VALUE);
		const first = from + start + index + all.length - (lines ?? inline).length;
		for (const { indices } of values) {
			const [valueStart = 0, valueEnd = 0] = indices?.[1] ?? [];
			scan.hide(first + valueStart, first + valueEnd);
		}
	}
};
