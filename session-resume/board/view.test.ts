import { describe, expect, onTestFinished, test } from "vitest";
import { hostColumns } from "../../session-core/pi/host/screen.ts";
import { cardWords, ENGLISH } from "../../session-core/recap/card-words.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { Screen } from "../../test/host/screen.ts";
import { until } from "../../test/host/until.ts";
import { type PiecePainter, painted, painterOf, piece } from "../pieces.ts";
import type { Preview } from "./acts.ts";
import { aHit, aRow, KEYS, liveState, MINUTE, NOW, someRows, TestBoard } from "./board.test-support.ts";
import type { BoardPorts } from "./board.ts";
import { helpLines } from "./help.ts";
import type { BoardKey } from "./keys.ts";
import { Pane } from "./pane.ts";
import { boardLines, listHeight } from "./view.ts";

const { displayWidth } = hostColumns;

const PLAIN: PiecePainter = {
	style: (_style, text) => text,
	chosen: (line) => line.map(({ text }) => text).join(""),
};
const STYLED: PiecePainter = {
	style: (style, text) => `<${style}:${text}>`,
	chosen: (line) => `[${painted(line, STYLED)}]`,
};

const DAY = 24 * 60 * MINUTE;
const ROWS = [
	aRow("asks", { name: "Fix the date parser", nameSource: "manual", modified: NOW - 2 * MINUTE }),
	aRow("cjk", {
		name: "修复解析器的时区问题，并为每一个边界情况补充测试，然后更新文档和示例",
		modified: NOW - 3 * DAY,
	}),
	aRow("emoji", { name: "🎉🚀 Release day 🇩🇪 👩‍👩‍👧 party", nameSource: "auto", modified: NOW - 400 * DAY }),
	aRow("ko", {
		firstPrompt: "날짜 파서를 고쳐 주세요 그리고 테스트도 실행해 주세요",
		modified: NOW - 5 * DAY,
		cwd: "/code/프로젝트",
	}),
];
const LIVE = [liveState("asks", { state: "waiting", since: NOW - 4 * MINUTE })];

type View = Partial<Parameters<typeof boardLines>[1]>;

function lines(
	{ board }: TestBoard,
	width: number,
	height: number,
	paint = PLAIN,
	more: View = {},
): string[] {
	return boardLines(board, { width, height, now: NOW, input: ">", keys: KEYS, ...more }, paint);
}
const textOf = (it: TestBoard, width: number) => lines(it, width, 30).join("\n");
const lineWith = (it: TestBoard, text: string, width: number, paint = PLAIN) =>
	lines(it, width, 18, paint).find((one) => one.includes(text)) ?? "";

function boardOf(rows = ROWS, height = 24, width = 80): TestBoard {
	return new TestBoard({ rows, page: listHeight(width, height) }).live(...LIVE);
}

function previewOf(...read: Preview[]): Pick<BoardPorts, "preview"> {
	return {
		preview: async function* () {
			yield* read;
		},
	};
}

function expectToFit(shown: string[], width: number, height = shown.length): void {
	expect(shown).toHaveLength(height);
	for (const line of shown) expect(displayWidth(line)).toBeLessThanOrEqual(width);
}

test.each([
	[12, 5],
	[40, 12],
	[80, 24],
	[200, 50],
])("%i x %i: the board fills the terminal, and no line is too wide", (width, height) => {
	const board = () => boardOf(ROWS, height, width);
	const search = board().type("x").press("search");
	for (const it of [
		board(),
		board().press("scope"),
		board().type("修复"),
		search,
		boardOf([], height, width),
	])
		expectToFit(lines(it, width, height), width, height);
});

