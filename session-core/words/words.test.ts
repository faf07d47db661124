import { describe, expect, it } from "vitest";
import { displayWidth } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";
import { ENGLISH } from "./en.ts";
import { LANGUAGE_FACTS, LANGUAGES } from "./languages.ts";
import { loadWords } from "./load.ts";

const TABLES = await Promise.all(LANGUAGES.map(async (code) => ({ code, words: await loadWords(code) })));

/** Every text of a table by its key; functions get each of `values` for all that they take. */
function textsOf(node: unknown, values: readonly unknown[], path = ""): [string, string][] {
	if (typeof node === "string") return [[path, node]];
	if (typeof node === "function") {
		const given = path === ".live.otherPi" ? FACTS : values.map((value) => [value, value]);
		return given.map((args) => [
			`${path}(${JSON.stringify(args)})`,
			String(Reflect.apply(node, undefined, args)),
		]);
	}
	if (typeof node !== "object" || node === null) return [];
	return Object.entries(node).flatMap(([key, inner]) => textsOf(inner, values, `${path}.${key}`));
}

const FACTS = [undefined, "laptop"].flatMap((host) =>
	["", "/dev/pts/3"].map((terminal) => [{ host, pid: 4242, state: "…", terminal }]),
);

/** What functions are given: numbers of every plural form, and a word. */
const VALUES = [1, 2, 5, 11, 21, 22, "x.ts"];

describe.each(TABLES)("the words in $code", ({ code, words }) => {
	const texts = textsOf(words, VALUES);

	it("are there for every key, fit to show, without a placeholder left", () => {
		for (const [key, text] of texts) {
			expect(text.trim(), key).not.toBe("");
			expect(cleanLine(text), key).toBe(text.trim());
			expect(text, key).not.toMatch(/undefined|null|NaN|\$\{|\[object(?! Object)/);
		}
	});

	it("have the keys of the English ones, and no entry is left in English by mistake", () => {
		const english = new Map(textsOf(ENGLISH, VALUES));
		expect(texts.map(([key]) => key)).toEqual([...english.keys()]);
		if (code === "en") return;
		const same = texts.filter(([key, text]) => english.get(key) === text && /\p{L}{4}/u.test(text));
		// "Sessions" and "message" are French, too; "Error" is Spanish; git's own words stand as they are.
		expect(new Set(same.map(([key]) => key.replace(/\(.*/, ""))).size).toBeLessThan(7);
	});

	it("are written in the language's own script", () => {
		const { script } = LANGUAGE_FACTS[code];
		const letters = script === "Kana" ? /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u : undefined;
		const own = letters ?? new RegExp(`\\p{Script=${script}}`, "u");
		for (const [key, text] of texts) {
			const prose = text.replace(/HEAD|pid|x\.ts|\/dev\/pts|<\d min/g, "");
			if (/\p{L}/u.test(prose)) expect(own.test(prose), `${key}: ${text}`).toBe(true);
		}
	});

	it("tell short ages in the columns that they promise", () => {
		const { columns, now, minutes, hours, days, weeks, months, years } = words.age.short;
		const widest = [now, minutes(59), hours(23), days(6), weeks(4), months(12), years(9)].map(displayWidth);
		expect(Math.max(...widest)).toBeLessThanOrEqual(columns);
		expect(columns).toBeLessThanOrEqual(7);
	});

	it("name the main key, all keys and the way out in one line of 40 columns", () => {
		const { resume, keys, close } = words.board;
		expect(displayWidth(` enter ${resume} · f1 ${keys} · esc ${close}`)).toBeLessThanOrEqual(40);
	});

	it("label each slot of a recap differently", () => {
		const { larger, asked, did, lastStep, said, open, error, cutShort } = words.recap;
		const labels = [larger, asked, did, lastStep, said, open, error, cutShort];
		expect(new Set(labels).size).toBe(labels.length);
		for (const label of labels) expect(label).toMatch(/(?:: |：)$/);
	});
});

it("plural forms follow the language's rules", async () => {
	const { age, live } = await loadWords("ru");
	expect([2, 5, 21].map(age.daysAgo)).toEqual(["2 дня назад", "5 дней назад", "21 день назад"]);
	expect([1, 3, 11].map(live.needYou)).toEqual([
		"1 сессия ждёт вас",
		"3 сессии ждут вас",
		"11 сессий ждут вас",
	]);
});
