import { type RegularFile, readSpan, type Steps } from "../text/files/index.ts";
import { exceptWords, isDistinctive, secretSteps } from "../text/index.ts";
import { type Entry, hasRole, readMessage } from "./entry.ts";
import { linesFromEnd } from "./lines.ts";
import { entriesIn, textsIn, wordSteps } from "./secrets.ts";

const LIST_HEAD = 128 * 1024;
/**
 * The number of bytes at a session file's end that are searched for secrets when sessions are listed.
 */
const LIST_TAIL = 1024 * 1024;
/**
 * The maximum number of bytes that a search for secrets parses. Parsing more bytes would block the
 * process for longer than a time slice.
 */
const MOST_PARSED = 128 * 1024;
const MOST_PLACES = 8;
/**
 * The number of characters that are searched before and after a word. A key, a command or a table header
 * near the word may show that the word is a secret.
 */
const NEAR = { before: 1_000, after: 300 };
/** Matches words that contain both letters and digits, because such words may be secrets. */
const UNUSUAL = /(?<![A-Za-z\d])(?=[^\s\d"]{0,60}\d)(?=[^\sA-Za-z"]{0,60}[A-Za-z])[^\s"]{6,}/g;
const BETWEEN_VALUES = /[:=/@,;&?"'`()[\]{}<>|]+/;

function suspectsIn(text: string): string[] {
	const words = text.match(UNUSUAL) ?? [];
	return words
		.flatMap((word) => [word, ...word.split(BETWEEN_VALUES), ...runsIn(word)])
		.filter((value) => isDistinctive(value, { isCut: true }));
}

/**
 * Returns the words in `texts` that are secrets. To find out whether a word is a secret, this function
 * searches the beginning and the end of the session file for a place that shows that the word is a secret,
 * such as `API_KEY=…`. Words that do not contain both letters and digits are ignored.
 */
export function* revealedSecrets(texts: readonly string[], file: RegularFile): Steps<ReadonlySet<string>> {
	const parts = [...new Set(texts.flatMap(suspectsIn).flatMap(partsOf))];
	if (parts.length === 0) return NONE;
	const { size } = file.stamp;
	const tail = Math.max(LIST_HEAD, size - LIST_TAIL);
	const spans = [
		readSpan(file, 0, Math.min(size, LIST_HEAD)),
		readSpan(file, tail, Math.max(0, size - tail)),
	];
	const found = spans.map((bytes) => placesOf(parts, bytes));
	const secrets = yield* secretSteps(found.flatMap(({ places }) => places));
	const entries = secrets.size > 0 ? found.flatMap((one) => one.entries) : [];
	const words: string[] = [];
	for (const entry of entries) words.push(...(yield* wordSteps(entry)));
	return exceptWords(secrets, words);
}

const NONE: ReadonlySet<string> = new Set();

function placesOf(parts: readonly string[], bytes: Buffer): { places: string[]; entries: Entry[] } {
	const places: string[] = [];
	const entries: Entry[] = [];
	let room = MOST_PARSED;
	for (const line of linesFromEnd(bytes)) {
		if (places.length >= MOST_PLACES) break;
		if (line.bytes.length > room || !parts.some((part) => line.bytes.includes(part))) continue;
		room -= line.bytes.length;
		const own = entriesIn(line).entries;
		entries.push(...own);
		for (const text of textsIn(own)) places.push(...placesIn(text, parts));
	}
	return { places: places.slice(0, MOST_PLACES), entries };
}

function placesIn(text: string, parts: readonly string[]): string[] {
	const places: string[] = [];
	for (let from = 0; places.length < MOST_PLACES; ) {
		const found = parts.map((part) => text.indexOf(part, from)).filter((at) => at >= 0);
		if (found.length === 0) break;
		const at = Math.min(...found);
		from = at + NEAR.after;
		places.push(text.slice(Math.max(0, at - NEAR.before), from));
	}
	return places;
}

const REPLY_END = 1_000;

export function* secretsInReply(entries: readonly Entry[]): Steps<ReadonlySet<string>> {
	const reply = entries.findLast((entry) => hasRole(entry, "assistant"));
	const message = reply && readMessage(reply);
	const text = message?.role === "assistant" ? message.text : "";
	return yield* secretSteps(suspectsIn(text.slice(-REPLY_END)).length > 0 ? [text] : []);
}

/**
 * Splits a word at every character that is neither an ASCII letter nor a digit, and returns the parts that
 * can identify a secret. A secret begins and ends at the boundaries of these parts, and usually at least one
 * of its parts contains both letters and digits.
 */
function partsOf(word: string): string[] {
	const runs = runsIn(word);
	const mixed = runs.filter((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
	return mixed.length > 0 ? mixed : runs.filter((run) => /\d/.test(run));
}

function runsIn(word: string): readonly string[] {
	return word.match(/[A-Za-z\d]+/g) ?? [];
}
