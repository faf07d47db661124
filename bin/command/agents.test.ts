import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ClaudeLog, CODEX_ID, CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { canDecompress } from "../../session-core/log/zstd.ts";
import { processStat } from "../../session-core/sessions/live/liveness.mjs";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
let env: Record<string, string>;

const CLAUDE_ID = "0c1a0de0-aaaa-4bbb-8ccc-000000000001";
const ELSEWHERE_ID = "0c1a0de0-aaaa-4bbb-8ccc-000000000002";
const OWN = "pi: Fix the date parser";
const OTHERS = ["claude-code: Make the zebra login work", "codex: Rename the zebra function"];
const DAY = "codex/sessions/2026/03/02";

const store = (path: string, log: ClaudeLog | CodexLog) => put(join(folder(), path), String(log));
const codexLog = (name: string) => `${DAY}/rollout-2026-03-02T${name}.jsonl`;
const claudeLog = (name: string) => `claude/projects/-project/${name}.jsonl`;

/** The other agents' folders, each with a session of this project and one of another project. */
beforeEach(() => {
	shell.named("11111111-aaaa", "Fix the date parser");
	env = {
		PATH: `${join(folder(), "bin")}:${process.env["PATH"]}`,
		LANG: "C",
		CLAUDE_CONFIG_DIR: join(folder(), "claude"),
		CODEX_HOME: join(folder(), "codex"),
	};
	const claude = new ClaudeLog({ cwd: shell.cwd })
		.user("Make the zebra login work")
		.calls("t", "Bash", { command: "npm test" })
		.result("t", "zebra: 5 passed");
	store(claudeLog(claude.id), claude.says("It works. Shall I commit it?"));
	const other = new ClaudeLog({ id: ELSEWHERE_ID, cwd: "/elsewhere" });
	store("claude/projects/-elsewhere/other.jsonl", other.user("Tidy the docs up").says("Done."));
	const codex = new CodexLog({ cwd: shell.cwd })
		.user("Rename the zebra function")
		.calls("c", "exec_command", { cmd: "rm x" });
	store(codexLog(`10-00-00-${CODEX_ID}`), codex.event("turn_aborted"));
});

const run = (words: string | readonly string[]) => shell.run(words, { env });
const settings = (value: unknown) => put(join(shell.agentDir, "session-suite.json"), JSON.stringify(value));

interface Listed {
	id: string;
	agent: string;
	title: string;
}

async function sessions(words = "--agents"): Promise<Listed[]> {
	return (await shell.json(`list --json ${words}`, { env })).sessions;
}

const listed = async (words: string) =>
	(await sessions(words)).map(({ agent, title }) => `${agent}: ${title}`).sort();

test("lists other agents' sessions only if the user's settings, and not only the project's, include them", async () => {
	put(join(shell.cwd, ".pi/session-suite.json"), JSON.stringify({ agents: ["claude-code", "codex"] }));
	expect(await listed("")).toEqual([OWN]);
	expect(await listed("--agents")).toEqual([...OTHERS, OWN]);
	const [claude, codex] = OTHERS;
	expect(await listed("--agents --all")).toEqual([claude, "claude-code: Tidy the docs up", codex, OWN]);
	settings({ agents: ["codex"] });
	expect(await listed("")).toEqual([codex, OWN]);
	settings({ agents: "codex" });
	expect(await listed("")).toEqual([OWN]);
});

test("names the agent, the folder and the next step of a session", async () => {
	expect((await run("list --agents")).out).toMatch(
		/\t0c1a0de0\S+\tMake the zebra login work\t\S+\tShall.*\tclaude-code$/m,
	);
	const modified_at = Date.parse("2026-03-02T10:00:04Z") / 1000;
	const claude = { cwd: shell.cwd, waits: true, model: "anthropic/claude-x", modified_at, readable: false };
	expect(await sessions()).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ agent: "claude-code", ...claude }),
			expect.objectContaining({ agent: "codex", ending: expect.stringMatching(/abort/i) }),
		]),
	);
});

test.each([
	[`show ${CLAUDE_ID}`, /Claude Code · .*\n[\s\S]*Shall I commit it\?/],
	[`show ${CODEX_ID}`, /Codex · /],
	[`read ${CODEX_ID}`, /USER: Rename the zebra function[\s\S]*rm x/],
	["search zebra passed", /zebra: 5 passed/],
	["today --since 2026-03-01", /Make the zebra login work[\s\S]*Rename the zebra function/],
])("%s includes them with --agents", async (words, shown) => {
	expect((await run(`${words} --agents`)).out).toMatch(shown);
	expect((await run(words)).out).not.toMatch(shown);
});

