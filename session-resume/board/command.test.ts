import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { indexBytes } from "../../session-core/sessions/index.ts";
import { completeSessions, parseSessions, warmUp } from "./command.ts";
import { type Dialogs, pickPlainly, pickWanted } from "./dialogs.ts";

test.each([
	["", { type: "board", scope: "project", query: "" }],
	["  date   parser ", { type: "board", scope: "project", query: "date parser" }],
	["foo --all", { type: "board", scope: "all", query: "foo" }],
	["Fix the lexer --fork", { type: "fork", wanted: "Fix the lexer" }],
	["--fork", { type: "fork", wanted: "" }],
	["--help", { type: "help" }],
	["--al", { type: "refused", why: expect.stringContaining("/sessions -- --al.") }],
	["-- --all 3", { type: "board", scope: "project", query: "--all 3" }],
])("/sessions %s", (args, action) => {
	expect(parseSessions(args)).toEqual(action);
});

test("unfinished options are completed; complete options and words are not", () => {
	expect(completeSessions("--a")?.map(({ value }) => value)).toEqual(["--all"]);
	expect(completeSessions("-")?.map(({ value }) => value)).toEqual(["--all", "--fork ", "-- ", "--help"]);
	expect(completeSessions("--all")).toBeNull();
	expect(completeSessions("")).toBeNull();
	expect(completeSessions("pars")).toBeNull();
});

const agentDir = useTemporaryFolder();
const folder = () => join(agentDir(), "sessions", "--app--");

/** A user who chooses the second session in the dialogs of a host that has `openPath` open. */
function dialogs(openPath?: string) {
	vi.stubEnv("PI_CODING_AGENT_DIR", agentDir());
	onTestFinished(() => void vi.unstubAllEnvs());
	const offered: string[] = [];
	const select = async (_question: string, labels: string[]) => {
		offered.push(...labels);
		return labels[1];
	};
	const sessionManager = { getSessionDir: folder, getSessionFile: () => openPath };
	const ctx = { cwd: "", ui: { select }, sessionManager };
	const deps = {
		...({ ctx } as unknown as Dialogs),
		pi: {} as never,
		say: () => undefined,
		over: new AbortController().signal,
	};
	return { offered, deps };
}

const placed = (name: string, id: string, prompt: string) =>
	put(join(folder(), `${name}.jsonl`), new SessionText({ id }).user(prompt).toString());

describe("a plain choice of sessions", () => {
	test("offers at most sixty sessions, without the open one", async () => {
		const paths = Array.from({ length: 65 }, (_, index) => placed(`s${index}`, `s${index}`, "go"));
		const it = dialogs(paths[0]);
		await pickPlainly("project", "", it.deps);
		expect(it.offered).toHaveLength(60);
		expect(it.offered.filter((label) => label.endsWith("· s0"))).toEqual([]);
		expect(await pickPlainly("project", "nothing like it", it.deps)).toBeUndefined();
	});

	test("shows the paths of copies of a session, because everything else is equal", async () => {
		const paths = ["one", "two"].map((name) => placed(name, "0195a1b2", "Water the plants"));
		const { offered, deps } = dialogs();
		const row = await pickWanted("0195a1b2", deps);
		expect(offered.map((label) => label.split(" · ").at(-1)).toSorted()).toEqual(paths);
		expect(offered[1]).toContain(row?.path);
	});

	test("keeps 80 columns of a title", async () => {
		for (const length of [80, 81]) placed(`${length}`, `id-${length}`, "x".repeat(length));
		const { offered, deps } = dialogs();
		await pickPlainly("project", "", deps);
		const titles = offered.map((label) => label.split(" · ")[0]);
		expect(titles.toSorted()).toEqual(["x".repeat(80), `${"x".repeat(79)}…`]);
	});
});

test("the first rows are drawn and their summaries are stored before the board is opened, even in an empty project", async () => {
	const { deps } = dialogs();
	await warmUp(deps);
	expect(indexBytes(agentDir(), folder())).toBeUndefined();
	placed("one", "0195a1b2", "Water the plants");
	await warmUp(deps);
	await vi.waitUntil(() => indexBytes(agentDir(), folder()));
});
