import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { all, put, SessionText, START, useTemporaryFolder } from "../../log/session.test-support.ts";
import { remarksOn } from "../search-report.ts";
import { placeName, type ReadOutcome, readAround } from "./read.ts";
import { type SearchHit, type SearchOptions, searchSessions } from "./search.ts";

const folder = useTemporaryFolder();

function file(name: string, text: SessionText | string): { path: string } {
	return { path: put(join(folder(), `${name}.jsonl`), String(text)) };
}

async function hits(
	query: string,
	rows: SearchOptions["rows"],
	more: Partial<SearchOptions> = {},
): Promise<SearchHit[]> {
	return (await all(searchSessions({ query, rows, ...more }))).at(-1)?.hits ?? [];
}

const asked = (...said: string[]) => said.reduce((text, one) => text.user(one), new SessionText());

const excerpts = async (query: string, ...said: string[]) => {
	return (await hits(query, [file("s", asked(...said))])).map(({ excerpt }) => excerpt);
};

const ran = (command: string, output: string) => new SessionText().user("Task").bash(command, output);

describe("a query finds", () => {
	test.each<[string, string, string]>([
		["an entry that lacks some of its words", "parser missing absent", "the parser"],
		["any case", "PaRsEr", "the parser"],
		["any case beyond ASCII", "ПРИВЕТ", "привет мир"],
		["accents by plain letters", "cafe uber", "Café Über"],
		["plain letters by accents", "café", "the cafe"],
		["a decomposed accent", "caf\u00e9", "cafe\u0301 au lait"],
		["a sharp s by two", "strasse", "die Straße"],
		["a part of camelCase", "parser", "see dateParserError"],
		["a part of snake_case", "parser", "see date_parser_error"],
		["a part of a path", "parser", "see src/date/parser.ts"],
		["a whole path", "src/date/parser.ts", "see src/date/parser.ts"],
		["an identifier by its parts", "date parser error", "see dateParserError"],
		["forms of a word by their common beginning", "migrations", "we migrated the migration"],
		["the beginning of a word", "auth", "the authentication"],
		["Chinese", "解析器", "修复日期解析器的错误"],
		["Japanese", "日付", "日付の解析を直す"],
		["kana with a voicing mark", "デバッグ", "デバッグのログ"],
		["Russian letters with a mark", "файл", "открой файл"],
		["a sharp s in a longer word", "Größenordnung", "die Größenordnung"],
		["Greek by capitals", "ΦΩΣ", "το φώς"],
		["Vietnamese", "tiếng Việt", "tiếng Việt"],
		["Korean without its particle", "파일", "핵심 파일을 작성합니다"],
	])("%s", async (_, query, text) => {
		expect(await excerpts(query, text)).toEqual([text.normalize("NFC") === text ? text : expect.anything()]);
	});

	test.each<[string, string, string]>([
		["names of JSON fields", "toolCallId", "hello"],
		["another word with the same first letters", "contract", "the container"],
		["nothing, for a query without words", "  !? ", "hello"],
	])("not %s", async (_, query, text) => {
		expect(await excerpts(query, text)).toEqual([]);
	});

	test("text that a writer escaped", async () => {
		const line =
			'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"\\u89e3\\u6790 caf\\u00C9"}}\n';
		const row = file("s", new SessionText() + line);
		expect(await hits("解析", [row])).toHaveLength(1);
		expect(await hits("café", [row])).toHaveLength(1);
	});
});