test.each([
	[CLAUDE_ID, "claude --resume", "CLAUDE_CONFIG_DIR"],
	[CODEX_ID, "codex resume", "CODEX_HOME"],
])("resume starts the program of the agent of %s in its folder", async (id, command, home) => {
	const [program = "", ...args] = [...command.split(" "), id];
	expect((await run(`resume ${id} --agents --dry-run`)).out).toBe(
		`cd ${shell.cwd} && ${home}=${env[home]} ${command} ${id}\n`,
	);
	const missing = await shell.run(`resume ${id} --agents`, { env: { ...env, PATH: "/none" } });
	const err = expect.stringMatching(
		new RegExp(`${program} is not installed, or .* PATH\\. Install .*--in-pi`),
	);
	expect(missing).toMatchObject({ code: 1, err });
	const record = join(folder(), "record");
	shell.program(program, `{ pwd; printf "%s\\n" "$@"; } > ${record}\nexit 7`);
	expect((await run(`resume ${id} --agents`)).code).toBe(7);
	expect(readFileSync(record, "utf8").trimEnd().split("\n")).toEqual([shell.cwd, ...args]);
});

test("resume --in-pi hands a session over to pi, even if its folder no longer exists", async () => {
	const log = join(folder(), codexLog(`10-00-00-${CODEX_ID}`));
	expect((await run(`resume ${CODEX_ID} --agents --in-pi --dry-run`)).out).toBe(
		`cd ${shell.cwd} && PI_SESSION_SUITE_RESUME=handover:${CODEX_ID}:${log} pi\n`,
	);
	const dry = `resume ${ELSEWHERE_ID} --agents --dry-run --in-pi`;
	expect((await run(dry)).out).toMatch(/^PI_SESSION_SUITE_RESUME=\S+ pi\n$/);
});

test.each<[words: string, reason: RegExp]>([
	[`resume ${CODEX_ID} --agents --message=x`, /only with pi sessions.*--in-pi/],
	[`resume ${ELSEWHERE_ID} --agents --dry-run`, /no longer exists \(\/elsewhere\).*--in-pi/],
	[`recap ${CODEX_ID}`, /belongs to another agent/],
])("%s is refused", async (words, reason) => {
	if (words.startsWith("recap")) settings({ agents: ["codex"] });
	expect(await run(words)).toMatchObject({ code: 1, out: "", err: expect.stringMatching(reason) });
});

test("uses the file at a given path, even if it is an older part of its session", async () => {
	const log = new CodexLog({ cwd: shell.cwd }).user("Add the retry queue").says("Added.");
	const base = log.base();
	log.user("Delete the old queue").says("Deleted. Shall I push?");
	const older = store(codexLog(`10-00-00-${CODEX_ID}`), log);
	const next = new CodexLog({ cwd: shell.cwd, history_base: base }).user("Keep it").says("Kept.");
	const newer = store(codexLog(`11-00-00-${CODEX_ID}_0190c0de-0000-7000-8000-0000000000aa`), next);
	const shown = await run(`show ${older}`);
	expect(shown.out).toMatch(/older part of the session[\s\S]*Shall I push\?/);
	expect(shown.err).toContain(newer);
	expect((await shell.json(`show ${older} --json`, { env })).session.newer_file).toBe(newer);
	for (const path of [older, newer])
		expect((await run(`resume ${path} --in-pi --dry-run`)).out).toContain(`handover:${CODEX_ID}:${path} `);
	const err = expect.stringMatching(/older part of the session.*--in-pi/);
	expect(await run(`resume ${older} --dry-run`)).toMatchObject({ code: 1, err });
	expect((await run(`resume ${newer} --dry-run`)).out).toContain(`codex resume ${CODEX_ID}`);
});

test("finds the sessions that Codex has archived by id, and lists them only on request", async () => {
	const id = "0190c0de-0000-7000-8000-0000000000dd";
	const log = new CodexLog({ id, cwd: shell.cwd }).user("Write the changelog").says("Written.");
	store(`codex/archived_sessions/rollout-2026-03-01T10-00-00-${id}.jsonl`, log);
	expect(await listed("--agents")).toEqual([...OTHERS, OWN]);
	expect(await listed("--agents --archived")).toEqual([...OTHERS, "codex: Write the changelog", OWN]);
	expect((await run(`show ${id} --agents`)).out).toMatch(/Write the changelog/);
});

