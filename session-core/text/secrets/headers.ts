import { matchAt, type Reader } from "./scan.ts";
import { isCredential, isPlaceholder } from "./value.ts";

/** RFC 9110, 11.6.2: header fields with a scheme and credentials, or some service's bare key. */
const AUTHORIZATION =
	/authorization["'\\]{0,4}\s{0,5}[:=：]\s{0,5}["'\\]{0,4}(?<scheme>(?:[a-z][\w-]{2,20} {1,3})?)(?<value>[^\s"'`,\\<>]+)/iy;
const BEARER = /bearer\s{1,3}(?:["'`]\s{0,2}[+.]\s{0,2}["'`])?(?<value>[\w.~+/=-]{6,})/iy;
/** RFC 7617: base64 of `user:password`. */
const BASIC = /basic\s{1,3}(?<value>[A-Za-z0-9+/]{4,}={0,2})/iy;
/** RFC 6265: the pairs of a `Cookie` or `Set-Cookie` field. */
const COOKIE =
	/cookie["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{0,4}(?<value>[\w.-]+=[^\s;"'\\]+(?:;\s?[\w.-]+(?:=[^\s;"'\\]*)?)*)/iy;
/** The same in a base64 field of a configuration file: docker's `"auth"`, npm's `_auth`. */
const AUTH_FIELD =
	/_?auth(?:Key)?["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4}(?<value>[A-Za-z0-9+/]{4,}={0,2})(?![\w+/])/iy;
/** `auth: "user:password"` */
const AUTH_PAIR =
	/_?auth["'\\]{0,4}\s{0,3}[:=]\s{0,3}\(?["'](?<user>[\w.@-]{1,60})(?::|["'],\s?["'])(?<value>[^"'\n]{2,100})["']/iy;

/** Characters from which base64 that was cut off, as where an answer was stopped, is still told from a word. */
const LEAST_CUT = 12;

/** Whether this is base64 of a user's name and a password, or its beginning. */
export function isBasicCredential(value: string): boolean {
	return (
		(value.length % 4 === 0 || value.length >= LEAST_CUT) &&
		/^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 400), "base64").toString("latin1"))
	);
}

type Judge = (value: string, scheme: string) => boolean;

function reader(kind: string, pattern: RegExp, isSecret: Judge): Reader {
	return (scan, at) => {
		if (!scan.isFresh(kind, at)) return;
		const groups = matchAt(pattern, scan.text, at);
		const value = groups?.groups?.["value"];
		if (!groups || value === undefined) return;
		const end = at + groups[0].length - (groups[0].endsWith(value) ? 0 : 1);
		scan.reach(kind, end);
		if (isSecret(value, groups.groups?.["scheme"] ?? "")) scan.hide(end - value.length, end);
	};
}

function startsWord(read: Reader): Reader {
	return (scan, at, literal) => {
		if (!/\w/.test(scan.text.charAt(at - 1))) read(scan, at, literal);
	};
}

export const readAuthorization = reader("authorization", AUTHORIZATION, (value, scheme) =>
	/^basic\b/i.test(scheme) ? isBasicCredential(value) : isCredential(value),
);
export const readBearer = startsWord(reader("bearer", BEARER, isCredential));
export const readBasic = startsWord(reader("basic", BASIC, isBasicCredential));
export const readCookie = startsWord(reader("cookie", COOKIE, () => true));
export const readAuthField: Reader = (scan, at, literal) => {
	if (/[A-Za-z]/.test(scan.text.charAt(at - 1))) return;
	reader("auth", AUTH_FIELD, isBasicCredential)(scan, at, literal);
	reader("auth pair", AUTH_PAIR, (value) => !isPlaceholder(value))(scan, at, literal);
};
