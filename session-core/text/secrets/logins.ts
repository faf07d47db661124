import { lineEnd, type Reader, type Scan } from "./scan.ts";
import { isLoosePassword, isRandom, passwordShape } from "./shape.ts";
import { isPlaceholder } from "./value.ts";

/** How far behind "login" or "credentials" a pair is looked for. */
const AFTER = 60;
/** `user/password`, `user:password`, `user / password`. */
const PAIR =
	/(?<![\w/.:@-])([\w.@+-]{1,40})(?:\s?[/|]\s?|:\s?)([^\s"'`,;()<>[\]{}|/\\。，；）]{4,64})(?=[\s"'`,;.()<>[\]{}|。，；）]|$)/gu;
/** Names of accounts that come with the machine: what stands behind one and a sign is its password, if it looks like one. */
const BUILT_IN =
	/^(?:admin|administrator|root|sa|guest|test|demo|superuser|sysadmin|postgres|oracle|ubuntu|pi|vagrant)$/i;

/** A user's name and password as a pair: behind a word for signing in, or with the name of a built-in account. */
export const readLogin: Reader = (scan, at, literal) => {
	if (!scan.isFresh("login", at) || /[\w/.-]/.test(scan.text.charAt(at - 1))) return;
	const isAccount = BUILT_IN.test(literal.slice(0, -1).trim());
	const start = isAccount ? at : at + literal.length;
	if (!isAccount && /[\w(]/.test(scan.text.charAt(start).replace("s", ""))) return;
	const end = lineEnd(scan.text, start, AFTER);
	const window = scan.text.slice(start, end);
	scan.reach("login", isAccount ? at : end);
	if (!isAccount && literal !== "user") hideStrongWords(scan, window, start);
	if (!/[/:|]/.test(window)) return;
	PAIR.lastIndex = 0;
	for (let pair = PAIR.exec(window); pair; pair = PAIR.exec(window)) {
		if (isAccount && pair.index > 0) return;
		hidePair(scan, pair, start, { isAccount, isSpoken: /cred|log|sign|wi-?fi|u\/p/.test(literal) });
		// What looked like a value may be the user of the next pair: "details: jane / …".
		PAIR.lastIndex = pair.index + (pair[1] ?? "").length;
	}
};

/** "sign in as bob with …" */
function hideStrongWords(scan: Scan, window: string, start: number): void {
	if (scan.loudFrom("after", start) > start + window.length) return;
	for (const { 0: word, index } of window.matchAll(/\S+/g)) {
		const plain = word.replace(/^[("'`]+|["'`),.;:?]+$/g, "");
		const isCut = index + word.length === AFTER;
		if (isCut || !/\d/.test(plain) || !/[!@#$%^&*?+]/.test(plain) || passwordShape(plain) !== "strong")
			continue;
		const from = start + index + word.indexOf(plain);
		scan.hide(from, from + plain.length);
	}
}

/** A word in capitals and small letters with digits. */
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/;

function hidePair(
	scan: Scan,
	pair: RegExpExecArray,
	start: number,
	{ isAccount, isSpoken }: { isAccount: boolean; isSpoken: boolean },
): void {
	const [all, user = "", value = ""] = pair;
	const bare = value.replace(/[.?:]+$/, "");
	const shape = passwordShape(bare);
	const mayBeWeak =
		/^(?:admin|root)$/i.test(user) || (!isAccount && (BUILT_IN.test(user) || MIXED.test(bare)));
	const isLoose = isSpoken && /\d/.test(bare) && isLoosePassword(bare);
	const isSecret = shape === "strong" || (shape === "weak" && mayBeWeak) || isLoose;
	if (!isSecret || isPlaceholder(bare) || /^[\d-]/.test(user)) return;
	const from = start + pair.index + all.length - value.length;
	if (/\S/.test(scan.text.charAt(from + value.length)) && pair.index + all.length === AFTER) return;
	scan.hide(from, from + bare.length);
}

/** `login("user", "password")`, `auth=("user", "password")`, `new Credentials("id", "secret")`. */
const CALL =
	/(?:(?:auth|login|credentials?|authenticate|sign_?in|connect)(?:[_A-Z]\w{0,12}|entication)?(?:\s?=\s?)?\(\s{0,5}(?:["'][^"'\n]{1,80}["'],\s{0,5})?|(?:jwt\.\w{4,8}|hmac(?:\.new)?)\([^,()\n]{1,60},\s{0,5})["']([^"'\n]{3,200})["']\s{0,5}[,)]/iy;

export const readLoginCall: Reader = (scan, at) => {
	if (!scan.isFresh("call", at)) return;
	CALL.lastIndex = at;
	const match = CALL.exec(scan.text);
	const value = match?.[1];
	if (!match || value === undefined) return;
	const end = at + match[0].lastIndexOf(value) + value.length;
	scan.reach("call", end);
	const isPair = /\([^,()\n]+,/.test(match[0]);
	const isSecret = isPair ? passwordShape(value) !== "none" || /^\S*\d\S*$/.test(value) : isRandom(value, 16);
	if (isSecret && !isPlaceholder(value)) scan.hide(end - value.length, end);
};
