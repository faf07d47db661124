import { looksLikePassword, looksRandom } from "./classify.ts";
import type { Rule } from "./scan.ts";

/** Finds secrets by their position in headers, URLs, calls and configuration files. */

/** Minimum length at which truncated base64 can be distinguished from a word. */
const LEAST_CUT = 12;

/** Whether a value is the base64 encoding of a user name and a password (RFC 7617), or the beginning of such an encoding. */
function isBasicCredential(value: string): boolean {
	return (
		(value.length % 4 === 0 || value.length >= LEAST_CUT) &&
		/^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 400), "base64").toString("latin1"))
	);
}

function isCredential(value: string): boolean {
	if (value.length < 6 || /^(?:realm|error|scope)=/.test(value)) return false;
	return /\d|[=+/]/.test(value) || (value.length >= 20 && !value.includes("."));
}

const HEADERS: readonly Rule[] = [
	// RFC 9110, 11.6.2
	{
		anchors: ["authorization"],
		form: /authorization["'\\]{0,4}\s{0,5}[:=：]\s{0,5}["'`\\]{0,4}basic {1,3}([^\s"'`,\\<>]+)/i,
		accepts: isBasicCredential,
	},
	{
		anchors: ["authorization"],
		form: /authorization["'\\]{0,4}\s{0,5}[:=：]\s{0,5}["'`\\]{0,4}(?!basic )(?:[a-z][\w-]{2,20} {1,3})?([^\s"'`,\\<>]+)/i,
		accepts: isCredential,
	},
	{
		anchors: ["bearer"],
		form: /bearer\s{1,3}(?:["'`]\s{0,2}[+.]\s{0,2}["'`])?([\w.~+/=-]{6,})/i,
		accepts: isCredential,
	},
	{ anchors: ["basic "], form: /basic\s{1,3}([A-Za-z0-9+/]{4,}={0,2})/i, accepts: isBasicCredential },
	// RFC 6265
	{
		anchors: ["cookie"],
		form: /cookie["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{0,4}([\w.-]+=[^\s;"'\\]+(?:;\s?[\w.-]+(?:=[^\s;"'\\]*)?)*)/i,
	},
	// Matches credentials in the configuration files of Docker and npm.
	{
		anchors: ['auth"', 'auth\\"', "auth=", "auth:", "auth ="],
		form: /auth["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4}([A-Za-z0-9+/]{4,}={0,2})(?![\w+/])/i,
		accepts: isBasicCredential,
	},
	// Matches auth: "user:password" and auth=("user", "password")
	{
		anchors: ["auth=", "auth:", "auth ="],
		form: /auth["'\\]{0,4}\s{0,3}[:=]\s{0,3}\(?["'][\w.@-]{1,60}(?::|["'],\s?["'])([^"'\n]{2,100})["']/i,
	},
];

const ADDRESSES: readonly Rule[] = [
	// Matches a password in a URL (RFC 3986, 3.2.1), even if it contains an unescaped "/", "#" or "@". A port is not a password.
	{
		anchors: ["://"],
		form: /(?<=[a-z][a-z0-9+.-]{0,30}):\/\/(?![<$[{%])[^\s/?#"'<>`:@\\]{0,100}:(?!\$\{|<|\{\{|%[sd]|\d{1,5}[/@?#])([^\s/?#@"'<>`\\]{1,200})@(?=[\w.-]+(?::\d{1,5})?[/?#])/i,
	},
	{
		anchors: ["://"],
		form: /(?<=[a-z][a-z0-9+.-]{0,30}):\/\/(?![<$[{%])[^\s/?#"'<>`:@\\]{0,100}:(?!\$\{|<|\{\{|%[sd]|\d{1,5}[/@?#])([^\s"'<>`\\]{1,200})@(?=[\w.[-])/i,
	},
	// Matches a long user name in a URL without a password. Such a user name is a token.
	{
		anchors: ["://"],
		form: /(?<=[a-z][a-z0-9+.-]{0,30}):\/\/(?![<$[{%])(?=[^\s@/]{0,200}\d)([\w.~-]{20,200}):?@/i,
	},
	// Matches URL parameters with short names that contain credentials. Parameters with longer names are found by the general search for
	// names of secrets.
	{
		anchors: ["sig", "sid", "auth", "jwt", "pwd"].flatMap((name) => [`?${name}=`, `&${name}=`]),
		form: /[?&]\w+=([^\s&#"'`<>[\]]+)/,
	},
	{
		anchors:
			"key appid app_id app_key appkey apikey access_key auth_key signature hapikey k code s sign subscription-key"
				.split(" ")
				.flatMap((name) => [`?${name}=`, `&${name}=`]),
		form: /[?&][\w-]+=(?=[\w%-]{0,40}\d)(?=[\w%-]{16})([^\s&#"'`<>[\]]+)/,
	},
	// Oracle
	{
		anchors: ["thin:", "sqlplus ", "impdp ", "expdp ", "sqlldr "],
		form: /(?:thin:|[a-z]{5,7}(?: -\w+){0,3} )["']?\w{1,30}\/("[^"\n]+"|[^\s@"'/<$]+)@/i,
	},
	{
		anchors: ["otpauth://"],
		form: /otpauth:\/\/[^\s"'?]{1,200}\?(?:[^\s"'&]{0,100}&){0,5}secret=([A-Za-z2-7=]{8,200})/i,
	},
	// QR codes of networks
	{ anchors: ["wifi:"], form: /wifi:(?:[TSH]:[^;\n]{0,60};){0,3}P:((?:\\.|[^;\\\n]){1,100});/i },
];

const CALLS: readonly Rule[] = [
	// Matches the string literals after the first argument of a call that signs in or connects, as in new PDO(dsn, "user", "password")
	{
		anchors:
			"pdo( httpbasicauth pscredential mysqli connect getconnection login( log_in( sign_in( signin( signinwith signup( authenticate( ldap_bind simple_bind imap_open ftp_login create_user createuser add_user adduser register( basicauth basic_auth networkcredential passwordauthentication usernamepassword wifi.begin credentials(".split(
				" ",
			),
		form: /[\w.]{2,30}\s?\((?:[^()"'\n]|["'][^"'\n]{0,100}["']){1,300}/i,
		each: /,\s{0,20}["']([^"'\n]{3,100})["']/,
		accepts: looksLikePassword,
	},
	{
		anchors: ["login("],
		form: /login\(\s{0,5}["']([\w.-]{20,})["']/i,
		accepts: (value) => looksRandom(value, 20),
	},
	// Matches jwt.sign(payload, "key") and createHmac("sha256", "key")
	{
		anchors: ["jwt.", "createhmac(", "hmac.new("],
		form: /(?:jwt\.\w{4,8}|createhmac|hmac\.new)\([^,()\n]{1,60},\s{0,5}b?["']([^"'\n]{3,200})["']/i,
		accepts: (value) => looksLikePassword(value) || looksRandom(value, 16),
	},
];

const FILES: readonly Rule[] = [
	// Matches PuTTY's private keys (PuTTY manual, appendix C).
	{
		anchors: ["private-lines:"],
		form: /private-lines:\s{0,3}\d{1,4}\s{1,3}((?:[A-Za-z0-9+/=]{4,80}\s{1,3})*[A-Za-z0-9+/=]{4,80}(?![\w+/=-]))/i,
	},
	{ anchors: ["private-mac:", "private-hash:"], form: /private-(?:mac|hash):\s{0,3}([0-9a-f]{16,})/i },
	// Matches all values of a Kubernetes Secret.
	{
		anchors: ["kind: secret", 'kind": "secret'],
		form: /kind["']?:\s{0,3}["']?secret["']?(?=\s)[^\0]{0,600}?\n[ \t]{0,20}(?:data|stringData):[ \t]{0,5}\n(?:[ \t]{1,20}["']?[\w.-]{1,100}["']?:[ \t]{1,5}[^\n]{0,4000}\n?)+/i,
		each: /\n[ \t]{1,20}["']?[\w.-]{1,100}["']?:[ \t]{1,5}["']?(?!Secret|v1\b|[|>][+-]?\s)([^\s"'{#][^\n"']*)/g,
	},
	// Matches the private members of a JSON Web Key (RFC 7518, 6.3.2).
	{
		anchors: ['"kty"'],
		form: /"kty"[^{}]{0,4000}/,
		each: /"(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3}"([\w-]{16,})"/,
	},
	// .pgpass
	{
		anchors: [":5432:", ":6432:", ":5433:", ":3306:", "*:*:"],
		form: /(?::\d{4,5}|\*:\*|:\*):[^:\s]{1,60}:[^:\s]{1,60}:([^\s:*'")]{2,100})(?=\s|$)/,
	},
	// Matches the secret of an AWS key, which follows its id.
	{
		anchors: ["akia", "asia"],
		form: /A[KS]IA[A-Z0-9]{16}[\s\S]{0,240}/i,
		each: /(?<![\w/+])(?:A[KS]IA[A-Z0-9]{16}|(?=[A-Za-z/+]{0,39}\d)(?=[a-z\d/+]{0,39}[A-Z])[A-Za-z\d/+]{40})(?![\w/+])/,
	},
	// Matches the words of a wallet's recovery phrase (BIP 39), recovery codes for two-factor authentication, and passphrases of several
	// words.
	{
		anchors: ["mnemonic", "seed phrase", "seed words", "recovery phrase", "passphrase"],
		form: /(?:mnemonic|(?:seed|recovery)[ _-](?:phrase|words)|passphrase)["'`]{0,2}\s{0,3}(?:\([^)\n]{0,40}\)|for [\w -]{1,30})?[:=：]\s{0,3}["'`]?((?:[a-z\d]{2,8}[ ,-]{1,2}){2,23}[a-z\d]{2,8})(?=["'`.]?\s*(?:\n|$))/i,
	},
	{
		anchors: ["recovery code", "backup code", "scratch code"],
		form: /\w{6,8}[ _-]codes?["'`*]{0,3}\s{0,3}(?:is|are|[:=：])[\s"'[*-]{0,8}((?:(?=[a-z-]{0,40}\d)[a-z\d]{4,10}(?:-[a-z\d]{4,10}){0,4}[\s,"']{1,4}){0,20}(?=[a-z-]{0,40}\d)[a-z\d]{4,10}(?:-[a-z\d]{4,10}){0,4})/i,
	},
	{
		anchors: [
			"2fa code",
			"verification code",
			"security code",
			"unlock code",
			"access code",
			"login code",
			"pin code",
			"one-time ",
		],
		form: /[\w-]+ (?:code|password)["'`*]{0,3}(?: is|[:=：])?["'`*]{0,3}\s{1,3}(\d{4,8}|\d{3}[ -]\d{3})(?![\w-])/i,
	},
	// Terraform
	{
		anchors: ['variable "'],
		form: /variable "\w{0,40}(?:password|secret|token|key)\w{0,20}" \{[^{}]{0,300}?\bdefault\s{0,10}= "([^"\n]{3,200})"/i,
	},
	// ODBC
	{ anchors: ["pwd={", "password={"], form: /\w{3,8}=\{((?:[^}\n]|\}\}){2,100})\}/i },
	{
		anchors: ["<auth-user-pass>"],
		form: /<auth-user-pass>\s{1,5}[^\n<]{1,100}\n\s{0,5}([^\n<]{2,100}?)\s{1,5}</i,
	},
	// Cisco IOS
	{
		anchors: [
			"enable secret ",
			"enable password ",
			"key-string ",
			"tacacs-server key ",
			"radius-server key ",
			"pre-shared-key ",
		],
		form: /(?:enable (?:secret|password)|key-string|\w{6}-server key|pre-shared-key)(?: \d| address \S{1,60}(?: key)?| local| remote)? ([^\s"';]{2,100})/i,
	},
	{
		anchors: ["username "],
		form: /username \S{1,60} (?:privilege \d{1,2} )?(?:password|secret) (?:\d )?(\S{2,100})/i,
		accepts: (value) => /[\dA-Z]/.test(value),
	},
	{
		anchors: ["snmp-server community ", "rocommunity ", "rwcommunity "],
		form: /[\w-]+ (?:community )?(\S{2,100})/i,
	},
	// Matches secrets in the configuration files `ipsec.secrets`, `ldap.conf` and `interfaces`.
	{ anchors: [": psk ", ": eap ", ": xauth "], form: /: (?:PSK|EAP|XAUTH) ["']?([^"'\n]{2,100})/i },
	{
		anchors: ["bindpw ", "rootpw ", "wpa-psk ", "wep-key "],
		form: /[\w-]+ {1,5}["']?([^\s"'{<][^"'\n]{1,100})/i,
	},
	{ anchors: ["rpcpassword=", "rpcauth="], form: /\w+=(\S{2,200})/ },
	// Debian's preseed files
	{
		anchors: ["d-i ", "debconf "],
		form: /\S+[^\n]{1,60}?\/[\w-]{0,30}(?:password|passphrase)(?:-again|-crypted)? {1,5}password {1,5}([^\n]{2,100})/i,
	},
	// SASL maps of postfix
	{ anchors: ["]:587 ", "]:465 ", "]:25 "], form: /\]:\d{2,3} {1,5}[^\s:]{1,80}:(\S{2,100})/ },
];

/** Matches the label of a private key in PEM or PGP format (RFC 7468, RFC 9580). The key may be truncated. */
const LABEL = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?";
const URL_LABEL = "(?:(?:%20|\\+)[A-Z0-9]{1,20}){0,3}(?:%20|\\+)PRIVATE(?:%20|\\+)KEY(?:(?:%20|\\+)BLOCK)?";
const HEADER_FIELD = "(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\n\\\\]*";
const PRIVATE_KEYS: readonly Rule[] = [
	// In a URL
	{
		anchors: ["-----BEGIN%20", "-----BEGIN+"],
		exact: true,
		form: new RegExp(
			`-----BEGIN${URL_LABEL}-----(?:[A-Za-z0-9+/=\\s]|%(?:0[AD]|2[0BF]|3D))*(?:-----END${URL_LABEL}(?:-----)?)?`,
			"i",
		),
	},
	{
		anchors: ["-----BEGIN "],
		exact: true,
		form: new RegExp(`-----BEGIN ${LABEL}-----(?:[^-]|-(?!----(?:BEGIN|END) ))*-----END ${LABEL}(?:-----)?`),
	},
	{
		anchors: ["-----BEGIN "],
		exact: true,
		form: new RegExp(
			`-----BEGIN ${LABEL}-----(?:(?:\\\\[nr]|[\\s"',>|])*(?:${HEADER_FIELD}|[A-Za-z0-9+/=]{16,}))*(?:(?:\\\\n|\\n)[A-Za-z0-9+/=]{1,15}(?![^\\s\\\\]))?`,
		),
	},
];

export const FORM_RULES: readonly Rule[] = [...PRIVATE_KEYS, ...HEADERS, ...ADDRESSES, ...CALLS, ...FILES];