describe("the order of hits", () => {
	test("more of the words first, and rarer words before common ones", async () => {
		expect(
			await excerpts("flaky retry queue", "the queue", "a flaky retry of the queue", "the retry queue"),
		).toEqual(["a flaky retry of the queue", "the retry queue", "the queue"]);
		const noise = Array.from({ length: 20 }, (_, at) => `build number ${at}`);
		expect((await excerpts("build zeppelin", ...noise, "zeppelin"))[0]).toBe("zeppelin");
	});

	test("whole paths first, whatever else matches", async () => {
		const parts = "app.ts in src, src and app, app in src";
		expect((await excerpts("src/app.ts", parts, "look at src/app.ts today"))[0]).toBe(
			"look at src/app.ts today",
		);
	});

	test("the current project before the others, and the newer of two equal entries", async () => {
		const [newer, older, near] = ["newer", "older", "near"].map((name) =>
			file(name, new SessionText().user(`the needle ${name}`)),
		) as [{ path: string }, { path: string }, { path: string }];
		const found = await hits("needle", [newer, older, { ...near, near: true }]);
		expect(found.map(({ path }) => path)).toEqual([near.path, newer.path, older.path]);
	});

	test("includes one entry of a turn, up to the limit", async () => {
		const text = new SessionText().user("a fish").assistant("the fish fish").user("fish").user("more fish");
		const progress = (await all(searchSessions({ query: "fish", rows: [file("s", text)], limit: 2 }))).at(-1);
		expect(progress).toMatchObject({ total: 3, searched: 1, done: true });
		expect(progress?.hits).toHaveLength(2);
	});
});

describe("the rank of a turn", () => {
	const first = async (query: string, ...turns: SessionText[]) =>
		(
			await hits(
				query,
				turns.map((text, at) => file(`turn${at}`, text)),
			)
		)[0]?.excerpt;

	test("counts words elsewhere in the turn and in the session, including its folder and name", async () => {
		const turn = new SessionText()
			.user("open the database of the small shop at the harbor for me, please")
			.assistant("There are nine tables.");
		const other = new SessionText().user("hello").assistant("There are nine tables here.");
		expect(await first("nine tables database", other, turn)).toBe("There are nine tables.");
		const session = (cwd: string, name: string) =>
			new SessionText({ cwd }).user("hello").name(name).user(`nine tables ${cwd.length}`);
		const [here, there] = [session("/code/civ6", "a"), session("/code/b", "a")];
		expect(await first("civ6 nine tables", there, here)).toBe("nine tables 10");
		const named = [session("/c/aaaa", "x"), session("/code/b", "ledger")].map((text, at) =>
			file(`named${at}`, text),
		);
		const found = (await hits("ledger nine tables", named)).filter(({ excerpt }) => /^nine/.test(excerpt));
		expect(found[0]?.path).toBe(named[1]?.path);
	});

	test("counts the agent's hidden reasoning, which alone is no match and is never shown", async () => {
		const reply = (thinking: string, text: string) =>
			new SessionText().user("go").entry("message", {
				message: {
					role: "assistant",
					content: [
						{ type: "thinking", thinking },
						{ type: "text", text },
					],
				},
			});
		const [about, other] = [
			reply("the mast of the ship", "The sail is up."),
			reply("well", "The sail is up!"),
		];
		expect(await first("sail ship", other, about)).toBe("The sail is up.");
		expect(await first("mast", about)).toBe(undefined);
	});

	test("does not grow with the length of a message: a short command comes before a plan that repeats its words", async () => {
		const plan = Array.from(
			{ length: 60 },
			(_, at) => `Step ${at}: write the retry code, then run its tests again.`,
		);
		const session = new SessionText().user("go").assistant(plan.join("\n"));
		const short = ran("npm run retry-queue", "retry queue drained");
		expect(await first("run retry queue", session, short)).toContain("retry-queue → retry queue drained");
	});
});

