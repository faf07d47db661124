import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { aRow } from "./board.test-support.ts";
import { Feed, type SearchPorts } from "./feed.ts";
import type { Scope } from "./list.ts";
import type { Row } from "./rows.ts";

const agentDir = useTemporaryFolder();
const projectFolder = () => join(agentDir(), "sessions", "--app--");

function session(folder: string, id: string): string {
	return put(join(folder, `${id}.jsonl`), new SessionText({ id }).user(`Task ${id}`).toString());
}

function feeding() {
	const found: { sessions: readonly Row[]; scanned: Scope | undefined }[] = [];
	const feed = new Feed({
		agentDir: agentDir(),
		projectFolder: projectFolder(),
		found: (sessions, scanned) => found.push({ sessions, scanned }),
	});
	onTestFinished(() => feed.stop());
	return { found, feed, rows: () => found.at(-1)?.sessions ?? [] };
}

describe("sessions for the board", () => {
	test("are those of the project and, on request, those of all projects", async () => {
		const one = session(projectFolder(), "one");
		session(join(agentDir(), "sessions", "--other--"), "two");
		const it = feeding();
		it.feed.scan("project");
		await it.feed.settled();
		expect(it.rows()).toMatchObject([{ id: "one", here: true }]);
		it.feed.scan("all");
		await it.feed.settled();
		expect(it.rows()).toMatchObject([{ id: "one" }, { id: "two", here: false }]);
		expect(it.found.at(-1)?.scanned).toBe("all");
		rmSync(one);
		it.feed.scan("project");
		await it.feed.settled();
		expect(it.rows()).toMatchObject([{ id: "two" }]);
	});

	test("include those of other agents if they are turned on; their working directory decides whether they belong to the project", async () => {
		vi.stubEnv("CODEX_HOME", join(agentDir(), "codex"));
		onTestFinished(() => void vi.unstubAllEnvs());
		const logs = join(agentDir(), "codex/sessions/2026/03/02");
		put(
			join(logs, "rollout-a.jsonl"),
			String(new CodexLog({ id: "here", cwd: "/app" }).user("Fix the parser")),
		);
		put(
			join(logs, "rollout-b.jsonl"),
			String(new CodexLog({ id: "there", cwd: "/other" }).user("Fix the docs")),
		);
		session(projectFolder(), "one");
		const scanned = async (scope: Scope) => {
			const it = feeding();
			it.feed.scan(scope);
			await it.feed.settled();
			return it
				.rows()
				.map(({ id, format, here }) => `${id} ${format.name} ${here}`)
				.sort();
		};
		expect(await scanned("all")).toEqual(["one pi true"]);
		put(join(agentDir(), "session-suite.json"), '{ "agents": ["codex"] }');
		expect(await scanned("project")).toEqual(["here codex true", "one pi true"]);
		expect(await scanned("all")).toEqual(["here codex true", "one pi true", "there codex false"]);
	});

	test("are no longer read once the board is closed", async () => {
		session(projectFolder(), "one");
		const it = feeding();
		it.feed.scan("project");
		it.feed.stop();
		await it.feed.settled();
		expect(it.found).toEqual([]);
	});
});

function placed(id: string, said: string): Row {
	const path = put(
		join(agentDir(), `${id}.jsonl`),
		new SessionText({ id }).user("Task").assistant(said).toString(),
	);
	return aRow(id, { path });
}

function searching(query: string, rows: () => Row[]) {
	const events: Parameters<SearchPorts["found"]>[0][] = [];
	const { feed } = feeding();
	feed.scan("project");
	const stop = feed.search(query, { rows, found: (found) => events.push(found) });
	return { events, stop };
}

describe("a search of all messages", () => {
	test("includes sessions that are found in the meantime, each once", async () => {
		const rows = [placed("one", "the needle is here"), placed("two", "nothing")];
		const it = searching("needle", () => rows);
		rows.push(placed("three", "another needle"));
		const last = await until(() => it.events.find(({ done }) => done), { what: "the end" });
		expect(last.searched).toBe(3);
		expect(last.hits.map(({ path }) => basename(path, ".jsonl"))).toEqual(["three", "one"]);
	});

	test("reports nothing after it was stopped", async () => {
		const rows = () => [placed("one", "the needle")];
		const stopped = searching("needle", rows);
		stopped.stop();
		const other = searching("nothing like it", rows);
		await until(() => other.events.find(({ done }) => done), { what: "the end of the other search" });
		expect(stopped.events).toEqual([]);
	});
});
