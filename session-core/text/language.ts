/** Determines the language of a few sentences by their script, and by frequent words if several languages share the script. */
export interface Language {
	script: Script;
	/** The English name of the language; undefined if several languages share the script and the words do not tell them apart. */
	name: string | undefined;
}

export type Script = keyof typeof SCRIPTS | "Latin";

/** The only language of each script, and the number of its letters that count as one word if the script has no spaces. */
const SCRIPTS = {
	Hangul: ["Korean", 2.5],
	Kana: ["Japanese", 3],
	Han: ["Chinese", 2],
	Thai: ["Thai", 4],
	Cyrillic: [undefined, 0],
	Greek: ["Greek", 0],
	Arabic: [undefined, 0],
	Hebrew: ["Hebrew", 0],
	Devanagari: [undefined, 0],
	Armenian: ["Armenian", 0],
	Georgian: ["Georgian", 0],
	Tamil: ["Tamil", 0],
	Bengali: ["Bengali", 0],
} as const;
const NAMES = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];
const WORDS: readonly (readonly [Script, RegExp, number])[] = [...NAMES, "Latin" as const].map((script) => {
	const lettersPerWord = script === "Latin" ? 0 : SCRIPTS[script][1];
	const letter = script === "Kana" ? "[\\p{sc=Hiragana}\\p{sc=Katakana}]" : `\\p{sc=${script}}`;
	return [script, new RegExp(lettersPerWord > 0 ? letter : `${letter}+`, "gu"), lettersPerWord || 1];
});

/** Characters read. */
const BOUND = 4_000;
/** Minimum number of words that are needed to identify a language. */
const ENOUGH = 0.5;
/**
 * Minimum share of words in another script at which that script takes precedence over Latin. The share is low because prompts in every
 * language contain code and English terms.
 */
const MINORITY = 0.25;
/** A text with Han characters counts as Japanese if at least this share of its words are in kana. */
const KANA_SHARE = 0.15;

/** Matches text that belongs to no natural language: code, addresses, paths, identifiers. */
const NOT_PROSE =
	/```[\s\S]*?(?:```|$)|`[^`\n]*`|(?<![\w.@~-])(?:[a-z]+:\/\/\S+|[\w.@~-]*[/\\][\w./\\@~-]+|[\w-]+(?:\.[\w-]+)+|\w*[\d_]\w*|[a-z]+[A-Z]\w*)/g;

/** Returns the language of a text that the user wrote; undefined if the text contains no words. */
export function languageOf(text: string): Language | undefined {
	const script = scriptOf(text)?.dominant;
	if (script === undefined) return undefined;
	if (script === "Latin") return { script, name: latinName(proseOf(text)) };
	return { script, name: isRussian(proseOf(text)) ? "Russian" : SCRIPTS[script][0] };
}

/**
 * Whether an answer is written in the script of this language. Names and terms in Latin script occur in every language, and a few quoted
 * words in another script are ignored.
 */
export function fitsScript(text: string, { script }: Language): boolean {
	const found = scriptOf(text);
	if (found === undefined) return true;
	return script === "Latin" ? found.latin >= 0.5 : found.dominant === script;
}

/** Like {@link fitsScript}, for a title. If the words of the title identify a language, it must be this one. */
export function fitsLanguage(text: string, language: Language): boolean {
	const isKanji = language.script === "Kana" && /^[\P{L}\p{sc=Han}]+$/u.test(text);
	const name = language.script === "Latin" ? latinName(text) : undefined;
	return (isKanji || fitsScript(text, language)) && (!name || !language.name || name === language.name);
}

function proseOf(text: string): string {
	return text.slice(0, BOUND).replace(NOT_PROSE, " ");
}

/** Returns the dominant script and the share of words in Latin script. */
function scriptOf(text: string): { dominant: Script; latin: number } | undefined {
	const prose = proseOf(text);
	const counts = new Map<Script, number>();
	for (const [script, pattern, lettersPerWord] of WORDS)
		counts.set(script, (prose.match(pattern)?.length ?? 0) / lettersPerWord);
	const of = (script: Script): number => counts.get(script) ?? 0;
	const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
	if (total < ENOUGH) return undefined;
	const latin = of("Latin") / total;
	const [other = "Han"] = NAMES.toSorted((a, b) => of(b) - of(a));
	const isEastAsian = other === "Han" || other === "Kana";
	const cjk = of("Kana") + of("Han");
	if ((isEastAsian ? cjk : of(other)) < total * MINORITY) return { dominant: "Latin", latin };
	return { dominant: isEastAsian && of("Kana") > cjk * KANA_SHARE ? "Kana" : other, latin };
}

/** Minimum number of letters that are needed to identify an alphabet. */
const ALPHABET = 15;

/**
 * Whether a text is Russian. The Russian alphabet has letters that Bulgarian, Serbian and Ukrainian lack, and lacks letters that they
 * have.
 */
function isRussian(prose: string): boolean {
	const letters = prose.toLowerCase().replace(/\P{Script=Cyrillic}/gu, "");
	return letters.length >= ALPHABET && /^[а-яё]+$/.test(letters) && /[ыэ]/.test(letters);
}

/** Short words that are frequent in one language and rare in the others, and letters that only this language uses. */
const LITTLE_WORDS: Readonly<Record<string, readonly [words: string, letters?: RegExp]>> = {
	English: [
		"the and to of is that it for with this you not are be have can what when how i my we should why does do did was were but if there from has then all",
	],
	Spanish: [
		"el los las del y una por como pero esta está más también cuando hay porque qué al con se su la en de que",
		/[ñ¿¡]/u,
	],
	French: ["le les des et est une pour dans avec sur pas mais cette être ça il je du au quand la en de que"],
	German: [
		"und der die das ein eine nicht mit für auf ist sind wie auch noch wenn aber ich es im den dem beim",
		/ß/u,
	],
	Portuguese: ["o os do da em uma não mas mais também quando isso você ao na no com se as de que e", /[ãõ]/u],
	Italian: ["il lo gli della di per una non più ma sono questo quando che è nel si la e"],
	Dutch: ["de het een en van voor met niet op is zijn ook maar dat als deze wordt bij"],
};

/** Returns the language of a text in Latin script, identified by its short words; undefined unless one language matches best. */
function latinName(text: string): string | undefined {
	const words = text.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
	const [first, second] = Object.entries(LITTLE_WORDS)
		.map(([name, [little, letters]]) => {
			const known = little.split(" ");
			const sign = letters?.test(text.toLowerCase()) ? 2 : 0;
			return { name, score: sign + words.filter((word) => known.includes(word)).length };
		})
		.sort((a, b) => b.score - a.score);
	if (!first || first.score < 2 || first.score - (second?.score ?? 0) < 1) return undefined;
	return first.name;
}