test("uses a session's name from Codex's index", async () => {
	const lines = ["Zebra, first", "Zebra, renamed"].map((name) =>
		JSON.stringify({ id: CODEX_ID, thread_name: name }),
	);
	put(join(folder(), "codex/session_index.jsonl"), `${lines.join("\n")}\n{"id":"torn`);
	expect(await listed("--agents")).toContain("codex: Zebra, renamed");
	expect((await run(["show", "Zebra, renamed", "--agents"])).out).toMatch(/^Zebra, renamed\n/);
});

// test/shell/compressed-log.test.ts reads such a log with a version of Node that can decompress it.
test.skipIf(canDecompress())("says that this version of Node cannot read a compressed log", async () => {
	const path = put(join(folder(), DAY, `rollout-2026-03-02T12-00-00-${CODEX_ID}.jsonl.zst`), "");
	for (const command of [
		["list", "--agents"],
		["show", path],
	]) {
		const { err } = await run(command);
		expect(err).toMatch(/1 compressed log cannot be read: Node 22\.15 or newer is needed/);
	}
});

test.each([
	[{}, "working"],
	[{ status: "waiting", waitingFor: "permission prompt" }, "waiting"],
	[{ status: "idle" }, "idle"],
	[{ procStart: String((processStat(process.pid)?.ticks ?? 0) + 1) }, "closed"],
	[{ procStart: undefined }, "closed"],
	[{ procStart: "Sat Sep 19 18:31:41 2026" }, "closed"],
	[{ pidDomain: "darwin" }, "closed"],
	[{ pidDomain: "linux::pid:[1]" }, "closed"],
	[{ pid: 4_000_000 }, "closed"],
])("a session that Claude Code has registered in this process, with %j, is %s", async (fields, state) => {
	const procStart = String(processStat(process.pid)?.ticks);
	const record = { pid: process.pid, procStart, pidDomain: "linux", sessionId: CLAUDE_ID, status: "busy" };
	put(join(folder(), "claude/sessions", `${process.pid}.json`), JSON.stringify({ ...record, ...fields }));
	expect((await sessions()).find(({ id }) => id === CLAUDE_ID)).toMatchObject({ state });
	const dry = `resume ${CLAUDE_ID} --agents --dry-run`;
	const open = { code: 1, err: expect.stringMatching(/open in another Claude Code.*--anyway/) };
	expect(await run(dry)).toMatchObject(state === "closed" ? { code: 0 } : open);
	for (const option of ["--anyway", "--in-pi"]) expect((await run(`${dry} ${option}`)).code).toBe(0);
});

test.each([
	[12, "Interrupted during a run"],
	[2, "active 2 minutes ago"],
])("an unfinished session whose log changed %i minutes ago is listed as %s", async (minutes, ending) => {
	const timestamp = new Date(Date.now() - minutes * 60_000 - 5_000).toISOString();
	const log = new ClaudeLog({ id: "0c1a0de0-aaaa-4bbb-8ccc-0000000000aa", cwd: shell.cwd })
		.user("Build it", { timestamp })
		.calls("t", "Bash", { command: "make" }, { timestamp });
	store(claudeLog("recent"), log);
	const found = (await sessions()).find(({ title }) => title === "Build it");
	expect(found).toMatchObject({ state: "closed", ending });
});

/** The other agents' files and folders, each with the time of its last change. */
function theirFiles(): string[] {
	return ["claude", "codex"].flatMap((agent) =>
		readdirSync(join(folder(), agent), { recursive: true }).map((name) => {
			const { ctimeMs, ino } = statSync(join(folder(), agent, String(name)));
			return [name, ctimeMs, ino].join(" ");
		}),
	);
}

test("changes none of their files, whatever the command", async () => {
	settings({ agents: ["claude-code", "codex"] });
	const before = theirFiles();
	const commands = ["list --all", "search zebra", "today --all", "offers -- show", "status"];
	const ofSession = ["show", "read", "recap", "recap --force", "attach", "resume --dry-run"];
	const more = ["repair", "branch --dry-run", "at u1", "anyway --dry-run", "in-pi --dry-run"];
	for (const id of [CLAUDE_ID, CODEX_ID])
		for (const line of [...ofSession, ...more.map((option) => `resume --${option}`)])
			commands.push(`${line} ${id}`);
	for (const line of commands) await run(line);
	expect(theirFiles()).toEqual(before);
});
