import { matchAt, type Reader } from "./scan.ts";
import { isLoosePassword } from "./shape.ts";
import { isPlaceholder } from "./value.ts";

/** Calls that sign in or connect, by the end of their name: one of their later literals is a password. */
const CALL =
	/(?:pdo|mysqli?|connect(?:ion|ions|_db)?|getconnection|logi?n|log_in|log_?on|sign_?in\w{0,20}|sign_?up\w{0,20}|authenticate\w{0,10}|auth\w{0,20}|credentials?|wifi\.begin|softap|wificlient|begin|ldap_bind|bind|simple_bind(?:_s)?|imap_open|ftp_login|open|createuser\w{0,30}|create_user|create_superuser|register\w{0,8}|adduser|add_user|basic_?auth\w{0,12}|set_?auth\w{0,12}|usernamepassword\w{0,20}|passwordauthentication|networkcredential|transport|datasource|client|http_?auth|encrypt|decrypt|sign|verify|createhmac|hmac\w{0,8}|pbkdf2\w{0,6}|scrypt\w{0,6}|hash_?pw|hashpw|hash|checkpw|compare|compare_?sync|set_?password\w{0,10}|check_?password\w{0,10}|user)\s{0,2}\(/iy;
const ARGUMENTS =
	/\s{0,20}(?:(?<literal>[bfru@$NE]{0,2}(?:"(?:\\.|[^"\\\n]){0,200}"|'(?:\\.|[^'\\\n]){0,200}'|`[^`\n]{0,200}`))|[^"'`(){},;\n]{1,100}(?:\([^()"'`\n]{0,60}\))?[^"'`(){},;\n]{0,40})\s{0,20}(?<end>[,)])/y;
const MOST_ARGUMENTS = 6;
/** Where a single literal is a password, or a key that signs. */
const ALONE = /(?:password\w{0,10}|checkpw|hash_?pw|hashpw|compare\w*)\s{0,2}\($/i;
/** Calls whose literals are many things; there the word has to look like a password by itself. */
const MANY =
	/(?:open|begin|client|bind|user|hash|sign|verify|encrypt|decrypt|compare\w*|transport|register\w*|connect\w*|auth\w*|datasource)\s{0,2}\($/i;

/** `new PDO(dsn, "user", "password")`, `WiFi.begin("network", "password")`, `getConnection(url, "user", "password")`. */
export const readCredentialCall: Reader = (scan, at) => {
	if (!scan.isFresh("credential call", at)) return;
	const call = matchAt(CALL, scan.text, at);
	if (!call) return;
	let position = at + call[0].length;
	const isMany = MANY.test(call[0]);
	for (let index = 0; index < MOST_ARGUMENTS; index++) {
		const argument = matchAt(ARGUMENTS, scan.text, position);
		if (!argument) break;
		const literal = argument.groups?.["literal"];
		const start = position + argument[0].indexOf(literal ?? "");
		position += argument[0].length;
		const value = literal?.replace(/^\w{0,2}["'`]|["'`]$/g, "");
		if (value !== undefined && literal && (index > 0 || ALONE.test(call[0])) && mayBePassword(value, isMany))
			scan.hide(start + literal.indexOf(value), start + literal.indexOf(value) + value.length);
		if (argument.groups?.["end"] === ")") break;
	}
	scan.reach("credential call", position);
};

function mayBePassword(value: string, isMany: boolean): boolean {
	if (isPlaceholder(value)) return false;
	if (isLoosePassword(value)) return !isMany || /[a-z]/.test(value);
	return (
		!isMany && /^[a-z]{4,}(?:[A-Z][a-z]+)*$/.test(value) && !/user|admin|local|host|email|login/i.test(value)
	);
}

export const CALL_ANCHORS: readonly string[] =
	"pdo( pdo ( mysqli connect logi logon sign_in signin signup log_in auth credential wifi.begin softap ldap_bind imap_open ftp_login createuser create_user create_superuser adduser add_user register simple_bind httpauth basic usernamepassword passwordauth networkcred createhmac hmac pbkdf2 scrypt hashpw hash_pw checkpw setpassword set_password check_password checkpassword".split(
		" ",
	);
