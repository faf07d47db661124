/** Where a value stands; decides how much doubt is enough to hide it. */
export interface Candidate {
	value: string;
	/** What the name promises: a password is one whatever it looks like, a token has to look like one. */
	name: "password" | "token";
	/**
	 * `env`: `NAME=value`; `option`: `--name value`; `code`: `name = value`; `colon`: `name: value`;
	 * `phrase`: "the password is …" and `f("password", "…")`.
	 */
	style: "quoted" | "env" | "option" | "code" | "colon" | "phrase";
	/** The text right after the value. */
	next: string;
}

/** What a person or a schema writes in place of a secret, and code that only refers to one. */
const PLACEHOLDER =
	/^(?:\$|[^$]{0,80}\$\{|!\w+ |<|\{|%\(|%[A-Za-z_]+%|\[|[*•.…xX_-]+$|process\.env|os\.|env[.(]|ENV\b|import\.meta|secrets\.|vars\.|config\.|settings\.|self\.|this\.)/;

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
const NAME_WORD = /passw|passphrase|secret|token|credential|key/i;
const IDENTIFIER = /^[A-Za-z_$]+(?:\d{1,2}[A-Za-z_$]*)?$/;
const DOTTED_NAME = /^[A-Za-z_$][\w$]{0,30}(?:[?!]?\.[A-Za-z_$][\w$]{0,30})+$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]{0,40}(?:[\\/][\w.@~-]{0,40})*$/;
const URL_LIKE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A neighbour may have been hidden by then: it has to read the same, or a second pass would decide anew. */
const FOLLOWED_BY_WORD = /^ (?:[a-z]|\[redacted\])/;
const FOLLOWED_BY_CALL = /^\s?(?:\(|\[(?!redacted\]))/;

/** Bits per character of a text, by its own character counts. */
function entropy(text: string): number {
	const counts = new Map<string, number>();
	for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
	return bits;
}

/** Long and mixed enough that nobody thought it up: keys, hashes, encoded bytes. */
function isRandomLooking({ value, style }: Candidate): boolean {
	if (value.length < 8) return false;
	if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 10;
	const mayBeName = style !== "quoted" && style !== "env";
	return !mayBeName && value.length >= 20 && !/\s/.test(value) && entropy(value.slice(0, 200)) >= 3.9;
}

function isReference({ value, next, style }: Candidate): boolean {
	if (PLACEHOLDER.test(value) || URL_LIKE.test(value)) return true;
	if (PATH.test(value)) return !(value.length >= 32 && entropy(value) >= 4.3);
	if (style === "quoted") return false;
	if (DOTTED_NAME.test(value)) return true;
	if (FOLLOWED_BY_CALL.test(next)) return IDENTIFIER.test(value);
	return /^[a-z_$]/.test(value) && IDENTIFIER.test(value) && NAME_WORD.test(value);
}

function isPassword({ value, style, next }: Candidate): boolean {
	if (style === "quoted") return !/\s/.test(value) || !PROSE.test(value);
	if (style === "env") return true;
	if (style === "option") return !PROSE.test(value);
	if (/^\d+$/.test(value)) return value.length >= 4 && !FOLLOWED_BY_WORD.test(next);
	if (/[\d!#%^&*+?]/.test(value)) return true;
	if (style === "phrase") return false;
	// Letters alone: a person's password at the end of a line, or a type, a variable or the start of a sentence.
	if (style === "colon") return /^[a-z-]+$/.test(value) && !FOLLOWED_BY_WORD.test(next);
	return !/^[A-Za-z_$]+$/.test(value);
}

/** Whether a value that stands after the name of a secret is one, and not a placeholder, a reference or prose. */
export function isSecretValue(candidate: Candidate): boolean {
	const { value } = candidate;
	if (value.length < 2 || /^[\s),;\]}]/.test(value)) return false;
	if (ORDINARY.has(value.toLowerCase()) || isReference(candidate)) return false;
	return candidate.name === "password" ? isPassword(candidate) : isRandomLooking(candidate);
}

/** Whether a word after `Bearer`, or another scheme of an authorization header, is a credential. */
export function isCredential(value: string): boolean {
	if (PLACEHOLDER.test(value) || ORDINARY.has(value.toLowerCase()) || value.length < 6) return false;
	return /\d|[=+/]/.test(value) || value.length >= 20;
}
