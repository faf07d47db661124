/** A search as the user typed it: words that must all occur in one entry, in any order; `"…"` keeps words together. */
export interface Query {
	/** Finds lines of a session file that may match, in a byte-per-character view of the file. Never misses one that does. */
	candidate: RegExp;
	/** Finds the first of the words in real text; undefined unless all occur. */
	find(text: string): { start: number; end: number } | undefined;
}

/** Reads a query. Undefined for one without a word. */
export function readQuery(input: string): Query | undefined {
	const words = [...input.matchAll(/"([^"]+)"|(\S+)/g)]
		.map((found) => (found[1] ?? found[2] ?? "").trim())
		.filter(Boolean);
	const rarest = words.toSorted((one, other) => other.length - one.length)[0];
	if (rarest === undefined) return undefined;
	const tests = words.map((word) => new RegExp(bothForms(word, textPattern), "iu"));
	return {
		candidate: new RegExp(bothForms(rarest, bytePattern), "gi"),
		find: (text) => {
			const found = tests.map((test) => test.exec(text));
			const [first] = found;
			if (!first || found.includes(null)) return undefined;
			return { start: first.index, end: first.index + first[0].length };
		},
	};
}

/** Composed or decomposed accents: the log has whichever the keyboard, the file system or the model produced. */
function bothForms(word: string, pattern: (word: string) => string): string {
	const forms = new Set([word.normalize("NFC"), word.normalize("NFD")].map(pattern));
	return [...forms].join("|");
}

function textPattern(word: string): string {
	return [...word].map((char) => (/\s/.test(char) ? "\\s+" : escapeRegExp(char))).join("");
}

/** The word as it may stand in JSON in UTF-8: escaped, in either case, white space of any kind. */
function bytePattern(word: string): string {
	return [...word.replace(/\s+/g, " ")].map(byteForms).join("");
}

function byteForms(char: string): string {
	if (char === " ") return "(?: |\\\\[nrt]|\\\\u00a0|\\xc2\\xa0|\\xe3\\x80\\x80)+";
	if (char === '"' || char === "\\")
		return `(?:\\\\${escapeRegExp(char)}|\\\\u00${hex(char.charCodeAt(0), 2)})`;
	if (char === "/") return "\\\\?/";
	const code = char.codePointAt(0) ?? 0;
	// The expression itself ignores the case of ASCII; writers that escape it exist only in theory.
	if (code < 0x80) return escapeRegExp(char);
	const cases = new Set([char, char.toLowerCase(), char.toUpperCase()]);
	return `(?:${[...cases].flatMap((one) => [utf8(one), escapes(one)]).join("|")})`;
}

function utf8(text: string): string {
	return [...Buffer.from(text)].map((byte) => `\\x${hex(byte, 2)}`).join("");
}

function escapes(text: string): string {
	return text
		.split("")
		.map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`)
		.join("");
}

function hex(value: number, digits: number): string {
	return value.toString(16).padStart(digits, "0");
}

function escapeRegExp(char: string): string {
	return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
