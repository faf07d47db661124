/** Determines the language of a few sentences by their script, and by frequent words if several languages share the script. */
export interface Language {
	script: Script;
	/**
	 * The English name of the language, for a prompt. Undefined if several languages share the script and the words do not tell them
	 * apart.
	 */
	name: string | undefined;
}

export type Script = (typeof SCRIPTS)[number]["script"] | "Latin";

interface ScriptFacts {
	script: string;
	letters: RegExp;
	/** The name of the language, if only one language uses the script. */
	name?: string;
	/** Number of letters that count as one word in a script without spaces. */
	lettersPerWord?: number;
}

/** Kana is listed before Han, because it distinguishes Japanese from Chinese. */
const SCRIPTS = [
	{ script: "Hangul", letters: /\p{Script=Hangul}/gu, name: "Korean", lettersPerWord: 2.5 },
	{
		script: "Kana",
		letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
		name: "Japanese",
		lettersPerWord: 3,
	},
	{ script: "Han", letters: /\p{Script=Han}/gu, name: "Chinese", lettersPerWord: 2 },
	{ script: "Thai", letters: /\p{Script=Thai}/gu, name: "Thai", lettersPerWord: 4 },
	{ script: "Cyrillic", letters: /\p{Script=Cyrillic}+/gu },
	{ script: "Greek", letters: /\p{Script=Greek}+/gu, name: "Greek" },
	{ script: "Arabic", letters: /\p{Script=Arabic}+/gu },
	{ script: "Hebrew", letters: /\p{Script=Hebrew}+/gu, name: "Hebrew" },
	{ script: "Devanagari", letters: /\p{Script=Devanagari}+/gu },
	{ script: "Armenian", letters: /\p{Script=Armenian}+/gu, name: "Armenian" },
	{ script: "Georgian", letters: /\p{Script=Georgian}+/gu, name: "Georgian" },
	{ script: "Tamil", letters: /\p{Script=Tamil}+/gu, name: "Tamil" },
	{ script: "Bengali", letters: /\p{Script=Bengali}+/gu, name: "Bengali" },
] as const satisfies readonly ScriptFacts[];

/** Characters read. */
const BOUND = 4_000;
/** Maximum number of words that are counted in each line, so that a pasted log does not outweigh the sentence above it. */
const LINE_WORDS = 12;
/**
 * Minimum share of words in another script at which that script takes precedence over Latin. The share is low because prompts in every
 * language contain code and English terms.
 */
const MINORITY = 0.25;
/** A text with Han characters counts as Japanese if at least this share of its characters are kana. */
const KANA_SHARE = 0.15;

