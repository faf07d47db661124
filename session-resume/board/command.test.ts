import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	put,
	SessionText,
	useTemporaryFolder,
} from "../../session-core/session-file/session.test-support.ts";
import { aRow, NO_MARKS, NOW } from "./board.test-support.ts";
import { completeSessions, parseSessions } from "./command.ts";
import { type Dialogs, pickWanted, plainLabel, plainRows } from "./dialogs.ts";

test.each([
	["", { type: "board", scope: "project", query: "" }],
	["  date   parser ", { type: "board", scope: "project", query: "date parser" }],
	["--all", { type: "board", scope: "all", query: "" }],
	["--all 날짜", { type: "board", scope: "all", query: "날짜" }],
	["foo --all", { type: "board", scope: "all", query: "foo" }],
	["date --ALL parser", { type: "board", scope: "all", query: "date parser" }],
	["--fork 0195a1b2", { type: "fork", wanted: "0195a1b2" }],
	["Fix the lexer --fork", { type: "fork", wanted: "Fix the lexer" }],
	["--fork", { type: "fork", wanted: "" }],
	["--help", { type: "help" }],
	["--al", { type: "unknown", word: "--al" }],
	["-- --all 3", { type: "board", scope: "project", query: "--all 3" }],
])("/sessions %s", (args, action) => {
	expect(parseSessions(args)).toEqual(action);
});

test("options are completed until they are whole; words are not", () => {
	expect(completeSessions("--a")?.map(({ value }) => value)).toEqual(["--all"]);
	expect(completeSessions("-")?.map(({ value }) => value)).toEqual(["--all", "--fork ", "-- ", "--help"]);
	expect(completeSessions("--all")).toBeNull();
	expect(completeSessions("")).toBeNull();
	expect(completeSessions("pars")).toBeNull();
});

const agentDir = useTemporaryFolder();
const ACTS = { marks: () => NO_MARKS, live: () => [] };

describe("a plain choice of sessions", () => {
	test("offers sixty at most, without the one that is open", async () => {
		const folder = join(agentDir(), "sessions", "--app--");
		const paths = Array.from({ length: 65 }, (_, index) =>
			put(join(folder, `s${index}.jsonl`), new SessionText({ id: `s${index}` }).user("go").toString()),
		);
		const openPath = paths[0];
		vi.stubEnv("PI_CODING_AGENT_DIR", agentDir());
		onTestFinished(() => void vi.unstubAllEnvs());
		const list = { scope: "project", openPath } as const;
		const rows = await plainRows({ ...list, query: "" }, folder, ACTS);
		expect(rows).toHaveLength(60);
		expect(rows.map(({ path }) => path)).not.toContain(openPath);
		expect(await plainRows({ ...list, query: "nothing like it" }, folder, ACTS)).toEqual([]);
	});

	test("names the files of copies of one session, which share all else", async () => {
		const folder = join(agentDir(), "sessions", "--app--");
		const text = new SessionText({ id: "0195a1b2" }).user("Water the plants").toString();
		const paths = ["one", "two"].map((name) => put(join(folder, `${name}.jsonl`), text));
		let offered: string[] = [];
		const select = async (_question: string, labels: string[]) => {
			offered = labels;
			return labels[1];
		};
		vi.stubEnv("PI_CODING_AGENT_DIR", agentDir());
		onTestFinished(() => void vi.unstubAllEnvs());
		const ctx = { cwd: "", ui: { select }, sessionManager: { getSessionDir: () => folder } };
		// Nothing else of the host is used for the choice.
		const deps = { ...({ ctx } as unknown as Dialogs), say: () => undefined, isOver: () => false };
		const row = await pickWanted("0195a1b2", deps);
		expect(offered.map((label) => label.split(" · ").at(-1)).toSorted()).toEqual(paths);
		expect(offered[1]).toContain(row?.path);
	});

	test.each([
		["x".repeat(80), "x".repeat(80)],
		["x".repeat(81), `${"x".repeat(79)}…`],
	])("keeps 80 columns of a title (%s)", (name, title) => {
		const row = aRow("0195a1b2", { name });
		expect(plainLabel(row, { now: NOW, showProject: false })).toBe(`${title} · 5m · 0195a1b2`);
	});
});