test.each([40, 200])("in %i columns, a row has its columns, and no wide character is cut", async (width) => {
	const recap = recapOf({ next_actions: ["Throw or return null?"], last_message_id: "m9" });
	const pinned = aRow("pinned", { name: "Pinned one", modified: NOW - MINUTE });
	const rows = [...ROWS, aRow("asked", { name: "Asked one", modified: NOW - MINUTE, recap }), pinned];
	const it = boardOf(rows, 24, width).marks({ pinned: new Set([pinned.mark]) });
	const screen = new Screen(width, 24, () => undefined);
	onTestFinished(() => screen.dispose());
	await screen.write(lines(it, width, 24).join("\r\n"));
	const listWidth = width === 200 ? 200 - 80 - 3 : width;
	const rowWith = (title: string) => {
		const cells = screen.cells(screen.rowOf(new RegExp(`^.{4}${title}`))).slice(0, listWidth);
		return cells.map((cell) => (cell.width === 0 ? "" : cell.text || " ")).join("");
	};
	expect(rowWith("Fix the date")).toMatch(/^. ◆ Fix the date.* {3}2m$/);
	expect(rowWith("Asked one")).toMatch(/^. ◇ Asked one.* {3}1m$/);
	expect(rowWith("Pinned one")).toMatch(/^. ★ Pinned one.* {3}1m$/);
	expect(rowWith("날짜")).toMatch(/^ {4}날짜.* {3}5d$/);
	expect(rowWith("修复解析")).toMatch(width === 40 ? /….* {3}3d$/ : /示例.* {3}3d$/);
	expect(screen.cells(screen.rowOf(/修复/))[4]).toMatchObject({ text: "修", width: 2 });
	if (width < 80) return;
	expect(rowWith("Fix the date")).toMatch(/parser +waiting for you/);
	expect(rowWith("Asked one")).toMatch(/Asked one +→ Throw or return null\?/);
});

describe("a row shows", () => {
	test("the project if all projects are listed, even in 50 columns", () => {
		const it = boardOf(ROWS, 24, 50);
		expect(lineWith(it, "Fix the date", 50)).not.toContain("/code/app");
		expect(lineWith(it.press("scope"), "Fix the date", 50)).toContain(" /code/app ");
	});

	test("the dialog for which the session waits", () => {
		const it = new TestBoard({ rows: [aRow("one", { name: "Theme work" })] });
		it.live(liveState("one", { state: "waiting", dialog: "Permission" }));
		expect(lineWith(it, "Theme work", 120)).toMatch(/Theme work +Permission/);
	});

	test("a hit with its author and, if all projects are searched, its folder", () => {
		const [row = aRow("none")] = ROWS;
		const it = boardOf().press("scope").type("needle").press("search");
		it.hits([aHit(row, "…the needle", "user")]);
		expect(lineWith(it, "you: …the needle", 120)).toMatch(/Fix the.*you: …the needle .* \/code\/app +2m /);
		expect(lines(it, 120, 30)[0]).toContain("1 found for “needle” in 1");
	});
});

describe("the colors of the list", () => {
	const styled = (it: TestBoard, title: string) => lineWith(it, title, 118, STYLED);

	test("a title has the terminal's own color, and only a name that a person chose is bold", () => {
		const rows = [
			aRow("a", { name: "By a person", nameSource: "manual" }),
			aRow("b", { name: "By a model", nameSource: "auto" }),
			aRow("c", { firstPrompt: "A first prompt" }),
		];
		const it = new TestBoard({ rows });
		expect(styled(it, "By a person")).toMatch(/<strong:By a person/);
		for (const title of ["By a model", "A first prompt"])
			expect(styled(it, title)).not.toMatch(new RegExp(`<\\w+:[^<>]*${title}`));
	});

	test("if the topic of a note differs from the name, the topic is shown beside the name, dimmed", () => {
		const generator = { type: "llm" as const, provider: "a", model: "b" };
		const headline = "Port the lexer";
		const recap = recapOf({ generator, headline, text: "Porting it.", last_message_id: "m9" });
		const it = new TestBoard({ rows: [aRow("a", { name: "Parser work", nameSource: "manual", recap })] });
		expect(styled(it, "Parser work")).toMatch(/<strong:Parser work> ?· Port the lexer/);
		expect(textOf(it.press("down"), 118)).toMatch(/Parser work · Port the lexer/);
	});

	test.each([
		["with one background", "\x1b[48;5;24m", "bg(b(warning(◆ )row))"],
		["in reverse video of one color if the theme has none", "\x1b[49m", "inv(b(◆ row))"],
	])("the row under the cursor is bold, %s", (_, background, expected) => {
		const paint = painterOf({
			fg: (color, text) => `${color}(${text})`,
			bg: (_color, text) => `bg(${text})`,
			bold: (text) => `b(${text})`,
			inverse: (text) => `inv(${text})`,
			getBgAnsi: () => background,
		});
		expect(paint.chosen([piece("◆ ", "warning"), piece("row")])).toBe(expected);
	});
});

