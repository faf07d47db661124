import { matchAt, type Scan } from "./scan.ts";
import { SIGN_INSIDE } from "./shape.ts";
import { isPlaceholder } from "./value.ts";

/** "the password for the server is Wolke-sieben.": the last word of a phrase, behind a sign or a short word. */
const LAST =
	/(?<between>(?:[ \t]\(?[\p{L}\d@._'’-]{1,24}\)?){0,5}?)(?<link>\s?[:=：—–]|[ \t]-|[ \t](?:\p{L}{1,2}['’])?\p{L}{1,4})[ \t]{1,2}(?<value>[^\s"'`<>(){}[\]/\\=;:,]{4,40}?)[.!)]?(?=[ \t]{0,3}(?:\r?\n|$|[,;.] ))/uy;
/** A predicate: what it says of a password ends like an adjective, or is one of the few that do not. */
const PREDICATE =
	/(?:ed|ing|able|ible|ly|ous|ive|ful|less|al|ent|ant|ary|ory|ic|ty|id|ig|ich|sch|isch|bar|los|en|ert|ado|ada|ido|ida|cto|cta|rio|ria|é|ée|re|rect|us|rt|te|le|nd|um|is)$|^(?:longer|shorter|newer|older|either|wrong|right|short|long|weak|strong|blank|unclear|stale|unsafe|public|plain|reset|fine|okay|there|here|gone|below|above|known|shown|given|leer|falsch|set|hash|salt|yours|mine|what|this|that|out|lost|good|about|only|used)$/;

/** Hides the last word behind the name where it has a sign or a capital inside; a plain one only right behind "is". */
export function readLastWord(scan: Scan, from: number, isShort: boolean): boolean {
	if (!scan.isFresh("last word", from)) return false;
	scan.reach("last word", from + 1);
	const match = matchAt(LAST, scan.text, from);
	const { between = "", link = "", value = "" } = match?.groups ?? {};
	if (
		!match ||
		value === "" ||
		isPlaceholder(value) ||
		/\.[a-z]\w{0,4}$/.test(value) ||
		/passw|secret|token|credential|^-|^[$#%]/i.test(value)
	)
		return false;
	if ((isShort && between !== "") || !isLast(value, between, link.trim(), isShort)) return false;
	const start = from + between.length + match[0].slice(between.length).indexOf(value, link.length);
	scan.hide(start, start + value.length);
	return true;
}

function isLast(value: string, between: string, link: string, isShort: boolean): boolean {
	const says = /^(?:is|was|ist|est|es|è|é|är|er|on|je|to|jest|[:=：—–])$/.test(link);
	if (isShort && (!says || link === "to")) return false;
	if (/^[\p{Ll}]+$/u.test(value))
		return (
			between === "" && value.length >= 5 && /^(?:is|ist|est|es|[:=：])$/.test(link) && !PREDICATE.test(value)
		);
	// A word that is parted by a hyphen is a word of the language.
	if (/^\p{L}\p{Ll}*(?:-\p{L}\p{Ll}*)*$/u.test(value)) return false;
	if (!/\p{L}/u.test(value) || /^\p{Lu}+$/u.test(value)) return false;
	return (
		SIGN_INSIDE.test(value) ||
		(says && /\p{Ll}\p{Lu}/u.test(value) && !/^(?:is|get|set|has|on)\p{Lu}/u.test(value))
	);
}
