import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLAUDE_CODE, CODEX } from "../../session-core/log/format.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { filtered, readFilter } from "../../session-core/sessions/session-list.mjs";
import { aRow, liveState, NO_MARKS } from "./board.test-support.ts";
import { List, newTopicOf, type Row, threaded, withLive } from "./list.ts";

const lastMessage = (fields: object) => ({
	last: { id: "m9", role: "assistant", stopReason: "stop", errorMessage: undefined, at: 0, ...fields },
});
const failed = lastMessage({ stopReason: "error", errorMessage: "overloaded" });
const next = { kind: "question" as const, text: "SQLite or files?" };
const work = { title: "Move the queue", source: "topic" as const, waits: true, next };

test.each<[string, Parameters<typeof aRow>[1], object]>([
	["a person's name", { name: "Mine", nameSource: "manual" }, { title: "Mine", titleSource: "manual" }],
	["nothing", { name: "\x1b[31m\u200b", firstPrompt: undefined }, { title: "(no messages)" }],
	["its topic", { work }, { title: "Move the queue", titleSource: "topic", waits: true, next }],
	["no empty topic", { work: { ...work, title: "" } }, { title: "Task of one" }],
	["a failure with its reason", failed, { ending: { outcome: "error", reason: "overloaded" } }],
	["an interruption", lastMessage({ stopReason: "aborted" }), { ending: { outcome: "aborted" } }],
	["no ending after a reply", lastMessage({}), { ending: undefined }],
])("a row has %s", (_, fields, expected) => expect(aRow("one", fields)).toMatchObject(expected));

test("a name that differs from the topic only in control characters is not followed by the topic", () => {
	const recap = recapOf({
		headline: "Port the theme",
		text: "The theme was ported.",
		generator: { type: "llm", provider: "acme", model: "m" },
		last_message_id: "m9",
	});
	expect(newTopicOf(aRow("one", { name: "Port the \x1b[31mtheme", recap }))).toBe("");
	expect(newTopicOf(aRow("two", { name: "\x1b[31m", recap }))).toBe("");
	expect(newTopicOf(aRow("three", { name: "Fix the parser", recap }))).toBe("Port the theme");
});

const filteredRows = (rows: readonly Row[], query: string) => filtered(rows, readFilter(query));
const titles = (rows: readonly Row[]) => rows.map(({ title }) => title);
const named = (name: string, more = {}) => aRow(name, { name, firstPrompt: undefined, ...more });

describe("the filter", () => {
	const parser = "Fix the date parser";
	const rows = [
		aRow("0195abcd", { name: parser, firstPrompt: "It fails in Berlin" }),
		aRow("two", { name: "Fix the widget", firstPrompt: "It fails in Berlin" }),
		named("Menu of the Café"),
		named("修复解析器的时区问题"),
	];

	test.each([
		["all words, anywhere and in any case", "BERLIN parser", [parser]],
		["words in quotation marks, in this order", '"date parser"', [parser]],
		["an open quotation mark, which reaches to the end", '"parser date', []],
		["without accents", "cafe", ["Menu of the Café"]],
		["any part of a Chinese text", "解析器", ["修复解析器的时区问题"]],
		["the start of an id", "0195ab", [parser]],
		["no other part of an id", "abcd", []],
	])("finds %s (%s)", (_, query, expected) => expect(titles(filteredRows(rows, query))).toEqual(expected));

	test("lists titles first, then other text; equal matches keep the list's order", () => {
		const listed = ["A parser, older", "A parser, oldest", "Something else"];
		const said = aRow("said", { name: "Something else", firstPrompt: "the parser" });
		const rows = [said, ...listed.slice(0, 2).map((one) => named(one))];
		expect(titles(filteredRows(rows, "parse"))).toEqual(listed);
	});

	test.each(["ported", "colours", "linter", "code/app"])("finds recaps and projects (%s)", (query) => {
		const headline = "Ported the theme";
		const texts = { headline, bullets: ["moved the colours"], next_actions: ["Run the linter"] };
		const row = aRow("one", { recap: recapOf({ ...texts, last_message_id: "m9" }) });
		expect(filteredRows([row], query)).toEqual([row]);
	});

	const record = (git_branch: string, outcome: "done" | "waiting" = "done") =>
		recapOf({ outcome, workspace: { cwd: "/code", git_branch }, last_message_id: "m9" });
	const some = [
		named("Parser", { recap: record("fix/Dates") }),
		named("Widget", { recap: record("main", "waiting"), format: CODEX }),
		named("Broken parser", { ...failed, format: CLAUDE_CODE }),
		named("Live", { recap: record("main") }),
	];

	test.each([
		["branch:dates", ["Parser"]],
		["BRANCH:main", ["Widget", "Live"]],
		["branch:", ["Parser", "Widget", "Broken parser", "Live"]],
		["is:failed", ["Broken parser", "Live"]],
		["is:fai parser", ["Broken parser"]],
		["branch:main is:failed", ["Live"]],
		["is:waiting", ["Widget"]],
		["is:closed parser", ["Parser", "Broken parser"]],
		["is:unknown", []],
		['"is:failed"', []],
		["agent:codex", ["Widget"]],
		["agent:claude", ["Broken parser"]],
		["agent:pi parser", ["Parser"]],
		["codex", []],
	])("with conditions: %j finds %j", (query, expected) => {
		const live = [liveState("Live", { state: "failed" })];
		expect(titles(filteredRows(withLive(some, live), query))).toEqual(expected);
	});

	test.each([
		['is:failed "date parser" branch:main agent:codex fix', '"date parser" fix'],
		["is:failed branch:main agent:pi", ""],
	])("searches messages for its words only: %s", (query, words) => {
		const start = { scope: "all", marks: NO_MARKS, page: 9, openPath: undefined } as const;
		expect(new List({ ...start, query }).messageQuery).toBe(words);
	});
});

/** Returns the threads of rows that are listed in this order. `b<a`: `b` is a fork of `a`. */
function tree(...facts: string[]): string[] {
	const rows = facts.map((fact) => {
		const [id = "", parent] = fact.split("<");
		const parentSession = parent && (parent.startsWith("/") ? parent : `/sessions/app/${parent}.jsonl`);
		return aRow(id, { parentSession, kind: parent ? "fork" : "session" });
	});
	return threaded(rows).map(({ row, branch = "" }) => branch + row.id);
}

test.each([
	[
		"forks are listed below their parents at any depth, in the order of the list",
		["a", "b", "c<a", "d<c", "e<a"],
		["a", "├─ c", "│  └─ d", "└─ e", "b"],
	],
	["a thread takes the place of its first session", ["new<old", "other", "old"], ["old", "└─ new", "other"]],
	["a fork whose parent is not listed begins a thread of its own", ["a<gone", "b<a"], ["a", "└─ b"]],
	["a parent is also found by its file name", ["a", "b</elsewhere/app/a.jsonl"], ["a", "└─ b"]],
])("threads: %s", (_, facts, listed) => expect(tree(...facts)).toEqual(listed));

test("threads list each session once, whatever its parents are", () => {
	const facts = fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(12))), { maxLength: 12 });
	fc.assert(
		fc.property(facts, (some) => {
			const unique = new Map(some.map(([id, parent]) => [id, parent === null ? `${id}` : `${id}<${parent}`]));
			const listed = tree(...unique.values()).map((line) => line.replace(/^[^\d]*/, ""));
			expect(listed.toSorted()).toEqual([...unique.keys()].map(String).toSorted());
		}),
	);
});