describe("the preview", () => {
	const recap = recapOf({
		headline: "Ported the theme",
		bullets: ["moved the colours"],
		next_actions: ["Run the linter"],
		artifacts: [{ kind: "file", label: "theme.ts", locator: "src/theme.ts" }],
		last_message_id: "m9",
	});
	const theme = (fields: Parameters<typeof aRow>[1]) => aRow("one", { name: "Theme work", ...fields });

	test("shows no record of an older state, and a description from the file until the file changes", async () => {
		const row = theme({ recap: { ...recap, last_message_id: "older" } });
		const described = { record: recap, stored: false, words: ENGLISH };
		const it = new TestBoard({ rows: [row] }, previewOf({ described }));
		expect(textOf(it, 80)).not.toContain("Ported the theme");
		await until(() => textOf(it, 80).includes("Ported the theme"), "what was read from the file");
		it.rows(theme({ changed: NOW + 1 }));
		expect(textOf(it, 80)).not.toContain("Ported the theme");
	});

	test("is in the language of its session, while the rest of the board is English", async () => {
		const stored = { ...recap, next_actions: ["Den Linter"], next_kinds: ["cut_short" as const] };
		const described = { record: stored, stored: true, words: cardWords("de", {})(undefined) };
		const rows = [theme({ recap: stored, modified: NOW - 2 * DAY })];
		const it = new TestBoard({ rows }, previewOf({ described }));
		await until(() => textOf(it, 120).includes("Abgebrochene Anfrage: Den Linter"), "the label");
		for (const text of ["Wartet auf deine Antwort", "2 days ago", "enter resume"])
			expect(textOf(it, 120)).toContain(text);
	});

	test.each([
		[40, 22],
		[118, 30],
	])("in %i x %i begins with the title and the question, and ends with the metadata", (width, height) => {
		const bullets = Array(5).fill("moved the colours");
		const rows = [theme({ recap: { ...recap, bullets, next_actions: ["Which blue is it?"] } })];
		const it = new TestBoard({ rows }).live(liveState("one", { state: "waiting" }));
		const text = lines(it, width, height).slice(-listHeight(width, height));
		const at = (part: string) => text.findIndex((line) => line.includes(part));
		expect(at("Which blue")).toBe(at("Theme work") + 1);
		expect(at("Ported the theme")).toBeGreaterThan(at("Which blue"));
		expect(at("• moved")).toBeGreaterThan(at("Ported"));
		expect(at("◆ waiting for you")).toBeGreaterThan(at("• moved"));
		if (width > 100) expect(at("theme.ts")).toBeGreaterThan(at("• moved"));
	});

	test("shows figures of the whole file and the repository, until the file changes", async () => {
		const facts = { messages: 12, cost: 0.421, contextWindow: 1_000, branch: "fix-dates", worktree: "dates" };
		const calls = { context: 337, cached: 0, at: NOW, isWritten: false, overhead: undefined, rates: {} };
		const described = { record: undefined, stored: false, words: ENGLISH, calls };
		const start = { rows: [aRow("one", { name: "One" })], page: listHeight(120, 30) };
		const it = new TestBoard(start, previewOf({ described }, { described, facts }));
		const text = () => textOf(it, 120).replace(/\s+/g, " ").replaceAll(" │ ", " ");
		expect(text()).not.toContain("started");
		await until(() => text().includes("12 messages"), "the figures");
		for (const fact of ["context 34 %", "cost $0.42", "branch fix-dates", "worktree dates"])
			expect(text()).toContain(fact);
		it.rows(aRow("one", { name: "One", changed: NOW + 1 }));
		expect(text()).not.toContain("12 messages");
	});
});

