/** Code units handed to the segmenter at once: it copies its input, so a long text costs only what is read of it. */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined;

/**
 * The graphemes of a text, from its start, lazily. One longer than the window (no script has any) comes in pieces.
 * The segmenter is made at first use: loading an extension should not pay for it.
 */
export function* graphemesOf(text: string): Generator<string, void, undefined> {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
	let start = 0;
	while (start < text.length) {
		const window = text.slice(start, start + WINDOW);
		const isLast = start + window.length === text.length;
		let read = 0;
		for (const { segment, index } of segmenter.segment(window)) {
			const touchesEnd = index + segment.length === window.length;
			if (touchesEnd && !isLast && index > 0) break; // It may go on beyond the window.
			read = index + segment.length;
			yield segment;
		}
		start += read;
	}
}
