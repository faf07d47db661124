import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { aRow } from "./board.test-support.ts";
import { Feed, type FeedPorts, type SearchPorts } from "./feed.ts";
import type { Row, Scope } from "./list.ts";

const agentDir = useTemporaryFolder();
const projectFolder = () => join(agentDir(), "sessions", "--app--");

function session(folder: string, id: string, reply = "", cwd = "/app"): string {
	return put(join(folder, `${id}.jsonl`), `${new SessionText({ id, cwd }).user("Task").assistant(reply)}`);
}

function feeding({
	folder = projectFolder(),
	failed = (bug) => {
		throw bug;
	},
}: {
	folder?: string;
	failed?: FeedPorts["failed"];
} = {}) {
	const found: { sessions: readonly Row[]; scanned: Scope | undefined }[] = [];
	const feed = new Feed({
		agentDir: agentDir(),
		projectFolder: folder,
		cwd: "/app",
		found: (sessions, scanned) => found.push({ sessions, scanned }),
		failed,
	});
	onTestFinished(() => feed.stop());
	const scanned = async (scope: Scope) => {
		feed.scan(scope);
		await feed.settled();
		const sessions = found.at(-1)?.sessions ?? [];
		return sessions.map(({ id, format, here }) => `${id} ${format.name} ${here}`).sort();
	};
	return { found, feed, scanned };
}

describe("sessions for the board", () => {
	test.each([
		["its own folder", "/app", "sessions/--app--", "sessions/--other--"],
		["a common folder", "/other", "shared", "shared"],
	])("are the project's or all, until their files are gone: %s", async (...given) => {
		const [, cwd, own, others] = given;
		const [folder, second] = [own, others].map((name) => join(agentDir(), name));
		const one = session(folder ?? "", "one");
		session(second ?? "", "two", "", cwd);
		const { scanned, found } = feeding({ folder: folder ?? "" });
		expect(await scanned("project")).toEqual(["one pi true"]);
		expect(await scanned("all")).toEqual(["one pi true", "two pi false"]);
		expect(found.at(-1)?.scanned).toBe("all");
		rmSync(one);
		expect(await scanned("project")).toEqual(["two pi false"]);
	});

	test("include those of other agents if they are turned on; their working directory decides whether they belong to the project", async () => {
		vi.stubEnv("CODEX_HOME", join(agentDir(), "codex"));
		onTestFinished(() => void vi.unstubAllEnvs());
		for (const [id, cwd] of [
			["here", "/app"],
			["there", "/other"],
		] as const)
			put(
				join(agentDir(), `codex/sessions/2026/03/02/rollout-${id}.jsonl`),
				String(new CodexLog({ id, cwd }).user("Fix it")),
			);
		session(projectFolder(), "one");
		expect(await feeding().scanned("all")).toEqual(["one pi true"]);
		put(join(agentDir(), "session-suite.json"), '{ "agents": ["codex"] }');
		const it = feeding();
		expect(await it.scanned("project")).toEqual(["here codex true", "one pi true"]);
		expect(await it.scanned("all")).toEqual(["here codex true", "one pi true", "there codex false"]);
	});

	test("end with an error if a bug stops the scan", async () => {
		const bug = new TypeError("no rows");
		const failures: unknown[] = [];
		const { scanned, found } = feeding({ failed: (...failure) => void failures.push(failure) });
		const push = vi.spyOn(found, "push").mockImplementationOnce(() => {
			throw bug;
		});
		await scanned("project");
		expect(failures).toEqual([
			[expect.stringMatching(/^sessions: .*TypeError in feed\.test\.ts/), "project"],
		]);
		push.mockRestore();
		session(projectFolder(), "one");
		expect(await scanned("project")).toEqual(["one pi true"]);
	});

	test("are no longer read once the board is closed", async () => {
		session(projectFolder(), "one");
		const { feed, scanned, found } = feeding();
		const scan = scanned("project");
		feed.stop();
		expect([await scan, found]).toEqual([[], []]);
	});
});

describe("a search of all messages", () => {
	const placed = (id: string, said: string) => aRow(id, { path: session(agentDir(), id, said) });

	function searching(query: string, rows: () => Row[]) {
		const events: Parameters<SearchPorts["found"]>[0][] = [];
		const { feed } = feeding();
		feed.scan("project");
		const stop = feed.search(query, { rows, found: (found) => events.push(found) });
		return { events, stop, end: () => until(() => events.find(({ done }) => done), "the end") };
	}

	test("includes sessions that are found in the meantime, each once", async () => {
		const rows = [placed("one", "the needle is here"), placed("two", "nothing")];
		const it = searching("needle", () => rows);
		rows.push(placed("three", "another needle"));
		const { searched, hits } = await it.end();
		expect(searched).toBe(3);
		expect(hits.map(({ path }) => basename(path, ".jsonl"))).toEqual(["three", "one"]);
	});

	test("reports nothing after it was stopped", async () => {
		const rows = () => [placed("one", "the needle")];
		const stopped = searching("needle", rows);
		stopped.stop();
		await searching("nothing like it", rows).end();
		expect(stopped.events).toEqual([]);
	});
});
