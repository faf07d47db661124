import { lineEnd, matchAt, type Reader } from "./scan.ts";
import { isPlaceholder } from "./value.ts";

/** A line of some program's configuration or protocol that holds a secret at a fixed place. */
interface LineFormat {
	/** What the look begins at, parted by `|`. */
	anchors: string;
	/** Source of the pattern from the anchor on; the secret is its last group. Bounded. */
	pattern: string;
	/** Where the format is documented. */
	source: string;
}

const FORMATS: readonly LineFormat[] = [
	{
		anchors: "rocommunity |rwcommunity |rocommunity6 |rwcommunity6 ",
		pattern: "r[ow]community6? {1,5}(\\S{2,100})",
		source: "man snmpd.conf",
	},
	{
		anchors: "snmp-server community ",
		pattern: "snmp-server community (\\S{2,100})",
		source: "Cisco IOS, SNMP commands",
	},
	{
		anchors: "com2sec ",
		pattern: "com2sec {1,5}\\S{1,60} {1,5}\\S{1,60} {1,5}(\\S{2,100})",
		source: "man snmpd.conf",
	},
	{
		anchors: "createuser ",
		pattern: "createuser \\w{1,60} (?:sha|md5)\\S{0,6} [\"']?([^\\s\"']{6,100})",
		source: "man snmpd.conf",
	},
	{
		anchors: "acl setuser ",
		pattern: "acl setuser \\S{1,100} (?:[^\\n>]{0,200} )?[>#]([^\\s\"']{2,200})",
		source: "redis.io, ACL SETUSER",
	},
	{
		anchors: "auth ",
		pattern:
			"auth (?:\\w{1,40} )?((?=\\S*\\d)(?=\\S*[a-z])[^\\s\"'`(){}=:,;/]{6,200})(?=\\r?\\n(?:OK|\\+OK)|\\r?\\n?$)",
		source: "redis.io, AUTH",
	},
	{
		anchors: "d-i |debconf ",
		pattern:
			"(?:d-i|debconf)[^\\n]{1,60}?/[\\w-]{0,30}(?:password|passphrase)(?:-again|-crypted|2)? {1,5}password {1,5}([^\\n]{2,100})",
		source: "Debian installation guide, preseed",
	},
	{
		anchors: "pwd={|password={",
		pattern: "(?:pwd|password)=\\{((?:[^}\\n]|\\}\\}){2,100})\\}",
		source: "learn.microsoft.com, ODBC connection strings",
	},
	{
		anchors: "_key',|_salt',|_key\",|_salt\",",
		pattern: "_(?:key|salt)[\"'],\\s{0,10}(?:'([^'\\n]{8,200})'|\"([^\"\\n]{8,200})\")",
		source: "developer.wordpress.org, wp-config.php",
	},
	{
		anchors: "<auth-user-pass>",
		pattern: "<auth-user-pass>\\s{1,5}[^\\n<]{1,100}\\n\\s{0,5}([^\\n<]{2,100}?)\\s{1,5}<",
		source: "man openvpn",
	},
	{
		anchors: "ppp ",
		pattern: "ppp (?:chap|pap) (?:sent-username \\S{1,60} )?password (?:[057] )?(\\S{2,100})",
		source: "Cisco IOS",
	},
	{
		anchors:
			"enable secret |enable password |key-string |tacacs-server key |radius-server key |pre-shared-key ",
		pattern:
			"(?:(?:enable (?:secret|password)|key-string|(?:tacacs|radius)-server key|pre-shared-key)(?: \\d| address \\S{1,60}(?: key)?| local| remote)?) ([^\\s\"';]{2,100})",
		source: "Cisco IOS, security commands",
	},
	{
		anchors: "username ",
		pattern: "username \\S{1,60} (?:privilege \\d{1,2} )?(?:password|secret) (?:\\d )?(\\S{2,100})",
		source: "Cisco IOS",
	},
	{
		anchors: " : PSK | : EAP | : XAUTH |: PSK |: EAP |: XAUTH ",
		pattern: " ?: (?:PSK|EAP|XAUTH) [\"']?([^\"'\\n]{2,100})",
		source: "man ipsec.secrets",
	},
	{
		anchors: "wpa-psk |wep-key |wep_key0=|authkey ",
		pattern: "(?:wpa-psk |wep-key |wep_key0=|authkey )[\"']?([^\"'\\n]{5,100})",
		source: "man interfaces",
	},
	{
		anchors: "bindpw |rootpw ",
		pattern: "(?:bindpw|rootpw) {1,5}([^\\s\"'{<][^\\n]{1,100})",
		source: "man ldap.conf, man slapd.conf",
	},
	{
		anchors: "oper ",
		pattern: "oper \\w{2,30} ((?=\\S*\\d)[^\\s\"']{5,60})(?=\\r?\\n|$)",
		source: "RFC 2812, OPER",
	},
	{
		anchors: "identify |privmsg nickserv",
		pattern:
			"(?:privmsg nickserv :?)?identify (?:\\w{2,30} )?((?=\\S*\\d)[^\\s\"'`,.;:]{5,60})(?=\\r?\\n|$|[\"'`])",
		source: "libera.chat, registration",
	},
	{
		anchors: "$pass$|pass ",
		pattern:
			"pass (?=\\S*[\\d!@#$%^&*])(?=\\S*\\p{L})([^\\s\"'`(){}=:,;/]{4,100})(?=\\r?\\n(?:230|\\+OK|[2-5]\\d\\d )|\\r?\\n?$)",
		source: "RFC 959 and RFC 1939, PASS",
	},
	{
		anchors: "rpcpassword=|rpcauth=|minrpcpass=",
		pattern: "(?:rpcpassword|rpcauth|minrpcpass)=(\\S{2,200})",
		source: "bitcoin.conf",
	},
	{
		anchors: "otpauth://",
		pattern: "otpauth://[^\\s\"'?]{1,200}\\?(?:[^\\s\"'&]{0,100}&){0,5}secret=([A-Za-z2-7=]{8,200})",
		source: "github.com/google/google-authenticator, key URI format",
	},
	{
		anchors: "WIFI:",
		pattern: "wifi:(?:[TSH]:[^;\\n]{0,60};){0,3}P:((?:\\\\.|[^;\\\\\\n]){1,100});",
		source: "github.com/zxing/zxing, barcode contents",
	},
	{
		anchors: "setup key",
		pattern:
			"setup key[\"'*` ]{0,4}(?: is|[:=：])? {0,3}((?:[A-Z2-7a-z]{4}[ -]?){3,15}[A-Z2-7a-z]{0,4})(?![\\w])",
		source: "RFC 4648, base32; TOTP",
	},
	{
		anchors: "]:587 |]:465 |]:25 ",
		pattern: "\\]:\\d{2,3} {1,5}[^\\s:]{1,80}:(\\S{2,100})",
		source: "postfix.org, SASL password maps",
	},
	{
		anchors: "recovery key|unlock key|activation code|license key|product key|serial number",
		pattern:
			"[a-z]{6,10} (?:key|code|number)[\"'*` ]{0,4}(?: is|[:=：])?[\"'`* ]{0,3}((?:[A-Z\\d]{4,6}-){3,7}[A-Z\\d]{4,6})",
		source: "learn.microsoft.com, BitLocker recovery key",
	},
	{
		anchors: "AC",
		pattern: "AC[0-9a-f]{32}[\"'`]?\\s{0,3}(?:[/:,|]|and|[\"'])?\\s{0,3}[\"'`]?([0-9a-f]{32})(?![0-9a-f])",
		source: "twilio.com/docs, auth token; trufflehog twilio",
	},
];

