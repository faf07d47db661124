import { appendFileSync, mkdirSync, rmSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { type WatchOptions, watchSessions } from "./watch.ts";

const agentDir = useTemporaryFolder();
const file = (cwd = "/code/a") => join(projectFolder(sessionsRoot(agentDir()), cwd), "s.jsonl");
const stops: (() => void)[] = [];
afterEach(() => {
	for (const stop of stops.splice(0)) stop();
});

function watching(options: Partial<WatchOptions> = {}) {
	const onChange = vi.fn();
	stops.push(watchSessions({ agentDir: agentDir(), onChange, quietMs: 20, ...options }));
	return onChange;
}

/** A platform that cannot watch anything. */
const watchFolder = () => {
	throw new Error("ENOSPC: out of watches");
};

describe("watching sessions", () => {
	it("tells of a file that grew", async () => {
		put(file(), new SessionText().toString());
		const onChange = watching();
		appendFileSync(file(), "x");
		await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
	});

	it("tells of many changes once", async () => {
		put(file(), new SessionText().toString());
		const onChange = watching({ quietMs: 100 });
		for (let count = 0; count < 50; count++) appendFileSync(file(), "x");
		await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
		expect(onChange).toHaveBeenCalledTimes(1);
	});

	it("notices a new project and what happens in it", async () => {
		mkdirSync(sessionsRoot(agentDir()), { recursive: true });
		const onChange = watching();
		put(file("/code/new"), new SessionText().toString());
		await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
		onChange.mockClear();
		appendFileSync(file("/code/new"), "x");
		await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
	});

	it.each([
		["one project's", () => [dirname(file())]],
		["all projects'", () => undefined],
	])("goes on with a folder that was deleted and made again: %s", async (_, folders) => {
		put(file(), new SessionText().toString());
		const watched: string[] = [];
		const onChange = watching({
			folders: folders(),
			pollMs: 50,
			watchFolder: (folder, onEvent) => {
				watched.push(folder);
				return watch(folder, { persistent: false }, onEvent);
			},
		});
		const times = () => watched.filter((folder) => folder === dirname(file())).length;
		for (const isSeenGone of [false, true]) {
			onChange.mockClear();
			const before = times();
			rmSync(dirname(file()), { recursive: true });
			if (isSeenGone) await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
			put(file(), new SessionText().toString());
			await vi.waitFor(() => expect(times()).toBe(before + 1), { timeout: 5_000 });
		}
		onChange.mockClear();
		appendFileSync(file(), "x");
		await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
	});

	it("looks for itself where the platform cannot watch", async () => {
		put(file(), new SessionText().toString());
		const onChange = watching({ watchFolder, pollMs: 10 });
		await vi.waitFor(() => {
			appendFileSync(file(), "x");
			expect(onChange).toHaveBeenCalled();
		});
	});

	it("looks for itself after the platform gave up", async () => {
		put(file(), new SessionText().toString());
		let fail: (() => void) | undefined;
		const close = vi.fn();
		const onChange = watching({
			folders: [projectFolder(sessionsRoot(agentDir()), "/code/a")],
			pollMs: 10,
			watchFolder: () => ({ close, on: (_, listener) => (fail = listener) }),
		});
		fail?.();
		expect(close).toHaveBeenCalled();
		await vi.waitFor(() => {
			appendFileSync(file(), "x");
			expect(onChange).toHaveBeenCalled();
		});
	});

	it("begins where there are no sessions yet", async () => {
		const onChange = watching({ pollMs: 10 });
		await vi.waitFor(() => {
			put(file(), new SessionText().toString());
			expect(onChange).toHaveBeenCalled();
		});
	});
});
