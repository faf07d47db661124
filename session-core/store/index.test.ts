import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { FolderIndex } from "./folder-index.ts";
import { indexFolder, indexPath, loadIndex, saveIndex } from "./index-file.ts";
import { INDEX_VERSION, sourcesOf, versionOf } from "./index-version.ts";
import type { Steps } from "./pace.ts";
import { scanSessions } from "./scan.ts";
import { all, put, SessionText, useTemporaryFolder } from "./store.test-support.ts";

const RUNNER = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const WORKER = fileURLToPath(new URL("./index-worker.test-support.ts", import.meta.url));

const agentDir = useTemporaryFolder();
const project = () => join(agentDir(), "sessions", "--code--");
const path = () => indexPath(agentDir(), project());

function session(name: string, text = "Fix it"): string {
	return put(
		join(project(), `${name}.jsonl`),
		new SessionText({ id: name }).user(text).assistant("Done").toString(),
	);
}

/** How many files a scan has to read. */
async function scan(): Promise<number> {
	const last = (await all(scanSessions({ agentDir: agentDir() }))).at(-1);
	return last?.stage === "done" ? last.report.read : -1;
}

function finish<T>(steps: Steps<never, T>): T {
	for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const load = () => finish(loadIndex(agentDir(), project()));

/** Learns of a file that is there in this state only in the test's mind. */
function learn(index: FolderIndex, name: string): void {
	index.set(name, { size: 1, mtimeMs: 1 }, { skipped: "not_session" });
}

const openDescriptors = () => readdirSync("/proc/self/fd").length;

describe("what is written of an index", () => {
	it("grows by what changed", async () => {
		for (let count = 0; count < 400; count++) session(`s${count}`);
		await scan();
		const { size, ino } = statSync(path());
		appendFileSync(session("s7"), `${new SessionText().name("Named").lines[1]}\n`);
		expect(await scan()).toBe(1);
		const after = statSync(path());
		expect(after.ino).toBe(ino);
		expect(after.size - size).toBeGreaterThan(0);
		expect(after.size - size).toBeLessThan(2_000);
		expect(await scan()).toBe(0);
	});

	it("is the whole only when half of it counts no more", async () => {
		for (let count = 0; count < 400; count++) session(`s${count}`);
		await scan();
		const { size } = statSync(path());
		const sizes: number[] = [];
		for (let round = 0; round < 8; round++) {
			for (let count = 0; count < 200; count++)
				session(`s${count}`, `Fix it, ${round}`.padEnd(60 + round, "."));
			expect(await scan()).toBe(200);
			sizes.push(statSync(path()).size);
		}
		expect(Math.max(...sizes)).toBeLessThan(size * 3 + 600_000);
		expect(sizes.some((one, round) => round > 0 && one < (sizes[round - 1] ?? 0))).toBe(true);
		expect(await scan()).toBe(0);
	});

	it("does not hold what a deleted session said", async () => {
		const gone = session("gone", "a private matter");
		session("stays");
		await scan();
		unlinkSync(gone);
		await scan();
		expect(readFileSync(path(), "utf8")).not.toContain("private matter");
	});

	it("survives a torn line, and what is appended behind it counts", async () => {
		session("one");
		await scan();
		writeFileSync(path(), readFileSync(path(), "utf8").slice(0, -40));
		expect(await scan()).toBe(1);
		expect(await scan()).toBe(0);
		session("two");
		expect(await scan()).toBe(1);
		expect(await scan()).toBe(0);
	});

	it.skipIf(process.platform !== "linux")("leaves no descriptor and no file when it is given up", () => {
		const index = new FolderIndex(project());
		for (let count = 0; count < 5_000; count++) learn(index, `${count}.jsonl`);
		const before = openDescriptors();
		const steps = saveIndex(agentDir(), index);
		steps.next();
		expect(readdirSync(indexFolder(agentDir()))).not.toEqual([]);
		steps.return({ ok: true });
		expect(readdirSync(indexFolder(agentDir()))).toEqual([]);
		expect(openDescriptors()).toBe(before);
	});
});

describe("two processes at one index", () => {
	const known = (...names: string[]) => {
		const index = load();
		return names.filter((name) => index.current(name, { size: 1, mtimeMs: 1 }) === undefined);
	};

	it("append one after the other; neither loses what the other learned", () => {
		const first = load();
		learn(first, "a");
		finish(saveIndex(agentDir(), first));
		const [one, other] = [load(), load()];
		learn(one, "b");
		learn(other, "c");
		finish(saveIndex(agentDir(), one));
		finish(saveIndex(agentDir(), other));
		expect(known("a", "b", "c")).toEqual([]);
	});

	it("begin it at the same time", () => {
		const [one, other] = [load(), load()];
		learn(one, "a");
		learn(other, "b");
		finish(saveIndex(agentDir(), one));
		finish(saveIndex(agentDir(), other));
		expect(known("a", "b")).toEqual([]);
	});

	it("take along what the other appends while the whole is written anew", () => {
		const first = load();
		for (const name of ["a", "b", "gone"]) learn(first, name);
		finish(saveIndex(agentDir(), first));
		const [one, other, third] = [load(), load(), load()];
		one.keepOnly(new Set(["a", "b"]));
		const whole = saveIndex(agentDir(), one);
		whole.next();
		learn(other, "c");
		finish(saveIndex(agentDir(), other));
		finish(whole);
		learn(third, "d");
		finish(saveIndex(agentDir(), third));
		expect(known("a", "b", "c", "d", "gone")).toEqual(["gone"]);
	});

	it("write the whole anew at the same time", () => {
		const first = load();
		for (const name of ["a", "gone"]) learn(first, name);
		finish(saveIndex(agentDir(), first));
		const [one, other] = [load(), load()];
		for (const [index, name] of [
			[one, "b"],
			[other, "c"],
		] as const) {
			index.keepOnly(new Set(["a"]));
			learn(index, name);
		}
		const [begun, late] = [saveIndex(agentDir(), one), saveIndex(agentDir(), other)];
		begun.next();
		late.next();
		finish(begun);
		finish(late);
		expect(known("a", "b", "c")).toEqual([]);
		expect(readdirSync(indexFolder(agentDir()))).toHaveLength(1);
	});
});

const ROUNDS = Number(process.env["SESSION_ROUNDS"] ?? 200);

it("keeps what three processes learn, killed in between", async () => {
	const kept = new Set<string>();
	const work = async (name: string) => {
		for (let next = 0; next < ROUNDS; ) {
			const args = [RUNNER, WORKER, agentDir(), project(), name, String(next), String(ROUNDS)];
			const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
			const ended = once(child, "exit");
			const until = next + ROUNDS / 3;
			for await (const line of createInterface({ input: child.stdout })) {
				const round = Number(line);
				kept.add(`${name}-${round}`);
				next = round + 1;
				if (next < ROUNDS && next >= until) child.kill("SIGKILL");
			}
			await ended;
		}
	};
	await Promise.all(["one", "two", "three"].map(work));
	const index = load();
	expect(kept.size).toBeGreaterThan(ROUNDS * 2);
	expect([...kept].filter((name) => index.current(name, { size: 1, mtimeMs: 1 }) === undefined)).toEqual([]);
	session("one");
	await scan();
	expect(readdirSync(indexFolder(agentDir()))).toHaveLength(1);
});

describe("its version", () => {
	const sources = sourcesOf(fileURLToPath(new URL("./index-version.ts", import.meta.url)));

	test("follows from the code that cleans, redacts and summarises", () => {
		const names = sources.map((file) => file.split("/").slice(-2).join("/"));
		expect(names).toEqual(
			expect.arrayContaining([
				"text/redact.ts",
				"text/sanitize.ts",
				"store/summarize.ts",
				"store/index-version.ts",
			]),
		);
		expect(names.filter((name) => name.includes(".test"))).toEqual([]);
		expect(versionOf(sources)).toBe(INDEX_VERSION);
		const changed = sources.map((file, index) =>
			file.endsWith("text/redact.ts") ? put(join(agentDir(), `${index}`, "redact.ts"), "// mended") : file,
		);
		expect(versionOf(changed)).not.toBe(INDEX_VERSION);
	});

	test("is that of the one file that an extension was packed into", () => {
		expect(sourcesOf("/home/me/.pi/agent/extensions/session-resume.js")).toEqual([
			"/home/me/.pi/agent/extensions/session-resume.js",
		]);
	});

	it("makes what an older version stored be read again, and swept where nobody reads it", async () => {
		session("one");
		await scan();
		const text = readFileSync(path(), "utf8").replace(INDEX_VERSION, "older");
		writeFileSync(path(), text);
		const elsewhere = put(join(indexFolder(agentDir()), "0123.index"), text);
		expect(await scan()).toBe(1);
		expect(readFileSync(path(), "utf8")).toContain(INDEX_VERSION);
		expect(readdirSync(indexFolder(agentDir()))).not.toContain(elsewhere.split("/").at(-1));
	});
});
