import { REDACTED, redactAssignments } from "./redact-assignments.ts";
import { TOKEN_PATTERNS } from "./redact-patterns.ts";
import { redactPem } from "./redact-pem.ts";
import { isCredential } from "./secret-value.ts";

/** A token starts a word, or follows an escape (`\n`) or percent encoding (`%3D`) that ends in a letter or digit. */
const START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))";
/** What is glued to a token goes with it: cut off, it could start a token of its own. */
const TOKEN = new RegExp(
	`${START}(?:${TOKEN_PATTERNS.map(({ shape }) => shape).join("|")})[A-Za-z0-9_-]*`,
	"g",
);

/** `scheme://user:password@host` (RFC 3986, 3.2.1), and a long user part alone, which is a token. */
const USERINFO =
	/(?<=[a-z][a-z0-9+.-]{0,30}:\/\/)(?![<$[{%])(?:[^\s/?#"'<>`:@]*:(?!\$\{|<|\{\{)[^\s/?#"'<>`]*|[A-Za-z0-9_.~-]{20,})@/gi;

/** RFC 9110, 11.6.2: header fields with a scheme and credentials, or some service's bare key. */
const AUTHORIZATION =
	/((?:proxy-)?authorization["'\\]{0,4}\s{0,5}[:=]\s{0,5}["'\\]{0,4})((?:[a-z][\w-]{2,20} {1,3})?)([^\s"'`,\\<>]+)/gi;
const BEARER = /\b(bearer\s{1,3})([\w.~+/=-]{6,})/gi;
/** RFC 7617: base64 of `user:password`. */
const BASIC = /\b(basic\s{1,3})([A-Za-z0-9+/]{4,}={0,2})/gi;
/** RFC 6265: the pairs of a `Cookie` or `Set-Cookie` field. */
const COOKIE =
	/(\bcookie["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{0,4})([\w.-]+=[^\s;"'\\]+(?:;\s?[\w.-]+(?:=[^\s;"'\\]*)?)*)/gi;
/** `curl -u user:password`; gitleaks curl-auth-user. */
const CURL_USER = /(\s(?:-u|--user|--proxy-user)[ =]["']?[^\s:"'/$<{]{1,100}:)(?![$<{[])([^\s"']+)/g;
/** `login name password value` of a .netrc file. */
const NETRC = /(\blogin\s{1,5}\S{1,100}\s{1,5}password\s{1,5})(?!\[)(\S+)/g;
/** Parameters of a query or form body that carry credentials by their name. */
const PARAMETER =
	/([?&](?:amp;)?(?:[\w.-]{0,40}(?:token|secret|password|passwd|api_?key|access_?key|signature|credential)|sig|auth|jwt|pwd|sid|code_verifier)=|[?&]key=(?=[\w-]{0,40}\d)(?=[\w-]{16}))([^\s&#"'`<>[\]]+)/gi;

function isBasicCredential(value: string): boolean {
	return (
		value.length % 4 === 0 &&
		/^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"))
	);
}

function redactHeaders(text: string): string {
	return text
		.replace(AUTHORIZATION, (all, field: string, scheme: string, value: string) => {
			const secret = /^basic\b/i.test(scheme) ? isBasicCredential(value) : isCredential(value);
			return secret ? field + scheme + REDACTED : all;
		})
		.replace(BEARER, (all, scheme: string, value: string) => (isCredential(value) ? scheme + REDACTED : all))
		.replace(BASIC, (all, scheme: string, value: string) =>
			isBasicCredential(value) ? scheme + REDACTED : all,
		)
		.replace(COOKIE, `$1${REDACTED}`);
}

function redactOnce(text: string): string {
	const withoutTokens = redactPem(text, REDACTED).replace(TOKEN, REDACTED).replace(USERINFO, `${REDACTED}@`);
	const withoutFields = redactHeaders(withoutTokens)
		.replace(CURL_USER, `$1${REDACTED}`)
		.replace(NETRC, `$1${REDACTED}`)
		.replace(PARAMETER, `$1${REDACTED}`);
	return redactAssignments(withoutFields).replace(/(?:\[redacted\]){2,}/g, REDACTED);
}

/**
 * Text without the secrets that can be told from text: keys of known shape, private keys, credentials in URLs,
 * headers and commands, and values after the name of a secret. Each becomes `[redacted]`. Synchronous, linear and
 * idempotent; what stands alone and looks like a hash or an id (commits, UUIDs) stays.
 */
export function redact(text: string): string {
	let before = text;
	let after = redactOnce(before);
	// What is hidden changes what its neighbours look like; glued-together secrets may take another look or two.
	for (let look = 0; look < 3 && after !== before; look++) {
		before = after;
		after = redactOnce(before);
	}
	return after;
}
