import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, test } from "vitest";
import { canDecompress } from "../../session-core/log/foreign-files.ts";
import { ClaudeLog, CODEX_ID, CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { processStat } from "../../session-core/sessions/live/liveness.mjs";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
let env: Record<string, string>;

/** The folders of the other agents, each with a session of this project and one of another project. */
beforeEach(() => {
	shell.session("own", named("11111111-aaaa", "Fix the date parser", shell.cwd));
	env = {
		PATH: `${join(folder(), "bin")}:${process.env["PATH"]}`,
		LANG: "C",
		CLAUDE_CONFIG_DIR: join(folder(), "claude"),
		CODEX_HOME: join(folder(), "codex"),
	};
	const claude = new ClaudeLog({ cwd: shell.cwd })
		.user("Make the zebra login work")
		.calls("t", "Bash", { command: "npm test" })
		.result("t", "zebra: 5 passed")
		.says("It works. Shall I commit it?");
	put(join(folder(), "claude/projects/-project", `${claude.id}.jsonl`), String(claude));
	const other = new ClaudeLog({ id: "0c1a0de0-aaaa-4bbb-8ccc-000000000002", cwd: "/elsewhere" });
	put(
		join(folder(), "claude/projects/-elsewhere/other.jsonl"),
		String(other.user("Tidy the docs up").says("Done.")),
	);
	const codex = new CodexLog({ cwd: shell.cwd })
		.user("Rename the zebra function")
		.calls("c", "exec_command", { cmd: "rm x" })
		.event("turn_aborted");
	put(
		join(folder(), "codex/sessions/2026/03/02", `rollout-2026-03-02T10-00-00-${CODEX_ID}.jsonl`),
		String(codex),
	);
});

const run = (words: string[]) => shell.run(words, { env });
const settings = (value: unknown) => put(join(shell.agentDir, "session-suite.json"), JSON.stringify(value));
const listed = async (words: string[]) => {
	const { out } = await run(["list", "--json", ...words]);
	const { sessions } = JSON.parse(out) as { sessions: { agent: string; title: string }[] };
	return sessions.map(({ agent, title }) => `${agent}: ${title}`).sort();
};

const CLAUDE_ID = "0c1a0de0-aaaa-4bbb-8ccc-000000000001";
const OWN = "pi: Fix the date parser";
const OTHERS = ["claude-code: Make the zebra login work", "codex: Rename the zebra function"];

it("lists the sessions of other agents only if the user, and not only the project, wants it", async () => {
	put(join(shell.cwd, ".pi/session-suite.json"), JSON.stringify({ agents: ["claude-code", "codex"] }));
	expect(await listed([])).toEqual([OWN]);
	expect(await listed(["--agents"])).toEqual([...OTHERS, OWN]);
	const [claude, codex] = OTHERS;
	expect(await listed(["--agents", "--all"])).toEqual([claude, "claude-code: Tidy the docs up", codex, OWN]);
	settings({ agents: ["codex"] });
	expect(await listed([])).toEqual([OTHERS[1], OWN]);
	settings({ agents: "codex" });
	expect(await listed([])).toEqual([OWN]);
});

it("names the agent, the folder and the next step of a session", async () => {
	const { out } = await run(["list", "--agents"]);
	expect(out).toMatch(
		/^closed\t\S+\t0c1a0de0-\S+\tMake the zebra login work\t\S+\tShall I commit it\?\tclaude-code$/m,
	);
	const { sessions } = JSON.parse((await run(["list", "--agents", "--json"])).out);
	expect(sessions).toContainEqual(
		expect.objectContaining({
			agent: "claude-code",
			cwd: shell.cwd,
			waits: true,
			model: "anthropic/claude-x",
			modified_at: Date.parse("2026-03-02T10:00:04Z") / 1000,
			readable: false,
		}),
	);
	expect(sessions).toContainEqual(
		expect.objectContaining({ agent: "codex", ending: expect.stringMatching(/abort/i) }),
	);
});

test.each([
	[["show", CLAUDE_ID], /Claude Code · .*\n[\s\S]*Shall I commit it\?/],
	[["show", CODEX_ID], /Codex · /],
	[["read", CODEX_ID], /USER: Rename the zebra function[\s\S]*rm x/],
	[["search", "zebra passed"], /zebra: 5 passed/],
	[["today", "--since", "2026-03-01"], /Make the zebra login work[\s\S]*Rename the zebra function/],
])("%j includes them with --agents", async (words, shown) => {
	expect((await run([...words, "--agents"])).out).toMatch(shown);
	expect((await run(words)).out).not.toMatch(shown);
});

test.each([
	[CLAUDE_ID, "claude --resume"],
	[CODEX_ID, "codex resume"],
])("resume starts the program of the agent of %s in its folder", async (id, command) => {
	const [program = "", ...args] = [...command.split(" "), id];
	const [home = ""] = id === CLAUDE_ID ? ["CLAUDE_CONFIG_DIR"] : ["CODEX_HOME"];
	expect((await run(["resume", id, "--agents", "--dry-run"])).out).toBe(
		`cd ${shell.cwd} && ${home}=${env[home]} ${command} ${id}\n`,
	);
	const missing = await shell.run(["resume", id, "--agents"], { env: { ...env, PATH: "/none" } });
	expect(missing.code).toBe(1);
	expect(missing.err).toMatch(new RegExp(`${program} is not in the PATH\\. Install .*--in-pi`));
	const record = join(folder(), "record");
	shell.program(program, `{ pwd; printf "%s\\n" "$@"; } > ${record}\nexit 7`);
	expect((await run(["resume", id, "--agents"])).code).toBe(7);
	expect(readFileSync(record, "utf8").trimEnd().split("\n")).toEqual([shell.cwd, ...args]);
});

it("resume hands a session over to pi, and refuses what only pi's own sessions have", async () => {
	const { out } = await run(["resume", CODEX_ID, "--agents", "--in-pi", "--dry-run"]);
	const log = join(folder(), "codex/sessions/2026/03/02", `rollout-2026-03-02T10-00-00-${CODEX_ID}.jsonl`);
	expect(out).toBe(`cd ${shell.cwd} && PI_SESSION_SUITE_RESUME=handover:${CODEX_ID}:${log} pi\n`);
	for (const option of ["--branch", "--send", "--repair", "--at=u1", "--message=x"]) {
		const { code, err } = await run(["resume", CODEX_ID, "--agents", option]);
		expect({ code, err }).toEqual({
			code: 1,
			err: expect.stringMatching(/only with pi sessions.*--in-pi/),
		});
	}
	const gone = await run(["resume", "0c1a0de0-aaaa-4bbb-8ccc-000000000002", "--agents"]);
	expect(gone.err).toMatch(/no longer exists \(\/elsewhere\).*--in-pi/);
	const dry = ["resume", "0c1a0de0-aaaa-4bbb-8ccc-000000000002", "--agents", "--dry-run"];
	expect(await run(dry)).toMatchObject({ code: 1, out: "", err: gone.err });
	expect((await run([...dry, "--in-pi"])).out).toMatch(/^PI_SESSION_SUITE_RESUME=\S+ pi\n$/);
	expect((await run(["recap", CODEX_ID])).err).toMatch(/no session matches/);
	settings({ agents: ["codex"] });
	expect((await run(["recap", CODEX_ID])).err).toMatch(/belongs to another agent/);
});

it("uses the file at a given path, even if it is an older part of its session", async () => {
	const log = new CodexLog({ cwd: shell.cwd }).user("Add the retry queue").says("Added.");
	const base = log.base();
	log.user("Delete the old queue").says("Deleted. Shall I push?");
	const home = join(folder(), "codex/sessions/2026/03/02");
	const older = put(join(home, `rollout-2026-03-02T10-00-00-${CODEX_ID}.jsonl`), String(log));
	const next = new CodexLog({ cwd: shell.cwd, history_base: base }).user("Keep it").says("Kept.");
	const rollout = "0190c0de-0000-7000-8000-0000000000aa";
	const newer = put(join(home, `rollout-2026-03-02T11-00-00-${CODEX_ID}_${rollout}.jsonl`), String(next));
	expect((await run(["show", CODEX_ID, "--agents"])).out).toMatch(/Keep it/);
	const shown = await run(["show", older]);
	expect(shown.out).toMatch(/older part of the session[\s\S]*Shall I push\?/);
	expect(shown.err).toContain(newer);
	expect(JSON.parse((await run(["show", older, "--json"])).out).session.newer_file).toBe(newer);
	expect((await run(["read", newer])).out).toMatch(/Add the retry queue[\s\S]*Keep it/);
	expect((await run(["read", newer])).out).not.toMatch(/Delete the old queue/);
	for (const path of [older, newer])
		expect((await run(["resume", path, "--in-pi", "--dry-run"])).out).toContain(
			`handover:${CODEX_ID}:${path} `,
		);
	expect(await run(["resume", older, "--dry-run"])).toMatchObject({
		code: 1,
		err: expect.stringMatching(/older part of the session.*--in-pi/),
	});
	expect((await run(["resume", newer, "--dry-run"])).out).toContain(`codex resume ${CODEX_ID}`);
});

it("identifies a session that Claude Code forked by the name of its file", async () => {
	const fork = "0c1a0de0-aaaa-4bbb-8ccc-0000000000ff";
	const log = new ClaudeLog({ cwd: shell.cwd }).user("Make the zebra login work").says("Done in the fork.");
	put(join(folder(), "claude/projects/-project", `${fork}.jsonl`), String(log));
	const { sessions } = JSON.parse((await run(["list", "--agents", "--json"])).out);
	expect(sessions).toContainEqual(
		expect.objectContaining({ id: fork, kind: "fork", parent_session: CLAUDE_ID }),
	);
	expect((await run(["show", fork, "--agents"])).out).toMatch(/Done in the fork/);
	expect((await run(["show", CLAUDE_ID, "--agents"])).out).toMatch(/Shall I commit it/);
	expect((await run(["resume", fork, "--agents", "--dry-run"])).out).toContain(`claude --resume ${fork}`);
});

it("lists two files with the same id by their paths, which every command accepts", async () => {
	const log = new ClaudeLog({ cwd: shell.cwd }).user("Make the zebra login work").says("Done in the copy.");
	put(join(folder(), "claude/projects/-copy", `${CLAUDE_ID}.jsonl`), String(log));
	const { out } = await run(["list", "--agents"]);
	const names = out
		.split("\n")
		.map((line) => line.split("\t")[2] ?? "")
		.filter((name) => name.endsWith(`${CLAUDE_ID}.jsonl`));
	expect(names).toHaveLength(2);
	for (const name of names) {
		for (const words of [["show"], ["read"], ["resume", "--dry-run"], ["resume", "--in-pi", "--dry-run"]])
			expect(await run([...words, name])).toMatchObject({ code: 0 });
		expect((await run(["read", name])).out).toMatch(/-copy/.test(name) ? /in the copy/ : /commit it/);
	}
});

it("finds the sessions that Codex has archived by id, and lists them only on request", async () => {
	const id = "0190c0de-0000-7000-8000-0000000000dd";
	const log = new CodexLog({ id, cwd: shell.cwd }).user("Write the changelog").says("Written.");
	put(join(folder(), "codex/archived_sessions", `rollout-2026-03-01T10-00-00-${id}.jsonl`), String(log));
	expect(await listed(["--agents"])).toEqual([...OTHERS, OWN]);
	const archived = await listed(["--agents", "--archived"]);
	expect(archived).toEqual([...OTHERS, "codex: Write the changelog", OWN]);
	expect((await run(["show", id, "--agents"])).out).toMatch(/Write the changelog/);
});

it("shows which sessions of Claude Code are open, and warns before one is opened twice", async () => {
	const startedAt = processStat(process.pid)?.ticks;
	const registry = join(folder(), "claude/sessions", `${process.pid}.json`);
	const record = {
		pid: process.pid,
		procStart: String(startedAt),
		pidDomain: "linux",
		sessionId: CLAUDE_ID,
		status: "busy",
		statusUpdatedAt: Date.parse("2026-03-02T10:01:00Z"),
	};
	const state = async (fields: object) => {
		put(registry, JSON.stringify({ ...record, ...fields }));
		const { sessions } = JSON.parse((await run(["list", "--agents", "--json"])).out);
		return sessions.find(({ id }: { id: string }) => id === CLAUDE_ID);
	};
	expect(await state({})).toMatchObject({ state: "working", pid: process.pid });
	const { code, err } = await run(["resume", CLAUDE_ID, "--agents", "--dry-run"]);
	expect({ code, err }).toEqual({
		code: 1,
		err: expect.stringMatching(/open in another Claude Code.*--anyway/),
	});
	expect((await run(["resume", CLAUDE_ID, "--agents", "--anyway", "--dry-run"])).code).toBe(0);
	expect((await run(["resume", CLAUDE_ID, "--agents", "--in-pi", "--dry-run"])).code).toBe(0);
	expect(await state({ status: "waiting", waitingFor: "permission prompt" })).toMatchObject({
		state: "waiting",
	});
	expect(await state({ status: "idle" })).toMatchObject({ state: "idle" });
	for (const other of [
		{ procStart: String((startedAt ?? 0) + 1) },
		{ procStart: undefined },
		{ procStart: "Sat Sep 19 18:31:41 2026" },
		{ pidDomain: "darwin" },
		{ pidDomain: "linux::pid:[1]" },
		{ pid: 4_000_000 },
	])
		expect(await state(other)).toMatchObject({ state: "closed" });
});

it("uses the name that Codex's index gives to a session", async () => {
	const lines = ["Zebra, first", "Zebra, renamed"].map((name) =>
		JSON.stringify({ id: CODEX_ID, thread_name: name }),
	);
	put(join(folder(), "codex/session_index.jsonl"), `${lines.join("\n")}\n{"id":"torn`);
	expect(await listed(["--agents"])).toContain("codex: Zebra, renamed");
	expect((await run(["show", "Zebra, renamed", "--agents"])).out).toMatch(/^Zebra, renamed\n/);
});

// test/shell/compressed-log.test.ts reads such a log with a version of Node that can decompress it.
it.skipIf(canDecompress())("says that this version of Node cannot read a compressed log", async () => {
	put(join(folder(), "codex/sessions/2026/03/02", `rollout-2026-03-02T12-00-00-${CODEX_ID}.jsonl.zst`), "");
	const { err } = await run(["list", "--agents"]);
	expect(err).toMatch(/1 compressed log cannot be read: Node 22\.15 or newer is needed/);
});

it("an unfinished session whose log has just changed is probably active", async () => {
	const ended = async (minutes: number) => {
		const timestamp = new Date(Date.now() - minutes * 60_000 - 5_000).toISOString();
		const log = new ClaudeLog({ id: `0c1a0de0-aaaa-4bbb-8ccc-0000000000${minutes}`, cwd: shell.cwd })
			.user(`Build it ${minutes}`, { timestamp })
			.calls("t", "Bash", { command: "make" }, { timestamp });
		put(join(folder(), `claude/projects/-project/${minutes}.jsonl`), String(log));
		const { sessions } = JSON.parse((await run(["list", "--agents", "--json"])).out);
		return sessions.find(({ title }: { title: string }) => title === `Build it ${minutes}`);
	};
	expect(await ended(12)).toMatchObject({ state: "closed", ending: "Interrupted during a run" });
	expect(await ended(2)).toMatchObject({ state: "closed", ending: "active 2 minutes ago" });
});

/** Each file and folder of the other agents, with the time of its last change of any kind. */
function theirFiles(): string[] {
	return ["claude", "codex"].flatMap((agent) =>
		readdirSync(join(folder(), agent), { recursive: true }).map((name) => {
			const { ctimeMs, ino } = statSync(join(folder(), agent, String(name)));
			return [name, ctimeMs, ino].join(" ");
		}),
	);
}

it("changes none of their files, whatever the command", async () => {
	settings({ agents: ["claude-code", "codex"] });
	const before = theirFiles();
	const commands = ["list --all", "search zebra", "today --all", "offers -- show", "status"];
	const ofSession = ["show", "read", "recap", "recap --force", "attach", "resume --dry-run"];
	const more = ["repair", "branch --dry-run", "at u1", "anyway --dry-run", "in-pi --dry-run"];
	for (const id of [CLAUDE_ID, CODEX_ID])
		for (const line of [...ofSession, ...more.map((option) => `resume --${option}`)])
			commands.push(`${line} ${id}`);
	for (const line of commands) await run(line.split(" "));
	expect(theirFiles()).toEqual(before);
});