describe("what is searched", () => {
	test("commands, and both ends of what they printed but not the bulk between", async () => {
		const bulk = "bulk ".repeat(4_000);
		const row = file("s", ran("npm run flatten", `header\n${bulk} middle ${bulk}\nfooter`));
		expect(await hits("flatten", [row])).toMatchObject([{ by: "action" }]);
		expect(await hits("header", [row])).toMatchObject([{ by: "result" }]);
		expect(await hits("footer", [row])).toMatchObject([{ by: "result" }]);
		expect(await hits("middle", [row])).toEqual([]);
	});

	test("summaries, but no names, recaps, hidden reasoning or hidden messages", async () => {
		const recap = { headline: "needle", bullets: [], next_actions: [] };
		const summary = new SessionText().entry("compaction", { summary: "needle summary" });
		expect(await hits("needle", [file("summary", summary)])).toMatchObject([{ by: "note" }]);
		const thinking = [{ type: "thinking", thinking: "needle" }];
		const silent = new SessionText()
			.entry("message", { message: { role: "assistant", content: thinking } })
			.name("needle name")
			.entry("label", { label: "needle" })
			.entry("custom", { customType: "session-suite:recap", data: recap })
			.entry("custom", { customType: "x", data: "needle" })
			.entry("custom_message", { display: false, content: "needle" });
		expect(await hits("needle", [file("silent", silent)])).toEqual([]);
	});

	test("entries of a time range, except the request that the agent is working on", async () => {
		const rows = [file("s", new SessionText().user("old needle").user("needle").user("new needle"))];
		const found = async (more: Partial<SearchOptions>) =>
			(await hits("needle", rows, more)).map(({ excerpt }) => excerpt).sort();
		expect(await found({ since: START + 2_000 })).toEqual(["needle", "new needle"]);
		expect(await found({ until: START + 2_000 })).toEqual(["old needle"]);
		const asking = { path: rows[0]?.path ?? "", from: START + 3_000 };
		expect(await found({ asking })).toEqual(["needle", "old needle"]);
	});
});

describe("a file that is searched", () => {
	test("can be missing, torn, a folder, or have two entries on a line", async () => {
		const torn = file(
			"torn",
			new SessionText().user("whole needle").user("torn needle").toString().slice(0, -5),
		);
		const glued = file(
			"glued",
			new SessionText().user("hay").user("glued needle").toString().replaceAll("\n", ""),
		);
		const rows = [{ path: join(folder(), "gone") }, torn, { path: folder() }, glued];
		expect((await hits("needle", rows)).map(({ excerpt }) => excerpt).sort()).toEqual([
			"glued needle",
			"whole needle",
		]);
	});

	test("can have lines of several megabytes, and matches at the borders of the pieces that are read", async () => {
		const long = file(
			"long",
			new SessionText().padding(3_500_000).user("needle").padding(2_000_000).user("hay"),
		);
		expect(await hits("needle", [long])).toHaveLength(1);
		expect(await hits("hay", [long])).toHaveLength(1);
		for (let shift = 0; shift < 60; shift += 6) {
			const text = new SessionText().padding(1_048_300 + shift * 2).user("needle");
			expect(await hits("needle", [file("s", text)])).toHaveLength(1);
		}
	});

	test("can be written meanwhile: each search finds the lines that are complete", async () => {
		const row = file("s", new SessionText().user("first needle"));
		const [line = ""] = new SessionText().user("second needle").lines.slice(-1);
		appendFileSync(row.path, line.slice(0, 40));
		expect(await hits("needle", [row])).toHaveLength(1);
		appendFileSync(row.path, `${line.slice(40)}\n`);
		expect(await hits("needle", [row])).toHaveLength(2);
	});
});

