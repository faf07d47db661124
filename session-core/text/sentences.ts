const SENTENCE_END =
	/(?<=[.!?…])(?<!\/\.{1,3})(?<!(?:^|[:;,.!?]\s|[:;]\n)\d{1,2}\.)(?<!\b(?:e\.g|i\.e|etc|vs|cf|z\.B|p\.ej|approx|No|Nr)\.)(?=\s)(?!\s+[→⇒=])|(?<=[。！？])(?![”」』»）)"])|(?<=[.!?]["')\]])(?=\s)(?!\s+\p{Ll})/u;

export function sentencesOf(text: string): string[] {
	const sentences: string[] = [];
	for (const part of text.split(SENTENCE_END).map((one) => one.trim())) {
		if (part === "") continue;
		const before = sentences.at(-1) ?? "";
		const whole = joinText([before, part]);
		if (isOpen(before) && !isOpen(whole)) sentences[sentences.length - 1] = whole;
		else sentences.push(part);
	}
	return sentences;
}

/** Joins sentences or lines with spaces, but without a space between Chinese or Japanese sentences. */
export function joinText(parts: readonly string[]): string {
	return parts.join("\n").replace(UNSPACED_BREAK, "").replaceAll("\n", " ");
}

const UNSPACED_BREAK =
	/(?<=[。！？；：，、）」』])\n|(?<=[\p{sc=Han}\u3000-\u30ff\uff01-\uff60])\n(?=[\p{sc=Han}\u3000-\u30ff\uff01-\uff60])/gu;

function isOpen(text: string): boolean {
	return text.split(/[(（]/).length > text.split(/[)）]/).length;
}
