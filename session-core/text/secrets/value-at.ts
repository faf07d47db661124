import { UNSPACED } from "./name-at.ts";
import { endOf, matchAt } from "./scan.ts";

/** A value where it stands, without its quotation marks or the full stop of its sentence. */
export interface Value {
	start: number;
	end: number;
	text: string;
	isQuoted: boolean;
}

const MAY_BE_QUOTED = /["'`\\“”„«‘「『bfruBFRUNEL@$]/;
const QUOTED =
	/[bfruBFRUNEL@$]{0,2}(?<escaped>\\{0,3})(?<quote>"""|'''|["'`])(?<quoted>(?:\\[^\n]|(?!\k<quote>)[^\\\n])*)/y;
const TYPOGRAPHIC = /[“”„«‘「『](?<quoted>[^”“»’」』\n]{1,200})/y;

/** Enough of a bare value to judge it by. */
const PLAIN = /[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]{1,160}/y;
const IN_QUERY = /[^\s&#"'`<>[\]]{1,160}/y;
/** The same with marks inside that begin no new name: people's passwords hold any of them. */
const LOOSE =
	/(?:[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]|[,;&|<>(){}[\]](?![\w.-]{0,40}\s{0,3}[=:])(?=[^\s"'`,;&<>|(){}[\]\u3000-\u303f\uff00-\uff20])){1,160}/y;

/** What a value without quotation marks may hold, by its place. */
const BARE = { plain: PLAIN, query: IN_QUERY, loose: LOOSE } as const;
export type Bare = keyof typeof BARE;

/** The value that begins at `at`. Of a long bare one only the beginning: see {@link restOf}. */
export function valueAt(text: string, at: number, bare: Bare): Value | undefined {
	if (MAY_BE_QUOTED.test(text.charAt(at))) {
		const quoted = quotedAt(text, at);
		if (quoted) return quoted;
	}
	const end = endOf(BARE[bare], text, at);
	if (end === undefined) return undefined;
	const whole = text.slice(at, end);
	// A sentence in a script without spaces: in it, nothing tells where a value would end.
	const foreign = whole.search(UNSPACED);
	if (foreign === 0) return undefined;
	const inside = withoutEnd(foreign < 0 ? whole : whole.slice(0, foreign));
	return { start: at, end: at + inside.length, text: inside, isQuoted: false };
}

function quotedAt(text: string, at: number): Value | undefined {
	const quoted = matchAt(QUOTED, text, at) ?? matchAt(TYPOGRAPHIC, text, at);
	if (!quoted) return undefined;
	const { quoted: raw = "", escaped } = quoted.groups ?? {};
	// A quotation that is itself escaped ends at the next escaped quotation mark.
	const close = escaped ? raw.search(/\\{1,3}["'`]/) : -1;
	const inside = close < 0 ? raw : raw.slice(0, close);
	const start = at + quoted[0].length - raw.length;
	return { start, end: start + inside.length, text: inside, isQuoted: true };
}

/** Without the full stop of a sentence and marks of Markdown. */
function withoutEnd(value: string): string {
	let end = value.length;
	while (end > 1 && value.length - end < 3 && /[.:?!*_]/.test(value.charAt(end - 1))) end--;
	return value.slice(0, end);
}

/** Where a bare value ends of which only the beginning was looked at. */
export function restOf(text: string, { end, isQuoted }: Value, bare: Bare): number {
	if (isQuoted || /[.:?!*_]/.test(text.charAt(end))) return end;
	let rest = end;
	for (let next = endOf(BARE[bare], text, rest); next !== undefined; next = endOf(BARE[bare], text, rest)) {
		if (UNSPACED.test(text.charAt(rest))) break;
		rest = next;
	}
	return rest;
}
