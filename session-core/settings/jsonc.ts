// JSON with comments and trailing commas, read with the place of everything, so that one value can be changed in the text.
// Our own and not a library: pi adds a clone by its path without installing anything, and settings must work there, too.
// Its tests hold it against jsonc-parser.

/** A value and where it stands in the text: `start` to `end`, exclusive. */
export interface JsonNode {
	value: unknown;
	start: number;
	end: number;
	/** Of an object: its members by name; of two with one name the later one, as everywhere in JSON. */
	members?: ReadonlyMap<string, JsonNode>;
	/** Of an object with members: where the last of them ends, its comma included if it has one. */
	last?: { end: number; hasComma: boolean };
}

/** `root` is undefined where the text holds nothing but blanks and comments. */
export type JsoncOutcome =
	| { ok: true; root: JsonNode | undefined }
	| { ok: false; offset: number; problem: string };

const BLANKS = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
/** Far more than any settings need, and far less than exhausts the stack. */
const MAX_DEPTH = 200;

class Fault {
	readonly offset: number;
	readonly problem: string;
	constructor(offset: number, problem: string) {
		this.offset = offset;
		this.problem = problem;
	}
}

export function parseJsonc(text: string): JsoncOutcome {
	try {
		const start = afterBlanks(text, 0);
		if (start === text.length) return { ok: true, root: undefined };
		const root = readValue(text, start, 0);
		const rest = afterBlanks(text, root.end);
		if (rest < text.length) throw new Fault(rest, "end of file expected");
		return { ok: true, root };
	} catch (error) {
		if (error instanceof Fault) return { ok: false, offset: error.offset, problem: error.problem };
		throw error;
	}
}

function readValue(text: string, start: number, depth: number): JsonNode {
	if (depth > MAX_DEPTH) throw new Fault(start, "nested too deeply");
	if (text[start] === "{") return readObject(text, start, depth);
	if (text[start] === "[") return readList(text, start, depth);
	const token = match(STRING, text, start) ?? match(LITERAL, text, start);
	if (token !== undefined) return { value: JSON.parse(token), start, end: start + token.length };
	const isAbsent = start === text.length || "}],:".includes(text.charAt(start));
	throw new Fault(start, isAbsent ? "value expected" : "invalid symbol");
}

function readObject(text: string, start: number, depth: number): JsonNode {
	const members = new Map<string, JsonNode>();
	let last: { end: number; hasComma: boolean } | undefined;
	let at = afterBlanks(text, start + 1);
	while (text[at] !== "}") {
		if (last && !last.hasComma)
			throw new Fault(at, at === text.length ? "close brace expected" : "comma expected");
		const name = match(STRING, text, at);
		if (name === undefined) throw new Fault(at, "property name expected");
		const colon = afterBlanks(text, at + name.length);
		if (text[colon] !== ":") throw new Fault(colon, "colon expected");
		const member = readValue(text, afterBlanks(text, colon + 1), depth + 1);
		members.set(JSON.parse(name), member);
		({ at, last } = afterMember(text, member.end));
	}
	const value = Object.fromEntries([...members].map(([name, member]) => [name, member.value]));
	return { value, start, end: at + 1, members, ...(last && { last }) };
}

function readList(text: string, start: number, depth: number): JsonNode {
	const value: unknown[] = [];
	let hasComma = true;
	let at = afterBlanks(text, start + 1);
	while (text[at] !== "]") {
		if (!hasComma) throw new Fault(at, at === text.length ? "close bracket expected" : "comma expected");
		const item = readValue(text, at, depth + 1);
		value.push(item.value);
		const after = afterMember(text, item.end);
		at = after.at;
		hasComma = after.last.hasComma;
	}
	return { value, start, end: at + 1 };
}

/** Behind a member or an item, and behind its comma if it has one. */
function afterMember(text: string, end: number) {
	const comma = afterBlanks(text, end);
	const hasComma = text[comma] === ",";
	const last = { end: hasComma ? comma + 1 : end, hasComma };
	return { at: hasComma ? afterBlanks(text, comma + 1) : comma, last };
}

function afterBlanks(text: string, at: number): number {
	return at + (match(BLANKS, text, at)?.length ?? 0);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0];
}
