import { describe, expect, onTestFinished, test } from "vitest";
import { hostColumns } from "../../session-core/pi/host/screen.ts";
import { cardWords, ENGLISH } from "../../session-core/recap/card-words.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { Screen } from "../../test/host/screen.ts";
import { until } from "../../test/host/until.ts";
import { type PiecePainter, painted, painterOf, piece } from "../pieces.ts";
import { aHit, aRow, KEYS, liveState, MINUTE, NOW, someRows, TestBoard } from "./board.test-support.ts";
import type { Board } from "./board.ts";
import { helpLines } from "./help.ts";
import type { BoardKey } from "./keys.ts";
import { Pane } from "./pane.ts";
import { boardLines, listHeight } from "./view.ts";

const { displayWidth } = hostColumns;

const PLAIN: PiecePainter = {
	style: (_style, text) => text,
	chosen: (line) => line.map(({ text }) => text).join(""),
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

function lines(board: Board, width: number, height: number): string[] {
	return boardLines(board, { width, height, now: NOW, input: ">", keys: KEYS }, PLAIN);
}

function boardOf(rows = ROWS, height = 24, width = 80): TestBoard {
	return new TestBoard({ rows, page: listHeight(width, height) }).live(...LIVE);
}

/** The lines as a terminal shows them. */
async function onScreen(painted: string[], width: number): Promise<Screen> {
	const screen = new Screen(width, painted.length, () => undefined);
	onTestFinished(() => screen.dispose());
	await screen.write(painted.join("\r\n"));
	return screen;
}

/** The text of some cells of a row. */
function cellsOf(screen: Screen, line: number, from: number, to: number): string {
	return screen
		.cells(line)
		.slice(from, to)
		.map(({ text, width }) => (width === 0 ? "" : text || " "))
		.join("");
}

describe("in any size", () => {
	const sizes = [
		[12, 5],
		[40, 12],
		[80, 24],
		[200, 50],
	] as const;
	test.each(sizes)("%i x %i: the board fills the terminal, and no line is too wide", (width, height) => {
		const shown = [
			boardOf(ROWS, height, width),
			boardOf(ROWS, height, width).press("scope"),
			boardOf(ROWS, height, width).type("修复"),
			boardOf(ROWS, height, width).type("x").press("search"),
			boardOf([], height, width),
		];
		for (const { board } of shown) {
			const painted = lines(board, width, height);
			expect(painted).toHaveLength(height);
			for (const line of painted) expect(displayWidth(line)).toBeLessThanOrEqual(width);
		}
	});
});

test.each([40, 200])(
	"in %i columns, a row has its symbol in the third column and its age at the right edge, and no wide character is cut",
	async (width) => {
		const recap = recapOf({ next_actions: ["Throw or return null?"], last_message_id: "m9" });
		const pinned = aRow("pinned", { name: "Pinned one", modified: NOW - MINUTE });
		const rows = [...ROWS, aRow("asked", { name: "Asked one", modified: NOW - MINUTE, recap }), pinned];
		const it = boardOf(rows, 24, width).marks({ pinned: new Set([pinned.mark]), archived: new Set() });
		const screen = await onScreen(lines(it.board, width, 24), width);
		const listWidth = width === 200 ? 200 - 80 - 3 : width;
		const rowWith = (title: string) =>
			cellsOf(screen, screen.rowOf(new RegExp(`^.{4}${title}`)), 0, listWidth);
		expect(rowWith("Fix the date")).toMatch(/^. ◆ Fix the date.* {3}2m$/);
		expect(rowWith("Asked one")).toMatch(/^. ◇ Asked one.* {3}1m$/);
		expect(rowWith("Pinned one")).toMatch(/^. ★ Pinned one.* {3}1m$/);
		expect(rowWith("날짜")).toMatch(/^ {4}날짜.* {3}5d$/);
		expect(rowWith("修复解析")).toMatch(width === 40 ? /….* {3}3d$/ : /示例.* {3}3d$/);
		expect(screen.cells(screen.rowOf(/修复/))[4]).toMatchObject({ text: "修", width: 2 });
		if (width < 80) return;
		expect(rowWith("Fix the date")).toMatch(/parser +waiting for you/);
		expect(rowWith("Asked one")).toMatch(/Asked one +→ Throw or return null\?/);
	},
);

describe("a row shows", () => {
	const line = (it: TestBoard, text: string, width = 120) =>
		lines(it.board, width, 30).find((one) => one.includes(text)) ?? "";

	test("the project if all projects are listed, even in 50 columns", () => {
		const it = boardOf(ROWS, 24, 50);
		expect(line(it, "Fix the date", 50)).not.toContain("/code/app");
		expect(line(it.press("scope"), "Fix the date", 50)).toContain(" /code/app ");
	});

	test("its note and its folder in the same columns, whatever is before the title", () => {
		const work = {
			of: "m9",
			title: "",
			source: "topic" as const,
			waits: true,
			next: { kind: "question" as const, text: "Which one?" },
		};
		const rows = [
			aRow("plain", { name: "Plain", work }),
			aRow("fork", { name: "Forked", kind: "fork", work }),
			aRow("pin", { name: "Pinned", kind: "fork", work }),
		];
		for (const width of [72, 90, 110, 119]) {
			const it = new TestBoard({ rows, page: 20 }).press("scope").live(liveState("pin", { state: "failed" }));
			it.marks({ pinned: new Set([rows[2]?.mark ?? ""]), archived: new Set() });
			const listed = rows.map(({ title }) => line(it, `${title} `, width));
			expect(listed[2]).toContain("✗ ★ ↳ Pinned");
			expect(new Set(listed.slice(0, 2).map((text) => text.indexOf("asks:"))).size).toBe(1);
			expect(new Set(listed.map((text) => text.lastIndexOf("/code/app"))).size).toBe(1);
		}
	});

	test("a hit with its author and, if all projects are searched, its folder", () => {
		const [row = aRow("none")] = ROWS;
		const it = boardOf().press("scope").type("needle").press("search");
		it.hits([aHit(row, "…the needle", "user")]);
		expect(line(it, "you: …the needle")).toMatch(/Fix the.*you: …the needle .* \/code\/app +2m /);
		expect(lines(it.board, 120, 30)[0]).toContain("1 found for “needle” in 1");
	});
});

describe("the colors of the list", () => {
	/** Shows each style in angle brackets. */
	const STYLED: PiecePainter = {
		style: (style, text) => `<${style}:${text}>`,
		chosen: (line) => `[${painted(line, STYLED)}]`,
	};
	const styled = (it: TestBoard, title: string) =>
		boardLines(it.board, { width: 118, height: 18, now: NOW, input: ">", keys: KEYS }, STYLED).find((one) =>
			one.includes(title),
		) ?? "";
	const record = (outcome: "done" | "aborted" | "error" | "waiting") =>
		recapOf({ outcome, next_actions: ["Run it"], last_message_id: "m9" });
	const failure = { id: "m9", role: "assistant", stopReason: "error", errorMessage: "overloaded", at: NOW };

	test("a title has the terminal's own color, and only a name that a person chose is bold", () => {
		const rows = [
			aRow("a", { name: "By a person", nameSource: "manual" }),
			aRow("b", { name: "By a model", nameSource: "auto" }),
			aRow("c", { firstPrompt: "A first prompt" }),
		];
		const it = new TestBoard({ rows, page: 10 });
		for (const { title, titleSource } of rows) {
			const bold = new RegExp(`<strong:${title}`);
			if (titleSource === "manual") expect(styled(it, title)).toMatch(bold);
			else expect(styled(it, title)).not.toMatch(new RegExp(`<w+:[^<>]*${title}`));
		}
	});

	test("if the topic of a note differs from the name, the topic is shown beside the name, dimmed", () => {
		const note = recapOf({
			generator: { type: "llm", provider: "a", model: "b" },
			headline: "Port the lexer",
			text: "Porting it.",
			last_message_id: "m9",
		});
		const rows = [aRow("a", { name: "Parser work", nameSource: "manual", recap: note })];
		const it = new TestBoard({ rows, page: 10 });
		expect(styled(it, "Parser work")).toMatch(/<strong:Parser work> ?· Port the lexer/);
		it.press("down");
		expect(lines(it.board, 118, 30).join("\n")).toMatch(/Parser work · Port the lexer/);
	});

	test("only the age, the folder and the notes of finished, closed sessions are dim", () => {
		const rows = (["done", "aborted", "waiting"] as const).map((outcome) =>
			aRow(outcome, { name: `It ${outcome}`, recap: record(outcome) }),
		);
		const it = new TestBoard({ rows: [...rows, aRow("x", { name: "It failed", last: failure })], page: 10 });
		it.press("scope");
		expect(styled(it, "It done")).toMatch(/<dim:→ Run it .*<dim:\/code\/app .*<dim: +5m>/);
		expect(styled(it, "It aborted")).toMatch(/(?<!:)→ Run it/);
		expect(styled(it, "It waiting")).toContain("<warning:→ Run it");
		expect(styled(it, "It failed")).toMatch(/<error:[^<]*overloaded/);
		it.live(liveState("done", { state: "idle" }));
		expect(styled(it, "It done")).toMatch(/(?<!:)→ Run it/);
	});

	const theme = (background: string) => ({
		fg: (color: string, text: string) => `${color}(${text})`,
		bg: (_color: string, text: string) => `bg(${text})`,
		bold: (text: string) => `b(${text})`,
		inverse: (text: string) => `inv(${text})`,
		getBgAnsi: () => background,
	});
	test.each([
		["with one background", "\x1b[48;5;24m", "bg(b(warning(◆ )row))"],
		["in reverse video of one color if the theme has none", "\x1b[49m", "inv(b(◆ row))"],
	])("the row under the cursor is bold, %s", (_, background, expected) => {
		expect(painterOf(theme(background)).chosen([piece("◆ ", "warning"), piece("row")])).toBe(expected);
	});

	test.each([
		["title", "Move the retry queue to SQLite so that jobs survive a restart of the server", "Which one?"],
		["question", "Retry queue", "Which of the two do you want: the queue in SQLite, or Redis with a file?"],
	])("a long %s uses the columns that the other text leaves free", (_, name, question) => {
		const recap = recapOf({ outcome: "waiting", next_actions: [question], last_message_id: "m9" });
		const it = new TestBoard({ rows: [aRow("a", { name, recap })] });
		const [row] = lines(it.board, 110, 18).filter((line) => line.includes(name));
		expect(row).toContain(question);
	});
});

describe("the card beside or below", () => {
	const recap = recapOf({
		headline: "Ported the theme",
		bullets: ["moved the colours"],
		next_actions: ["Run the linter"],
		artifacts: [{ kind: "file", label: "theme.ts", locator: "src/theme.ts" }],
		last_message_id: "m9",
	});

	test("a record of an older state is not shown, and a description from the file is shown until the file changes", async () => {
		const row = aRow("one", { name: "Theme work", recap: { ...recap, last_message_id: "older" } });
		const described = { record: recap, stored: false, words: ENGLISH };
		const it = new TestBoard({ rows: [row], page: 10 }, { card: async () => described });
		const text = () => lines(it.board, 80, 30).join("\n");
		expect(text()).not.toContain("Ported the theme");
		await until(() => text().includes("Ported the theme"), { what: "what was read from the file" });
		it.rows(aRow("one", { name: "Theme work", changed: NOW + 1 }));
		expect(text()).not.toContain("Ported the theme");
	});

	test("is in the language of its session, while the rest of the board is English", async () => {
		const stored = { ...recap, next_actions: ["Den Linter"], next_kinds: ["cut_short" as const] };
		const row = aRow("one", { name: "Theme work", recap: stored, modified: NOW - 2 * DAY });
		const words = cardWords("de", {})(undefined);
		const described = { record: stored, stored: true, words };
		const it = new TestBoard({ rows: [row], page: 10 }, { card: async () => described });
		const text = () => lines(it.board, 120, 30).join("\n");
		await until(() => text().includes("Abgebrochene Anfrage: Den Linter"), { what: "the German label" });
		expect(text()).toContain("Wartet auf deine Antwort");
		expect(text()).toContain("2 days ago");
		expect(text()).toContain("enter resume");
	});

	test.each([
		[40, 22],
		[60, 24],
		[118, 30],
	])("in %i x %i, the question follows the title, and the metadata is last", (width, height) => {
		const stored = {
			...recap,
			bullets: Array(5).fill("moved the colours"),
			next_actions: ["Which blue is it?"],
		};
		const rows = [aRow("one", { name: "Theme work", recap: stored })];
		const it = new TestBoard({ rows, page: 10 }).live(liveState("one", { state: "waiting" }));
		const text = lines(it.board, width, height).slice(-listHeight(width, height));
		const at = (part: string) => text.findIndex((line) => line.includes(part));
		expect(at("Which blue")).toBe(at("Theme work") + 1);
		expect(at("Ported the theme")).toBeGreaterThan(at("Which blue"));
		expect(at("• moved")).toBeGreaterThan(at("Ported"));
		expect(at("◆ waiting for you")).toBeGreaterThan(at("• moved"));
		if (width > 100) expect(at("theme.ts")).toBeGreaterThan(at("• moved"));
	});

	test("names the process that has the session open", () => {
		expect(lines(boardOf().board, 80, 24).join("\n")).toContain(
			"◆ waiting for you for 4m · 2 minutes ago · /code/app · pid 4242 · acme/m-1",
		);
	});
});

test("while a name is typed, a label replaces the header", () => {
	const it = new TestBoard({ rows: [aRow("one", { name: "Theme work", nameSource: "auto" })], page: 10 });
	const header = () => lines(it.board, 80, 24)[0];
	expect(header()).toContain(" Sessions");
	it.press("rename").type("Colours");
	expect(header()).toContain("New name for “Theme work”");
	expect(header()).not.toContain("Sessions");
});

test("hostile text is shown as plain text", () => {
	const hostile = "\x1b]52;c;aGk=\x07\x1b[2J\u202eevil\u2066 \x9b31m\ud83d title\ttab\nline";
	const it = new TestBoard({
		rows: [aRow("x", { name: hostile, firstPrompt: hostile, cwd: `/code/${hostile}` })],
		page: 9,
	});
	it.press("scope").type("evil").press("search");
	const hit = aHit(aRow("x", { name: hostile }), hostile);
	it.hits([hit]);
	const text = [...lines(it.board, 100, 30), ...lines(boardOf().board, 100, 30)].join("");
	expect(text).not.toMatch(
		/[\x00-\x1f\x7f-\x9f\u202e\u2066\ud800-\udfff](?<![\ud800-\udbff][\udc00-\udfff])(?![\udc00-\udfff])/,
	);
	expect(text).toContain("evil");
});

test.each([
	[20, 8],
	[80, 24],
])("%i x %i: a question and all its choices are on the screen", (width, height) => {
	const { board } = boardOf();
	const labels = ["Fork: continue in a copy", "Open anyway", "Cancel"];
	const text = "This session is open in another pi. Two tabs would mix their histories.";
	board.mode = { type: "question", text, labels, cursor: 0, answer: () => undefined };
	const painted = lines(board, width, height);
	expect(painted).toHaveLength(height);
	for (const line of painted) expect(displayWidth(line)).toBeLessThanOrEqual(width);
	for (const part of ["This session", "Fork", "Open anyway", "Cancel"])
		expect(painted.join("\n")).toContain(part);
});

describe("the hints", () => {
	test.each([40, 80, 200])(
		"in %i columns are never cut, and always name the keys for help and for closing",
		(width) => {
			const hint = lines(new TestBoard({ rows: someRows(2) }).board, width, 24).at(-1) ?? "";
			expect(displayWidth(hint)).toBeLessThanOrEqual(width);
			expect(hint.trimEnd()).toMatch(/enter resume .*f1 keys · esc close$/);
			if (width >= 80) expect(hint).toMatch(/\^?D|ctrl\+d/);
			if (width >= 200) expect(hint).toMatch(/S sort · .*X archive · .*L pin/i);
		},
	);

	test.each([40, 100])("a message is shown in full in %i columns", (width) => {
		const it = new TestBoard({ rows: someRows(2) });
		const text =
			"Not answered: something has happened there since this message, or it was answered. Press Enter.";
		it.board.notify(text, "warning");
		const shown = lines(it.board, width, 24);
		expect(shown).toHaveLength(24);
		expect(shown.slice(-3).join(" ").replace(/\s+/g, " ")).toContain(text);
	});

	test("if the filter contains an unknown state, the known states are shown", () => {
		const it = new TestBoard({ rows: someRows(2) }).type("is:foo");
		expect(lines(it.board, 100, 24).at(-1)).toContain("is:foo is not a state. States: waiting, failed,");
		expect(lines(it.type("is:idle").board, 100, 24).at(-1)).toContain("esc clear");
	});

	test.each([40, 120])("F1 explains every key, symbol and form of the filter in %i columns", (width) => {
		const painted = helpLines({ width, keys: KEYS }).map((line) => line.map(({ text }) => text).join(""));
		const text = painted.join(" ").replace(/\s+/g, " ");
		for (const act of ["to the trash", "the order of the list", "unarchive", "pin the session to the top"])
			expect(text).toContain(act);
		for (const symbol of [
			"◆ waiting for you",
			"✗ ",
			"● working",
			"○ ",
			"◇ closed, waiting for you",
			"★ pinned",
		])
			expect(text).toContain(symbol);
		for (const form of ["the start of an id", '"a b"', "agent:codex"]) expect(text).toContain(form);
		for (const line of painted) expect(displayWidth(line)).toBeLessThanOrEqual(width);
		expect(text).not.toContain("…");
	});
});

describe("an empty list says why", () => {
	const done = (it: TestBoard) =>
		it.scanned(
			it.board.list.scope,
			it.board.list.sessions.map(({ path }) => path),
		);
	test.each([
		["while it is read", new TestBoard(), "Loading sessions …"],
		[
			"without sessions",
			done(new TestBoard()),
			"No sessions in this project yet. Press tab to list all sessions.",
		],
		["without any sessions", done(new TestBoard().press("scope")), "No sessions yet."],
		[
			"with a filter that fits nothing",
			done(new TestBoard({ rows: someRows(2) }).type("is:failed")),
			"No session matches this filter.",
		],
		["during a search", new TestBoard({ query: "x" }).press("search"), "Searching …"],
		["after a search", new TestBoard({ query: "x" }).press("search").hits([]), "No messages match."],
	])("%s", (_, { board }, text) => {
		expect(lines(board, 80, 12)[3]?.trim()).toBe(text);
	});
});

test("the preview shows figures of the whole file and the repository, until the file changes", async () => {
	const facts = { messages: 12, cost: 0.421, contextWindow: 1_000, branch: "fix-dates", worktree: "dates" };
	const calls = { context: 337, cached: 0, at: NOW, isWritten: false, overhead: undefined, rates: {} };
	const described = { record: undefined, stored: false, words: ENGLISH, calls };
	const start = { rows: [aRow("one", { name: "One" })], page: listHeight(120, 30) };
	const it = new TestBoard(start, {
		card: async () => described,
		previewFacts: async () => facts,
	});
	const text = () => lines(it.board, 120, 30).join("\n").replace(/\s+/g, " ");
	expect(text()).not.toContain("started");
	await until(() => text().includes("12 messages"), { what: "the figures" });
	for (const fact of ["context 34 %", "cost $0.42", "branch fix-dates", "worktree dates"])
		expect(text().replaceAll(" │ ", " ")).toContain(fact);
	it.rows(aRow("one", { name: "One", changed: NOW + 1 }));
	expect(text()).not.toContain("12 messages");
});

test.each([40, 200])("a transcript fills the screen below the header in %i columns, and scrolls", (width) => {
	const it = new TestBoard({ rows: someRows(2) }).press("transcript");
	const pane = new Pane(() => Array.from({ length: 100 }, (_, index) => `line ${index}`), { from: "end" });
	const painted = () =>
		boardLines(
			it.board,
			{ width, height: 24, now: NOW, input: ">", keys: KEYS, pane: (count) => pane.lines(width, count) },
			PLAIN,
		);
	expect(painted()).toHaveLength(24);
	expect(painted()[0]).toContain("Session 0");
	expect(painted().at(-2)).toBe("line 99");
	expect(painted().at(-1)).toMatch(/scroll.*esc back/);
	expect(["up", "page_up", "down"].map((key) => pane.scroll(key as BoardKey))).toEqual([true, true, true]);
	expect(painted().at(-2)).toBe("line 79");
	expect(pane.scroll("home") && painted()[2]).toBe("line 0");
	expect(pane.scroll("up") && painted()[2]).toBe("line 0");
	expect(pane.scroll("confirm")).toBe(false);
});
