import { type Strength, strengthOf } from "./names.ts";

/** The name of a secret, where it stands. */
export interface Name {
	start: number;
	end: number;
	strength: Strength;
	/** Upper case, as in an environment: its value is a secret, whatever it looks like. */
	isVariable: boolean;
	/** It speaks of several. */
	isPlural: boolean;
	/** A field of HTTP that some service made up: `X-Api-Key`. */
	isHeader: boolean;
}

/** Scripts without spaces between words. */
export const UNSPACED = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const IDENTIFIER_CHARACTER = /[\p{L}\p{M}\p{N}_$]/u;
const LONGEST_NAME = 80;

/** Where the whole name stands that an anchor is a part of. */
export function nameBounds(text: string, at: number, literal: string): { start: number; end: number } {
	if (literal.includes(" ") || UNSPACED.test(literal)) return { start: at, end: at + lengthOf(literal) };
	let start = at;
	while (at - start < LONGEST_NAME && start > 0 && isNameCharacter(text, start - 1)) start--;
	let end = at + 1;
	while (end - at < LONGEST_NAME && end < text.length && isNameCharacter(text, end)) end++;
	return { start, end };
}

type Kind = Omit<Name, "start" | "end">;

/** Names repeat in a text, and judging one takes a dozen patterns. */
const judged = new Map<string, Kind | "none">();
const REMEMBERED = 2_000;
const LONGEST = 80;

/** A piece of a text keeps all of it in memory (V8's sliced strings); this one does not. */
function ownCopy(piece: string): string {
	return [...piece].join("");
}

/** The name that stands there, if it is one of a secret. */
export function nameIn(text: string, { start, end }: { start: number; end: number }): Name | undefined {
	const identifier = text.slice(start, end);
	// Only of keys it matters what kind they are.
	const before = isKey(text, end) && /[ -]/.test(text.charAt(start - 1)) ? wordBefore(text, start - 1) : "";
	const name = before === "" ? identifier : `${before} ${identifier}`;
	const remembered = judged.get(name);
	const kind = remembered ?? kindOf(identifier, before) ?? "none";
	if (remembered === undefined && name.length <= LONGEST) {
		if (judged.size >= REMEMBERED) judged.clear();
		judged.set(ownCopy(name), kind);
	}
	return kind === "none" ? undefined : { start, end, ...kind };
}

function kindOf(identifier: string, before: string): Kind | undefined {
	const strength = strengthOf(identifier, before);
	if (strength === undefined) return undefined;
	return {
		strength,
		isVariable: /^[A-Z][A-Z\d_]+$/.test(identifier),
		isPlural: /s$/i.test(identifier),
		isHeader: /^x-/i.test(identifier),
	};
}

function isKey(text: string, end: number): boolean {
	return /[ys]/i.test(text.charAt(end - 1)) && /keys?$/i.test(text.slice(end - 4, end));
}

/** Units of an anchor without the blanks and signs around it. */
function lengthOf(literal: string): number {
	const length = lengths.get(literal) ?? literal.trim().replace(/[^\p{L}\p{M}\d]+$/u, "").length;
	lengths.set(literal, length);
	return length;
}

const lengths = new Map<string, number>();

function wordBefore(text: string, end: number): string {
	return /[\p{L}\d]+$/u.exec(text.slice(Math.max(0, end - 24), end))?.[0] ?? "";
}

/** Letters, digits and `_$`; a hyphen or dot between two of them. */
function isNameCharacter(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code < 128) return isAsciiNameCharacter(text, at, code);
	if (code >= 0x100 && code < 0x370) return true; // Latin letters and marks; below are Greek and Cyrillic ones.
	if (code >= 0x388 && code < 0x530) return true;
	const character = text.charAt(at);
	return IDENTIFIER_CHARACTER.test(character) && !UNSPACED.test(character);
}

function isAsciiNameCharacter(text: string, at: number, code: number): boolean {
	if (isLetter(code) || (code >= 48 && code <= 57) || code === 95 || code === 36) return true;
	if (code !== 45 && code !== 46) return false;
	return /\w/.test(text.charAt(at - 1)) && /[A-Za-z_]/.test(text.charAt(at + 1));
}

function isLetter(code: number): boolean {
	return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