describe("what is shown", () => {
	test("with onlyRelevant, is the best three hits, and others only if they match nearly as well", async () => {
		const texts = ["the brass compass", "brass", "a brass lamp", "brass again", "more brass"];
		const close = ["brass one", "brass two", "brass three", "brass four"];
		const found = async (query: string, said: readonly string[]) => {
			const rows = [file("s", asked(...said))];
			const last = (await all(searchSessions({ query, rows, onlyRelevant: true }))).at(-1);
			return { count: last?.hits.length, total: last?.total };
		};
		expect(await found('"brass compass"', texts)).toEqual({ count: 3, total: 5 });
		expect(await found("brass", close)).toEqual({ count: 4, total: 4 });
	});

	test("is a command with its result, whichever of them matches", async () => {
		const row = file("s", ran("npm ls -g", "@google/jules 0.1.42").user("other").user("words"));
		const [byCall] = await hits("npm ls", [row]);
		const [byResult] = await hits("jules", [row]);
		expect(byCall?.excerpt).toBe("bash npm ls -g → @google/jules 0.1.42");
		expect(byResult?.excerpt).toBe(byCall?.excerpt);
		expect([byCall?.entryId, byResult?.entryId]).toEqual(["e0000001", "e0000002"]);
	});

	test("is one hit for the same text in forks and for a repeated prompt, with the number of copies", async () => {
		const session = ran("make needle", "done").user("needle again").user("hay").user("needle again");
		const found = await hits("needle", [file("fork", session), file("origin", session)]);
		expect(found.map(({ excerpt, count }) => [excerpt, count]).sort()).toEqual([
			["bash make needle → done", 2],
			["needle again", 4],
		]);
	});

	test("mentions the last later place of the same session that contains the same words", async () => {
		const session = asked("use Redis for the retry queue today", "hay", "the retry queue: SQLite", "queue");
		const found = await hits("redis retry queue", [file("s", session)]);
		const by = (text: string) => found.find(({ excerpt }) => excerpt.includes(text));
		expect(
			(await hits("retry queue", [file("s", session)])).find((hit) => /Redis/.test(hit.excerpt))?.later,
		).toEqual({ offset: by("SQLite")?.offset, at: by("SQLite")?.at });
		expect(by("SQLite")?.later).toBe(undefined);
		const [first] = await hits("redis queue", [file("s", session)]);
		const place = placeName(by("SQLite")?.offset ?? 0);
		const later = { offset: by("SQLite")?.offset ?? 0, at: (first?.at ?? 0) + 3 * 3_600_000 };
		expect(first && remarksOn({ ...first, count: 3, later })).toBe(` (×3; later: ${place}, 3h after)`);
	});

	test.each([
		["DB_PASSWORD=", "Xk9fTr0ubador77q"],
		["Authorization: Bearer ", "Xk9fTr0ubador77qXk9fTr0ubador77q"],
		["", ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_")],
	])("contains no secret that a cut through a long output separates from %j", async (name, secret) => {
		for (let shift = 0; shift <= secret.length; shift += 4) {
			const end = ` needle ${"so ".repeat(600)}`.slice(0, 1_200 - secret.length + shift);
			const output = `${"so ".repeat(600)}${name}${secret}${end}`;
			const [hit] = await hits("needle", [file("s", ran("env", output))]);
			expect(hit?.excerpt).not.toContain(secret.slice(-8));
		}
	});

	test("contains no secret that a cut separates in the middle of a large file, in the second hit as well", async () => {
		const secret = ["Xk9fTr0ub", "ador77q"].join("");
		const output = (word: string) =>
			`${"so ".repeat(600)}DB_PASSWORD=${secret} ${word} ${"so ".repeat(600)}`.slice(0, 3_015);
		const lines = [output("needle one"), output("needle two")].flatMap((text) =>
			ran("env", text).lines.slice(1),
		);
		const large = new SessionText()
			.padding(1_200_000)
			.lines.concat(lines, new SessionText().padding(1_200_000).lines.slice(1));
		const found = await hits("needle", [file("large", `${large.join("\n")}\n`)]);
		expect(found.length).toBeGreaterThan(0);
		for (const { excerpt } of found) expect(excerpt).not.toContain(secret);
	});

	test("is a short line around the words", async () => {
		const [excerpt = ""] = await excerpts("needle", `${"before ".repeat(90)}needle ${"after ".repeat(90)}`);
		expect(excerpt).toMatch(/^…(before )+needle (after )+after…$/);
		expect(excerpt.length).toBeLessThanOrEqual(300);
	});

	test("is nothing once the search is aborted", async () => {
		const row = file("s", new SessionText().user("needle"));
		const controller = new AbortController();
		const endless = (function* () {
			for (let count = 0; ; count++) {
				if (count === 50) controller.abort();
				yield row;
			}
		})();
		const progress = await all(searchSessions({ query: "needle", rows: endless, signal: controller.signal }));
		expect(progress.filter(({ done }) => done)).toEqual([]);
	});
});

test("an exact word comes before shorter entries with a similar one", async () => {
	const exact = `We should think about how the model uses its context, because ${"long files do not fit ".repeat(3)}`;
	const session = asked("content policy", exact, "more contests", "contents");
	expect((await hits("context", [file("s", session)]))[0]?.excerpt).toMatch(/^We should think/);
});

test("a match in a long reply is in the section that its position names, and the sections show the whole reply", async () => {
	const reply = `${"before ".repeat(700)}the needle${" after".repeat(700)} the end`;
	const row = file("long", new SessionText().user("Task").assistant(reply));
	const [hit] = await hits("needle", [row]);
	expect(hit?.section).toBe(2);
	const texts: string[] = [];
	let place: string | undefined = placeName(hit?.offset ?? 0);
	while (place) {
		const read: ReadOutcome = await readAround(row.path, place, 0);
		if (!read.ok) throw new Error(read.reason);
		texts.push(read.entries[0]?.parts[0]?.text ?? "");
		place = read.next;
	}
	expect(texts[1]).toContain("the needle");
	expect(texts.at(-1)).toMatch(/the end$/);
});

test("around a command, it and its result are shown whole, and their neighbors are shortened", async () => {
	const output = "line of output ".repeat(100);
	const session = ran("npm run flatten", `${output}end`).user("long prompt ".repeat(100)).assistant("Done.");
	const row = file("s", session);
	for (const query of ["flatten", "output"]) {
		const [hit] = await hits(query, [row]);
		const read = await readAround(row.path, placeName(hit?.offset ?? 0), 1);
		if (!read.ok) throw new Error(read.reason);
		const texts = read.entries.flatMap(({ parts }) => parts.map(({ text }) => text));
		expect(texts.slice(0, 3)).toEqual(["Task", "bash npm run flatten", `${output}end`]);
		if (query === "output") expect(texts[3]?.length).toBeLessThan(220);
	}
});

test("a message that is over 1 MB because of its images is searched by its text, and shown", async () => {
	const image = (size: number) => ({
		type: "image",
		data: "iVBORw0KGgo".repeat(size),
		mimeType: "image/png",
	});
	const prompt = (text: string, ...content: object[]) => ({
		message: { role: "user", content: [...content, { type: "text", text }] },
	});
	const session = new SessionText()
		.user("hay")
		.entry("message", prompt("the needle is red", image(150_000), image(150_000)))
		.assistant("Done.")
		.entry("message", prompt("the needle at the end", image(120_000)));
	const row = file("s", session);
	const found = await hits("needle", [row]);
	expect(found.map(({ excerpt }) => excerpt).sort()).toEqual(["the needle at the end", "the needle is red"]);
	const red = found.find(({ excerpt }) => /red/.test(excerpt));
	const read = await readAround(row.path, placeName(red?.offset ?? 0), 1);
	expect(read).toMatchObject({ entries: [{}, { parts: [{ text: "the needle is red" }] }, {}] });
});

test("with a period, only entries of that period are read and counted, however many newer ones there are", async () => {
	const newer = asked(...Array<string>(1_300).fill("deploy"));
	const rows = [file("old", new SessionText().user("deploy the old one"))];
	const until = START + 60_000;
	const later = file(
		"new",
		String(newer).replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"2031-01-01T00:00:00.000Z"'),
	);
	const last = (await all(searchSessions({ query: "deploy", rows: [later, ...rows], until }))).at(-1);
	expect(last).toMatchObject({ total: 1, hits: [{ excerpt: "deploy the old one" }] });
});

test("this project comes first, however many newer entries contain the words", async () => {
	const others = asked(...Array<string>(1_300).fill("migration of the schema"));
	const own = file("own", new SessionText().user("the schema migration"));
	const rows = [file("others", others), { ...own, near: true }];
	expect((await hits('"schema migration"', rows))[0]?.path).toBe(own.path);
});

test("earlier calls of the search tools, and their results, are not searched", async () => {
	const session = new SessionText()
		.user("Task")
		.tool("session_search", { query: "brass compass" }, "the brass compass")
		.tool("session_read", { session: "brass compass" }, "the brass compass");
	expect(await hits("brass compass", [file("own", session)])).toEqual([]);
});
