import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuery } from "./query.ts";
import { type SearchHit, searchSessions } from "./search.ts";
import { all, put, SessionText, useTemporaryFolder } from "./store.test-support.ts";

const folder = useTemporaryFolder();

function file(name: string, text: SessionText | string): { path: string } {
	return { path: put(join(folder(), `${name}.jsonl`), String(text)) };
}

async function hits(query: string, rows: { path: string }[], perSession = 1): Promise<SearchHit[]> {
	const batches = await all(searchSessions({ query, rows, perSession }));
	return batches.flatMap((batch) => ("hit" in batch ? [batch.hit] : []));
}

const found = async (query: string, text: string) =>
	(await hits(query, [file("s", new SessionText().user(text))])).length;

describe("searching sessions", () => {
	it("gives the entry and an excerpt, in the order of the rows", async () => {
		const one = file(
			"one",
			new SessionText().user("nothing").assistant("We fixed the date parser yesterday."),
		);
		const two = file("two", new SessionText().user("The PARSER is broken"));
		expect(await hits("parser", [two, one])).toEqual([
			{ path: two.path, entryId: "e0000000", by: "user", excerpt: "The PARSER is broken" },
			{
				path: one.path,
				entryId: "e0000001",
				by: "assistant",
				excerpt: "We fixed the date parser yesterday.",
			},
		]);
	});

	it.each<[string, string, string]>([
		["any case", "PaRsEr", "the parser"],
		["any case beyond ASCII", "ÜBER straße", "Über die Straße"],
		["Cyrillic in any case", "привет", "ПРИВЕТ мир"],
		["a final sigma", "ΚΟΣΜΟΣ", "ο κοσμος όλος"],
		["a capital sigma by a final one", "κόσμος", "ΚΌΣΜΟΣ"],
		["a sharp s by two", "STRASSE", "die Straße dort"],
		["two s by a sharp one", "straße", "DIE STRASSE DORT"],
		["a ligature", "first", "the \ufb01rst one"],
		["what a quotation mark opens and nothing closes", '"date parser', "the date parser"],
		["Chinese", "解析器", "修复日期解析器的错误"],
		["Korean", "이제", "이제 핵심 파일을 작성합니다"],
		["an emoji", "🎉", "done 🎉"],
		["a quotation mark", 'say"', 'they say"no"'],
		["a backslash", "C:\\dir", "in C:\\dir\\file"],
		["a slash", "src/app", "see src/app.ts"],
		["a special character of expressions", "a.b(c)*", "x a.b(c)* y"],
		["words in any order", "parser date", "the date of the parser"],
		["quoted words across a line end", '"date parser"', "the date\nparser"],
		["a composed accent, found decomposed", "caf\u00e9", "cafe\u0301 au lait"],
		["a decomposed accent, found composed", "cafe\u0301", "caf\u00e9 au lait"],
	])("finds %s", async (_, query, text) => {
		expect(await found(query, text)).toBe(1);
	});

	it.each<[string, string, string]>([
		["one of two words", "parser missing", "the parser"],
		["quoted words apart", '"date parser"', "the parser of the date"],
		["names of JSON fields", "toolcallid", "hello"],
		["a wildcard", "a.b", "axb"],
		["a part of a letter", "s", "Ruß hier".slice(0, 3)],
		["the words of an open quotation apart", '"date parser', "the parser of the date"],
	])("does not find %s", async (_, query, text) => {
		expect(await found(query, text)).toBe(0);
	});

	it("finds text that a writer escaped", async () => {
		const line =
			'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"\\u89e3\\u6790 caf\\u00C9"}}\n';
		const row = file("s", new SessionText() + line);
		expect(await hits("解析", [row])).toHaveLength(1);
		expect(await hits("café", [row])).toHaveLength(1);
	});

	it("shows no secret whose name stands before the excerpt", async () => {
		const secret = ["k3J9x", "Q2mZ7pL5w"].join("");
		const row = file(
			"s",
			new SessionText().user(`password=${secret}\n${"so ".repeat(400)} again ${secret} needle`),
		);
		const [hit] = await hits("needle", [row]);
		expect(hit?.excerpt).toContain("again [redacted] needle");
	});

	it("searches what was said, not what was read or thought", async () => {
		const text = new SessionText()
			.entry("message", { message: { role: "toolResult", content: [{ type: "text", text: "needle" }] } })
			.entry("message", {
				message: { role: "assistant", content: [{ type: "thinking", thinking: "needle" }] },
			})
			.entry("custom", { customType: "x", data: "needle" });
		expect(await hits("needle", [file("s", text)])).toEqual([]);
		const notes = new SessionText().entry("compaction", { summary: "needle" }).name("needle");
		expect((await hits("needle", [file("s", notes)], 9)).map((hit) => hit.by)).toEqual(["note", "note"]);
	});

	it("gives as many hits a session as asked for", async () => {
		const text = new SessionText().user("one fish").user("two fish").user("red fish");
		expect(await hits("fish", [file("s", text)], 2)).toHaveLength(2);
	});

	it("shows excerpts that are clean, short, and around the match", async () => {
		const text = new SessionText().user(
			`${"before ".repeat(90)}\u001b[31mneedle\u202e ${"after ".repeat(90)}`,
		);
		const [hit] = await hits("needle", [file("s", text)]);
		expect(hit?.excerpt).toMatch(/^…(before )+needle (after )+after…$/);
		expect(hit?.excerpt.length).toBeLessThanOrEqual(160);
	});

	it("finds matches wherever the file is cut into pieces", async () => {
		for (let shift = 0; shift < 60; shift++) {
			const text = new SessionText().padding(1_048_300 + shift * 2).user("needle");
			const row = file("s", text.padding(2_000).user("haystack"));
			expect(await hits("needle", [row])).toHaveLength(1);
			expect(await hits("haystack", [row])).toHaveLength(1);
		}
	});

	it("passes over lines of megabytes and goes on behind them", async () => {
		const text = new SessionText().padding(3_500_000).user("needle").padding(2_000_000).user("haystack");
		const row = file("s", text);
		expect(await hits("needle", [row])).toHaveLength(1);
		expect(await hits("haystack", [row])).toHaveLength(1);
	});

	it("survives missing, damaged and foreign files", async () => {
		const torn = file("torn", new SessionText().user("needle").toString().slice(0, -5));
		const glued = file("glued", new SessionText().user("hay").user("needle").toString().replaceAll("\n", ""));
		const rows = [{ path: join(folder(), "gone") }, torn, { path: folder() }, glued];
		expect((await hits("needle", rows)).map((hit) => hit.path)).toEqual([glued.path]);
	});

	it("gives nothing for a query without words", async () => {
		expect(await hits("  ", [file("s", new SessionText().user("x"))])).toEqual([]);
	});

	it("tells how far it is", async () => {
		const row = file("s", new SessionText().user("x"));
		const rows = Array.from({ length: 100 }, () => row);
		expect(await all(searchSessions({ query: "nothing", rows }))).toEqual([
			{ searched: 64 },
			{ searched: 100 },
		]);
	});

	it("ends when it is told to", async () => {
		const row = file("s", new SessionText().user("needle"));
		const controller = new AbortController();
		let count = 0;
		for await (const _ of searchSessions({ query: "needle", rows: repeat(row), signal: controller.signal })) {
			if (++count === 3) controller.abort();
		}
		expect(count).toBe(3);
	});

	it("never misses in bytes what it would find in text", () => {
		const word = fc.string({
			unit: fc.constantFrom(
				"a",
				"B",
				"é",
				"É",
				"語",
				'"',
				"\\",
				"/",
				"🎉",
				".",
				"ß",
				"s",
				"ς",
				"Σ",
				"ΐ",
				"ﬃ",
				"f",
				"İ",
			),
			minLength: 1,
		});
		fc.assert(
			fc.property(word, fc.string({ unit: "binary" }), fc.boolean(), (said, around, upper) => {
				const query = readQuery(`"${said.replaceAll('"', "")}"`);
				const text = `${around}${upper ? said.toUpperCase() : said}${around}`;
				if (!query?.find(text)) return;
				query.candidate.lastIndex = 0;
				expect(query.candidate.test(Buffer.from(JSON.stringify(text)).toString("latin1"))).toBe(true);
			}),
		);
	});
});

function* repeat<T>(row: T): Generator<T> {
	for (;;) yield row;
}
