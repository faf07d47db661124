import { lineEnd, lineStart, matchAt, type Reader, type Scan } from "./scan.ts";
import { isLoosePassword, isRandom } from "./shape.ts";
import { isPlaceholder } from "./value.ts";

/** Behind the name: nothing but marks, or the rest of a question. */
const END_OF_HEADING = /[ \t]{0,3}[:：?？*_`"'.)\]>=~#-]{0,6}[ \t]{0,3}(?:\r?\n)/y;
/** A line with one word on it, behind the name of who says it, a mark of a list, a fence or a prompt. */
const LONE =
	/(?:[ \t]{0,8}(?:```\w{0,12}|[=~-]{3,60})?\r?\n){0,3}[ \t]{0,12}(?:[>*•-][ \t]{1,3}|(?:\p{L}[\p{L}\d_. -]{0,24}):[ \t]{1,3}(?:\p{L}[\p{L}'’]{0,8}[,:]?[ \t]){0,3})?(?<quote>["'`*]{0,3})(?<value>[^\s"'`]{4,200})\k<quote>[.,;]?[ \t]{0,8}(?=\r?\n|$)/uy;

/** Hides the word that stands alone on the line behind a heading, a question or a prompt that names a secret. */
export function readBelow(scan: Scan, from: number, isPassword: boolean): void {
	const heading = matchAt(END_OF_HEADING, scan.text, from);
	if (heading) hideLone(scan, from + heading[0].length, isPassword);
}

function hideLone(scan: Scan, from: number, isPassword: boolean): boolean {
	const lone = matchAt(LONE, scan.text, from);
	const value = lone?.groups?.["value"];
	if (!lone || value === undefined) return false;
	if (isPlaceholder(value) || !((isPassword && isLoosePassword(value)) || isKey(value))) return false;
	const start = from + lone[0].lastIndexOf(value);
	scan.hide(start, start + value.length);
	return true;
}

/** Bytes in hexadecimal or base64. */
function isKey(value: string): boolean {
	return (
		/^[\w+/=.~-]+$/.test(value) &&
		isRandom(value, 12) &&
		!/^[A-Za-z]?[a-z]{2,}(?:[_-]?[A-Z]?[a-z\d]{2,}){1,8}[A-Z\d]{0,6}$/.test(value) &&
		!/[a-z]{4}[A-Z_]+[a-z]{4}/.test(value) &&
		!/^[\w-]*\/[\w/-]*\.\w{1,5}$/.test(value)
	);
}

/** A command that prints a secret. */
const PRINTS_SECRET =
	/\b(?:(?:go)?pass (?:show |generate |otp |-c )?[\w@./-]*\/[\w@./-]+$|op (?:read|item get)|bw get|lpass show|gh auth token|vault (?:kv )?(?:get|read)|openssl rand|pwgen|apg|mkpasswd|diceware|wg (?:genkey|genpsk)|base64 (?:-d|-D|--decode)|print-(?:access|identity)-token|get-login-password|get-access-token|get-secret-value|get-parameter|create token|auth:token|secret-tool lookup|find-(?:generic|internet)-password|keepassxc-cli|phx\.gen\.secret|secrets\.token_\w+|(?:rake|rails) secret|key:generate|randomBytes|\/dev\/u?random|gen-random|(?:cat|less|head|tail|echo|printenv|type|Get-Content|tee) [^|\n]{0,80}(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|credential|_pw\b)[\w.-]{0,20}|-raw \w*(?:password|secret|token|key)|(?:secrets?|credentials?) (?:get|access|versions access|show|view|read|reveal)|sops -d|jq -r ["']?[\w.[\]]{0,60}(?:password|secret|token|key))/i;
const PROMPT = /^[ \t]{0,8}(?:[\w.@~:/()[\] -]{0,60})?[$#%❯>➜λ»][ \t]{1,3}/u;
const LONGEST_COMMAND = 300;

/** The word that stands alone below a command that prints a secret. */
export const readPrinted: Reader = (scan, at) => {
	if (!scan.isFresh("printed", at)) return;
	const { text } = scan;
	const start = lineStart(text, at, LONGEST_COMMAND);
	const end = lineEnd(text, at, LONGEST_COMMAND);
	scan.reach("printed", end);
	if (text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) return;
	const line = text.slice(start, end);
	if (!PROMPT.test(line) || !PRINTS_SECRET.test(line.trimEnd().replace(/\s+#\s.*$/, ""))) return;
	hideLone(scan, end + (text.charCodeAt(end) === 13 ? 2 : 1), true);
};

export const PRINTING_ANCHORS: readonly string[] =
	"pass |pass/|passw|op read|op item|bw get|lpass |gh auth|vault |openssl rand|pwgen|apg |mkpasswd|diceware|wg gen|base64 -|print-|get-|create token|secret|token|-password|keepassxc|randombytes|random|api_key|api-key|credential|_pw|-raw |sops -d|jq -r".split(
		"|",
	);