function readerFor({ pattern }: LineFormat, kind: string): Reader {
	const isExact = pattern.startsWith("AC[");
	const expression = new RegExp(pattern, isExact ? "y" : "iuy");
	return (scan, at) => {
		if (!scan.isFresh(kind, at) || (/[\w-]/.test(scan.text.charAt(at - 1)) && !/^(?:_| |\\)/.test(pattern)))
			return;
		const match = matchAt(expression, scan.text, at);
		const value = match?.slice(1).findLast((group) => group !== undefined);
		if (!match || value === undefined) {
			scan.reach(kind, at + 1);
			return;
		}
		const whole = match[0].lastIndexOf(value);
		scan.reach(kind, at + match[0].length);
		if (!isPlaceholder(value)) scan.hide(at + whole, at + whole + value.length);
	};
}

export const LINE_READERS: readonly [read: Reader, literals: readonly string[]][] = FORMATS.map(
	(format, index): [Reader, string[]] => [readerFor(format, `line ${index}`), format.anchors.split("|")],
);

/** A line of `.pgpass`: `host:port:database:user:password`, where each but the last may be `*`. */
const PGPASS = /(?:\*|[\w.-]{1,100}):(?:\d{2,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:([^\s:]{2,100})(?=\s|$)/y;

export const readPgpassStars: Reader = (scan, at) => {
	if (!scan.isFresh("pgpass", at)) return;
	const start = Math.max(0, at);
	const line = scan.text.slice(start, lineEnd(scan.text, start, 300));
	PGPASS.lastIndex = 0;
	const match = PGPASS.exec(line);
	const value = match?.[1];
	scan.reach("pgpass", start + (match?.[0].length ?? 1));
	if (match && value !== undefined)
		scan.hide(start + match[0].length - value.length, start + match[0].length);
};
