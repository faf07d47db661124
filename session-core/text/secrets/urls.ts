import { matchAt, type Reader } from "./scan.ts";
import { isPlaceholder } from "./value.ts";

/**
 * `user:password@host` behind `://` (RFC 3986, 3.2.1); people write `/`, `#`, `?` and `@` in passwords as they are. What
 * looks like a port and a path is no password.
 */
const USERINFO =
	/(?![<$[{%])[^\s/?#"'<>`:@\\]{0,100}:(?!\$\{|<|\{\{|%[sd]|\d{1,5}[/@?#])([^\s"'<>`\\]{1,200})@(?=[\w.[-])/y;
/** A long user part alone is a token. */
const LONE_USER = /(?![<$[{%])(?=[^\s@/]{0,200}\d)[\w.~-]{20,200}@/y;

/** Credentials in an address. */
export const readUserinfo: Reader = (scan, at, literal) => {
	const start = at + literal.length;
	if (!/[a-z][a-z0-9+.-]*$/i.test(scan.text.slice(Math.max(0, at - 30), at)) || !scan.isFresh("url", start))
		return;
	const lone = matchAt(LONE_USER, scan.text, start);
	if (lone) {
		scan.hide(start, start + lone[0].length - 1);
		return;
	}
	const userinfo = matchAt(USERINFO, scan.text, start);
	scan.reach("url", start + (userinfo?.[0].length ?? 0));
	if (!userinfo) {
		readBarePassword(scan, start);
		return;
	}
	const whole = shortest(userinfo[0], scan.text.slice(start, start + 500));
	const password = whole.slice(whole.indexOf(":") + 1, -1);
	if (password !== "" && !isPlaceholder(password)) scan.hide(start, start + whole.length - 1, password);
};

/** `redis://:password@host` and `scheme://user:@host` */
const EMPTY = /[^\s/?#"'<>`:@\\]{0,100}:@/y;
const readBarePassword = (scan: Parameters<Reader>[0], start: number): void => {
	const empty = matchAt(EMPTY, scan.text, start);
	if (empty) scan.hide(start, start + empty[0].length - 1);
};

/** Up to the first `@` where a host and a path follow it, so that an `@` in a path is none of it. */
function shortest(greedy: string, text: string): string {
	const first = /^[^\s/?#@]*@/.exec(greedy)?.[0];
	const rest = first === undefined ? "" : text.slice(first.length);
	return first !== undefined && /^[\w.-]+(?::\d{1,5})?[/?#]/.test(rest) ? first : greedy;
}

/** Parameters of a query or form body whose short names carry credentials. */
const PARAMETER =
	/[?&](?:amp;)?(?:sig|sid|auth|jwt|pwd|code_verifier|(?:key|app_?id|app_?key|apikey|access_key|auth_key|hash|signature|hapikey|k|api|code|s|sign|subscription-key|zwsid|uuid_token|developerkey)(?==[\w%-]{0,40}\d)(?==[\w%-]{16}))=([^\s&#"'`<>[\]]+)/iy;

export const readParameter: Reader = (scan, at) => {
	const parameter = matchAt(PARAMETER, scan.text, at);
	const value = parameter?.[1];
	if (!parameter || value === undefined || !scan.isFresh("parameter", at)) return;
	const end = at + parameter[0].length;
	scan.reach("parameter", end);
	if (!isPlaceholder(value)) scan.hide(end - value.length, end);
};

/** `scott/tiger@service` of Oracle's tools and addresses. */
const SLASH_LOGIN =
	/(?:thin:|(?:sqlplus|impdp|expdp|sqlldr|exp|imp)(?: -[\w]+){0,3} )["']?\w{1,30}\/("[^"\n]+"|[^\s@"'/<$]+)@/y;

export const readSlashLogin: Reader = (scan, at) => {
	const login = matchAt(SLASH_LOGIN, scan.text, at);
	const value = login?.[1];
	if (!login || value === undefined) return;
	const end = at + login[0].length - 1;
	scan.hide(end - value.length, end);
};