/** Matches text that belongs to no natural language: code, addresses, paths, identifiers. */
const NOT_PROSE =
	/```[\s\S]*?(?:```|$)|`[^`\n]*`|(?<![\w.@~-])(?:[a-z]+:\/\/\S+|[\w.@~-]*[/\\][\w./\\@~-]+|[\w-]+(?:\.[\w-]+)+|\w*[\d_]\w*|[a-z]+[A-Z]\w*)/g;

/** Returns the language of a text that the user wrote; undefined if the text contains no words. */
export function languageOf(text: string): Language | undefined {
	const prose = proseOf(text);
	const counts = wordsByScript(prose, LINE_WORDS);
	const total = sumOf(counts);
	if (total < ENOUGH) return undefined;
	const script = dominant(counts, total);
	if (script === "Latin") return { script, name: latinName(prose) };
	if (script === "Cyrillic") return { script, name: isRussian(prose) ? "Russian" : undefined };
	const facts: ScriptFacts | undefined = SCRIPTS.find((known) => known.script === script);
	return { script, name: facts?.name };
}

/**
 * Whether an answer of a few sentences is written in the script of this language. Names and terms in Latin script occur in every
 * language, and a few quoted words in another script are ignored.
 */
export function fitsScript(text: string, { script }: Language): boolean {
	const counts = wordsByScript(proseOf(text), Number.POSITIVE_INFINITY);
	const total = sumOf(counts);
	if (total < ENOUGH) return true;
	if (script === "Latin") return (counts.get("Latin") ?? 0) * 2 >= total;
	return dominant(counts, total) === script;
}

/** Minimum number of words that are needed to identify a language. */
const ENOUGH = 0.5;

function proseOf(text: string): string {
	return text.slice(0, BOUND).replace(NOT_PROSE, " ");
}

function sumOf(counts: ReadonlyMap<Script, number>): number {
	return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Minimum number of letters that are needed to identify an alphabet. */
const ALPHABET = 15;

/**
 * Whether a text is Russian. The Russian alphabet has letters that Bulgarian, Serbian and Ukrainian lack, and lacks letters that they
 * have.
 */
function isRussian(prose: string): boolean {
	const letters = prose.toLowerCase().match(/\p{Script=Cyrillic}/gu) ?? [];
	const own = letters.filter((letter) => /[а-яё]/.test(letter)).length;
	return own >= ALPHABET && own === letters.length && letters.some((letter) => /[ыэ]/.test(letter));
}

/** Counts words by script. `most` is the maximum number of words per line. */
function wordsByScript(prose: string, most: number): Map<Script, number> {
	const counts = new Map<Script, number>();
	for (const line of prose.split("\n")) {
		let room = most;
		const add = (script: Script, words: number) => {
			const counted = Math.min(room, words);
			room -= counted;
			counts.set(script, (counts.get(script) ?? 0) + counted);
		};
		for (const facts of SCRIPTS) {
			const { lettersPerWord = 1 }: ScriptFacts = facts;
			add(facts.script, (line.match(facts.letters)?.length ?? 0) / lettersPerWord);
		}
		add("Latin", line.match(/\p{Script=Latin}+/gu)?.length ?? 0);
	}
	return counts;
}

function dominant(counts: ReadonlyMap<Script, number>, total: number): Script {
	const of = (script: Script) => counts.get(script) ?? 0;
	const other = SCRIPTS.map(({ script }) => script).sort((a, b) => of(b) - of(a))[0] ?? "Latin";
	const isJapanese = of("Kana") > (of("Kana") + of("Han")) * KANA_SHARE;
	const count = other === "Han" || other === "Kana" ? of("Kana") + of("Han") : of(other);
	if (count < total * MINORITY) return "Latin";
	return other === "Han" && isJapanese ? "Kana" : other;
}

/** Short words that are frequent in one language and rare in the others. Only for languages in Latin script. */
const LITTLE_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
	English: new Set(
		"the and to of is that it for with this you not are be have can what when how i my we should why does do did was were but if there from has then all".split(
			" ",
		),
	),
	Spanish: new Set(
		"el los las del y una por como pero esta está más también cuando hay porque qué al con se su la en de que".split(
			" ",
		),
	),
	French: new Set(
		"le les des et est une pour dans avec sur pas mais cette être ça il je du au quand la en de que".split(
			" ",
		),
	),
	German: new Set(
		"und der die das ein eine nicht mit für auf ist sind wie auch noch wenn aber ich es im den dem beim".split(
			" ",
		),
	),
	Portuguese: new Set(
		"o os do da em uma não mais mas também quando isso você ao na no com se as de que e".split(" "),
	),
	Italian: new Set("il lo gli della di per una non più ma sono questo quando che è nel si la e".split(" ")),
	Dutch: new Set("de het een en van voor met niet op is zijn ook maar dat als deze wordt bij".split(" ")),
};
const SIGNS: readonly [RegExp, string][] = [
	[/[ñ¿¡]/u, "Spanish"],
	[/[ãõ]/u, "Portuguese"],
	[/ß/u, "German"],
];

/**
 * Returns the language of a text in Latin script, identified by its short words. Returns undefined unless one language clearly matches
 * best.
 */
export function latinName(text: string): string | undefined {
	const words = text.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
	const scores = Object.entries(LITTLE_WORDS)
		.map(([name, little]) => {
			const sign = SIGNS.some(([letters, of]) => of === name && letters.test(text.toLowerCase())) ? 2 : 0;
			return { name, score: sign + words.filter((word) => little.has(word)).length };
		})
		.sort((a, b) => b.score - a.score);
	const [first, second] = scores;
	if (!first || first.score < 2 || first.score - (second?.score ?? 0) < 1) return undefined;
	return first.name;
}

/**
 * Whether a short text may be in this language. The text must be in the language's script, and if its words identify a language, they must
 * identify this one.
 */
export function fitsLanguage(text: string, language: Language): boolean {
	const letters = text.match(/\p{L}/gu)?.length ?? 0;
	if (language.script === "Latin") {
		const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
		if (latin * 2 < letters) return false;
		const name = latinName(text);
		return name === undefined || language.name === undefined || name === language.name;
	}
	if (language.script === "Kana") return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
	if (language.script === "Han" && /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(text))
		return false;
	const facts = SCRIPTS.find((known) => known.script === language.script);
	return facts === undefined || text.search(facts.letters) >= 0;
}
