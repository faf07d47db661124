import type { Strength } from "./names.ts";
import { entropy, isLoosePassword, isRandom } from "./shape.ts";

/** Where a value stands; decides how much doubt is enough to hide it. */
export interface Candidate {
	value: string;
	/** What the name promises. */
	name: Strength;
	/**
	 * `env`: `NAME=value` of an environment; `pair`: `name=value`; `option`: `--name value`; `code`: `name = value`; `setting`: the same, alone on its line; `colon`: `name: value`; `header`: a field of
	 * HTTP; `query`: a parameter in an address; `cell`: a cell of a table; `phrase`: "the password is …" and `f("password", "…")`.
	 */
	style:
		| "quoted"
		| "env"
		| "pair"
		| "option"
		| "code"
		| "setting"
		| "colon"
		| "header"
		| "query"
		| "cell"
		| "phrase";
	/** The text right after the value. */
	next: string;
}

/** What a person or a schema writes in place of a secret, and code that only refers to one. */
const PLACEHOLDER =
	/^(?:\$(?!\d|[a-z\d]{1,8}\$)|[^$]{0,80}\$\{|!\w+ |<|\{\{?|%\(|%[A-Za-z_]+%|@\w+@|\[|[*•.…xX_#-]+$|process\.env|os\.|env[.(]|ENV\b|import\.meta|secrets\.|vars\.|config\.|settings\.|self\.|this\.|your[-_ ]|my[-_]?(?:password|secret|token|api|key))/;

/** Words that stand after such a name in prose, schemas and types; none is worth hiding. */
const ORDINARY = new Set(
	`any array auto basic bearer bool boolean buffer bytes char default disabled empty enabled encrypted env error
	example expired failed false field file given hash hashed hidden include input int integer invalid keyword literal
	masked missing must never new nil no none null number object ok omit omitted optional password passwd plain present
	prompt provided required redacted removed same-origin secret secretstr see set str string text the this token true
	type undefined unknown unset username uuid valid value varchar wrong yes your`.split(/\s+/),
);

const PROSE =
	/(?:^|\s)(?:a|an|and|are|as|at|be|by|can|cannot|characters?|enter|flag|for|from|has|if|in|incorrect|invalid|is|it|least|missing|must|new|not|of|on|option|or|please|required|should|that|the|to|too|was|will|with|wrong|your)(?=\s|$)/i;
/** What a form, an error or a help text says of a secret: it names it, or demands something. */
const SPEAKS_OF_IT =
	/passw|passphrase|secret|token|credential|\bkeys?\b|\b(?:enter|required?|must|invalid|incorrect|missing|should|please|cannot|wrong|minimum|characters?|optional|forgot|confirm|failed|expired|not)\b|[:.?]$|\.\.\.|…/i;
const SENTENCE = /^[A-Z][a-z]+(?: [a-z]+)+$/;

/** Whether several words say something of a secret, and are none. */
export function speaksOfSecret(words: string): boolean {
	return (
		PROSE.test(words) &&
		(SPEAKS_OF_IT.test(words) || /^(?:is|are|was|in|on|to|not|the|a|an|for|from|with|by|as)\b/i.test(words))
	);
}

const NAME_WORD = /passw|passphrase|secret|token|credential|key/i;
const IDENTIFIER = /^[A-Za-z_$]+(?:\d{1,2}[A-Za-z_$]*)?$/;
const DOTTED_NAME = /^[A-Za-z_$][\w$]{0,30}(?:[?!]?\.[A-Za-z_$][\w$]{0,30})+$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]{0,40}(?:[\\/][\w.@~-]{0,40})*$/;
const URL_LIKE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A neighbour may have been hidden by then: it has to read the same, or a second pass would decide anew. */
const FOLLOWED_BY_WORD = /^ (?:[a-z]|\[redacted\])/;
const FOLLOWED_BY_CALL = /^\s?(?:\(|\[(?!redacted\]))/;

function isReference({ value, next, style }: Candidate): boolean {
	if (PLACEHOLDER.test(value) || URL_LIKE.test(value)) return true;
	if (style === "header") return false;
	if (PATH.test(value)) return !(value.length >= 32 && entropy(value) >= 4.3);
	if (style === "quoted") return NAME_WORD.test(value) && /^[A-Za-z_.:-]+$/.test(value) && value.length < 40;
	if (style === "env") return false;
	if (DOTTED_NAME.test(value)) return !isRandom(value, 20);
	if (FOLLOWED_BY_CALL.test(next) && IDENTIFIER.test(value)) return true;
	if (/^[A-Za-z_][\w.]*\(/.test(value + next.charAt(0))) return true;
	return /^[a-z_$]/i.test(value) && IDENTIFIER.test(value) && NAME_WORD.test(value);
}

function isPassword(candidate: Candidate): boolean {
	const { value, style, next } = candidate;
	if (style === "quoted")
		return !/\s/.test(value) || !(PROSE.test(value) && (SPEAKS_OF_IT.test(value) || SENTENCE.test(value)));
	if (style === "env" || style === "pair" || style === "header" || style === "query") return true;
	if (style === "option" || style === "cell") return !PROSE.test(value);
	if (/^\d+$/.test(value)) return value.length >= 4 && !FOLLOWED_BY_WORD.test(next);
	if (/[\d!#%^&*+?]/.test(value)) return true;
	if (value.length >= 20 && entropy(value) >= 4) return true;
	if (style === "phrase") return false;
	if (style === "setting" && /^(?:\r?\n|$)/.test(next) && /^[a-z]{6,}$/.test(value)) return true;
	// Letters alone: a person's password at the end of a line, or a type, a variable or the start of a sentence.
	if (style === "colon") return /^[\p{Ll}-]+$/u.test(value) && !FOLLOWED_BY_WORD.test(next);
	return !/^[A-Za-z_$]+$/.test(value);
}

/** The value of "pass" and the like, which are verbs and verdicts as well. */
function isShort({ value, style }: Candidate): boolean {
	if (isLoosePassword(value) || /^(?:[a-z]{4} ){3}[a-z]{4}$/.test(value)) return true;
	return (
		style === "quoted" &&
		/^[\w!@#$%^&* -]{6,}$/.test(value) &&
		!PROSE.test(value) &&
		!SPEAKS_OF_IT.test(value)
	);
}

/** Letters and digits that look random, in a place where a key or token is expected. */
function isToken({ value, style }: Candidate): boolean {
	if (/^[\d.,]{1,9}$/.test(value)) return false;
	if (style === "env" || style === "header" || style === "query") return value.length >= 3;
	if (value.length < 8) return false;
	if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 10;
	return style === "quoted" && value.length >= 20 && !/\s/.test(value) && entropy(value.slice(0, 200)) >= 3.9;
}

/** Whether a value that stands after the name of a secret is one, and not a placeholder, a reference or prose. */
export function isSecretValue(candidate: Candidate): boolean {
	const { value, name } = candidate;
	if (value.length < 2 || /^[\s),;\]}]/.test(value)) return false;
	if (!looksSecret(candidate)) return false;
	// What is left out was left out by a person: "sk-ant-...".
	if (name !== "strong" && value.length < 12 && /^(?:\.{3}|…)/.test(candidate.next)) return false;
	return !ORDINARY.has(value.toLowerCase()) && !isReference(candidate);
}

function looksSecret(candidate: Candidate): boolean {
	const { value, name, style } = candidate;
	switch (name) {
		case "strong":
			return isPassword(candidate);
		case "short":
			return style === "env" || style === "pair" || style === "option"
				? isPassword(candidate)
				: isShort(candidate);
		case "weak":
			return isToken(candidate);
		case "faint":
			if (style === "env") return value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
			return isRandom(value, 16) && !/^[a-z]+[-_]/.test(value);
		case "code":
			return /^\d{4,8}$|^\d{3,4}[ -]\d{3,4}$/.test(value);
	}
}

/** Whether a word after `Bearer`, or another scheme of an authorization header, is a credential. */
export function isCredential(value: string): boolean {
	if (isPlaceholder(value) || value.length < 6) return false;
	return /\d|[=+/]/.test(value) || value.length >= 20;
}

/** A stand-in for a secret, or a word that is none. */
export function isPlaceholder(value: string): boolean {
	return PLACEHOLDER.test(value) || ORDINARY.has(value.toLowerCase());
}