test("hostile text is shown as plain text", () => {
	const hostile = "\x1b]52;c;aGk=\x07\x1b[2J\u202eevil\u2066 \x9b31m\ud83d title\ttab\nline";
	const row = aRow("x", { name: hostile, firstPrompt: hostile, cwd: `/code/${hostile}` });
	const it = new TestBoard({ rows: [row], page: 9 }).press("scope").type("evil").press("search");
	it.hits([aHit(aRow("x", { name: hostile }), hostile)]);
	const text = lines(it, 100, 30).join("");
	expect(text).not.toMatch(
		/[\x00-\x1f\x7f-\x9f\u202e\u2066\ud800-\udfff](?<![\ud800-\udbff][\udc00-\udfff])(?![\udc00-\udfff])/,
	);
	expect(text).toContain("evil");
});

test.each([
	[20, 8],
	[80, 24],
])("%i x %i: a question and all its choices are on the screen", (width, height) => {
	const it = boardOf();
	const labels = ["Fork: continue in a copy", "Open anyway", "Cancel"];
	const text = "This session is open in another pi. Two tabs would mix their histories.";
	it.board.enter({ type: "question", text, labels, cursor: 0, answer: () => undefined });
	const shown = lines(it, width, height);
	expectToFit(shown, width, height);
	for (const part of ["This session", "Fork", "Open anyway", "Cancel"])
		expect(shown.join("\n")).toContain(part);
});

describe("the hints", () => {
	test.each([
		[40, /^ enter resume .*f1 keys · esc close$/],
		[80, /^ enter resume .*(?:\^D|ctrl\+d) .*f1 keys · esc close$/],
		[200, /^ enter resume .*S sort · .*X archive · .*L pin.*f1 keys · esc close$/i],
	])("in %i columns are never cut, and always name the keys for help and for closing", (width, hints) => {
		const hint = lines(new TestBoard({ rows: someRows(2) }), width, 24).at(-1) ?? "";
		expectToFit([hint], width);
		expect(hint.trimEnd()).toMatch(hints);
	});

	test("name F2 in 40 x 12 if the session can be answered, and are replaced by a whole message", () => {
		const it = new TestBoard({ rows: someRows(2) }).live(liveState("r0", { state: "finished" }));
		expect(lines(it, 40, 12).at(-1)?.trim()).toBe("f2 answer · f1 keys · esc close");
		const text = "Not answered: something has happened there since this message, or it was answered.";
		it.board.notify(text, "warning");
		expect(lines(it, 40, 24).slice(-3).join(" ").replace(/\s+/g, " ")).toContain(text);
	});

	test("are replaced by the known states or agents if the filter contains an unknown one", () => {
		const it = new TestBoard({ rows: someRows(2) });
		const hint = (query: string) => lines(it.type(query), 100, 24).at(-1);
		expect(hint("is:foo")).toContain('There is no state "foo". States: waiting, failed,');
		expect(hint("agent:foo")).toContain('There is no agent "foo". Agents: pi, claude-code,');
		expect(hint("is:idle agent:codex")).toContain("esc clear");
	});

	test.each([40, 120])("F1 explains every key, symbol and form of the filter in %i columns", (width) => {
		const shown = helpLines({ width, keys: KEYS }).map((line) => line.map(({ text }) => text).join(""));
		expectToFit(shown, width);
		const text = shown.join(" ").replace(/\s+/g, " ");
		for (const part of ["to the trash", "unarchive", "◇ closed, waiting for you", "★ pinned", "agent:codex"])
			expect(text).toContain(part);
		expect(text).not.toContain("…");
	});
});

test.each([40, 200])("a transcript fills the screen below the header in %i columns, and scrolls", (width) => {
	const it = new TestBoard({ rows: someRows(2) }).press("transcript");
	const pane = new Pane(() => Array.from({ length: 100 }, (_, index) => `line ${index}`), { from: "end" });
	const shown = () => lines(it, width, 24, PLAIN, { pane: (count) => pane.lines(width, count) });
	expect(shown()).toHaveLength(24);
	expect(shown()[0]).toContain("Session 0");
	expect(shown().at(-2)).toBe("line 99");
	expect(shown().at(-1)).toMatch(/scroll.*esc back/);
	expect(["up", "page_up", "down"].map((key) => pane.scroll(key as BoardKey))).toEqual([true, true, true]);
	expect(shown().at(-2)).toBe("line 79");
	expect(pane.scroll("home") && shown()[2]).toBe("line 0");
	expect(pane.scroll("up") && shown()[2]).toBe("line 0");
	expect(pane.scroll("confirm")).toBe(false);
});
