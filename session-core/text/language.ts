export interface Language {
	script: Script;
	/**
	 * The English name of the language, such as `French`. Undefined if the language is uncertain, because
	 * the closest match is often wrong.
	 */
	name: string | undefined;
}

export type Script = keyof typeof SCRIPTS | "Latin" | "Other";

/**
 * For each script, lists its ISO 15924 codes, the number of letters that count as one word (0 if the
 * script separates words with spaces), and its language if only one language uses the script.
 */
const SCRIPTS = {
	Hangul: ["Kore", 2.5, "Korean"],
	Kana: ["Jpan", 3, "Japanese"],
	Han: ["Hans Hant", 2, "Chinese"],
	Thai: ["Thai", 4, undefined],
	Cyrillic: ["Cyrl", 0, undefined],
	Greek: ["Grek", 0, undefined],
	Arabic: ["Arab", 0, undefined],
	Hebrew: ["Hebr", 0, undefined],
	Devanagari: ["Deva", 0, undefined],
} as const;
const NAMES = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];
const WORDS: readonly (readonly [Script, RegExp, number])[] = [...NAMES, "Latin" as const].map((script) => {
	const lettersPerWord = script === "Latin" ? 0 : SCRIPTS[script][1];
	const letter = script === "Kana" ? "[\\p{sc=Hiragana}\\p{sc=Katakana}]" : `\\p{sc=${script}}`;
	return [script, new RegExp(lettersPerWord > 0 ? letter : `${letter}+`, "gu"), lettersPerWord || 1];
});

const BOUND = 4_000;
/**
 * The minimum proportion of words in a non-Latin script for this script to take precedence over Latin. The
 * proportion is low, because prompts in every language contain English terms.
 */
const MINORITY = 0.25;
/**
 * The minimum proportion of kana in Japanese text. Text with Han characters and less kana is assumed to
 * be Chinese.
 */
const KANA_SHARE = 0.15;

const NOT_PROSE =
	/```[\s\S]*?(?:```|$)|`[^`\n]*`|(?<![\w.@~-])(?:[a-z]+:\/\/\S+|[\w.@~-]*[/\\][\w./\\@~-]+|[\w-]+(?:\.[\w-]+)+|\w*[\d_]\w*|[a-z]+[A-Z]\w*)/g;

export function languageOf(text: string): Language | undefined {
	const script = scriptOf(text)?.dominant;
	if (script === undefined) return undefined;
	const isShared = script === "Latin" || script === "Cyrillic";
	return { script, name: isShared ? provenName(text, script) : SCRIPTS[script][2] };
}

export function languageNamed(tag: string): Language & { name: string } {
	const { language, script = "" } = new Intl.Locale(tag).maximize();
	const known = NAMES.find((name) => SCRIPTS[name][0].includes(script));
	const name = new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? language;
	return { script: known ?? (script === "Latn" ? "Latin" : "Other"), name };
}

export function fitsScript(text: string, { script }: Language): boolean {
	const found = scriptOf(text);
	if (found === undefined || script === "Other") return true;
	return script === "Latin" ? found.latin >= 0.5 : found.dominant === script;
}

/**
 * Returns true if `text` may be in the given language. A string that contains only kanji may be
 * Japanese, because short Japanese titles often contain no kana.
 */
export function fitsLanguage(text: string, language: Language): boolean {
	const isKanji = language.script === "Kana" && /^[\P{L}\p{sc=Han}]+$/u.test(text);
	return isKanji || fitsScript(text, language);
}

function proseOf(text: string): string {
	return text.slice(0, BOUND).replace(NOT_PROSE, " ");
}

function scriptOf(text: string): { dominant: Exclude<Script, "Other">; latin: number } | undefined {
	const prose = proseOf(text);
	const counts = new Map(
		WORDS.map(([script, pattern, letters]) => [script, (prose.match(pattern)?.length ?? 0) / letters]),
	);
	const of = (script: Script): number => counts.get(script) ?? 0;
	const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
	if (total < 0.5) return undefined;
	const latin = of("Latin") / total;
	const [other = "Han"] = NAMES.toSorted((a, b) => of(b) - of(a));
	const isEastAsian = other === "Han" || other === "Kana";
	const cjk = of("Kana") + of("Han");
	if ((isEastAsian ? cjk : of(other)) < total * MINORITY) return { dominant: "Latin", latin };
	return { dominant: isEastAsian && of("Kana") > cjk * KANA_SHARE ? "Kana" : other, latin };
}

/**
 * For each language, lists words that no related language spells in the same way, and a pattern that
 * rejects similar unsupported languages by their letters.
 */
const PROOF: Readonly<Record<string, readonly [words: string, alphabet: RegExp]>> = {
	English: ["the and that with this you what when how why does were there from then your not", /^[a-z ]*$/],
	German: ["und nicht für auf ist sind auch wenn aber eine bitte ich wir dass warum", /^[a-zäöüß ]*$/],
	French: ["est une pour dans avec quand aux sont ça j qu où mais les des", /^[a-zàâæçéèêëîïôœùûü ]*$/],
	Spanish: ["los las más también cuando hay qué y esto eso", /^[a-záéíñóúü ]*$/],
	Portuguese: [
		"não uma você também isso são já um em ao pelo tem muito essa esse então depois",
		/^[a-záâãàçéêíóôõú ]*$/,
	],
	Russian: [
		"и не что как это для если чтобы из но или уже после почему мы в на",
		/^(?=.*[ыэ])[а-яё ]*и[а-яё ]*$/,
	],
};
const MARGIN = 3;

function provenName(text: string, script: "Latin" | "Cyrillic"): string | undefined {
	const word = new RegExp(`[\\p{sc=${script}}\\p{M}]+`, "gu");
	const words = proseOf(text).toLowerCase().match(word) ?? [];
	const found = Object.entries(PROOF).map(([name, [small, alphabet]]) => {
		const known = words.filter((word) => small.split(" ").includes(word));
		return { name, alphabet, count: known.length, different: new Set(known).size };
	});
	const [first, second] = found.sort((a, b) => b.count - a.count);
	if (!first || !second || first.count < MARGIN * second.count || first.different < 2) return undefined;
	// Prompts in all languages quote English errors, so English must have more matching words to be detected.
	const [isEnglish, share] = [first.name === "English", first.count / words.length];
	const isEnough = isEnglish ? share >= 0.2 : share >= 0.15 || first.different > 4;
	return isEnough && first.alphabet.test(words.join(" ")) ? first.name : undefined;
}
