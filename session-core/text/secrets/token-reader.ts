import type { Anchor } from "./anchors.ts";
import { matchAt, type Reader } from "./scan.ts";
import { TOKEN_FORMATS, type TokenFormat } from "./token-formats.ts";

const LONGEST_LEAD = 40;
/** What is glued to a token goes with it: cut off, it could start a token of its own. */
const GLUED = "[A-Za-z0-9_-]*";

/** Whether a token may begin at `at`: it starts a word, or follows an escape (`\n`) or percent encoding (`%3D`) that ends in a letter or digit. */
function startsWord(text: string, at: number): boolean {
	if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
	return /(?:\\[nrtbf]|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, at - 3), at));
}

function readerFor({ lead, shape }: TokenFormat): Reader {
	let pattern: RegExp | undefined;
	const isBehind = shape.startsWith("(?<=");
	return (scan, at, literal) => {
		let start = isBehind ? placeBehind(scan.text, at, literal) : at;
		const limit = at - LONGEST_LEAD;
		while (lead && start > 0 && start > limit && lead.test(scan.text.charAt(start - 1))) start--;
		if (!isBehind && !startsWord(scan.text, start)) return;
		pattern ??= new RegExp(shape + GLUED, "y");
		for (; start <= at || isBehind; start++) {
			const token = matchAt(pattern, scan.text, start);
			if (token) scan.hide(start, start + token[0].length);
			if (token || isBehind || !lead) return;
		}
	};
}

/** Behind the path segment or number that stands between the anchor and its token. */
function placeBehind(text: string, at: number, literal: string): number {
	const start = at + literal.length;
	const between = /^(?:services|workflows|triggers|\d{1,20})\//.exec(text.slice(start, start + 24));
	return start + (between?.[0].length ?? 0);
}

/** Secrets that are known by their shape alone. */
export const TOKEN_ANCHORS: readonly Anchor<Reader>[] = TOKEN_FORMATS.flatMap((format) => {
	const value = readerFor(format);
	return format.anchors.map((literal) => ({ literal, exact: true, value }));
});
