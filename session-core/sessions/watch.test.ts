import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { watchSessions } from "./watch.ts";

const agentDir = useTemporaryFolder();
const file = (cwd = "/code/a") => join(projectFolder(sessionsRoot(agentDir()), cwd), "s.jsonl");
const stops: (() => void)[] = [];
afterEach(() => {
	for (const stop of stops.splice(0)) stop();
});

function watching(folders?: string[]) {
	const onChange = vi.fn();
	stops.push(watchSessions({ agentDir: agentDir(), onChange, pollMs: 20, folders }));
	return onChange;
}

async function reports(onChange: ReturnType<typeof watching>, change: () => void): Promise<void> {
	onChange.mockClear();
	change();
	await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5_000 });
}

describe("watching sessions", () => {
	it("reports many changes to a file once", async () => {
		put(file(), new SessionText().toString());
		const onChange = watching();
		await reports(onChange, () => {
			for (let count = 0; count < 50; count++) appendFileSync(file(), "x");
		});
		expect(onChange).toHaveBeenCalledTimes(1);
	});

	it("notices a new project and the changes in it", async () => {
		mkdirSync(sessionsRoot(agentDir()), { recursive: true });
		const onChange = watching();
		await reports(onChange, () => put(file("/code/new"), new SessionText().toString()));
		await reports(onChange, () => appendFileSync(file("/code/new"), "x"));
	});

	it.each([
		["one project", () => [dirname(file())]],
		["all projects", () => undefined],
	])("watches a folder again that was deleted and created: %s", async (_, folders) => {
		put(file(), new SessionText().toString());
		const onChange = watching(folders());
		await reports(onChange, () => rmSync(dirname(file()), { recursive: true }));
		await reports(onChange, () => put(file(), new SessionText().toString()));
		await reports(onChange, () => appendFileSync(file(), "x"));
	});

	it("waits for a folder that does not exist yet", async () => {
		const onChange = watching([dirname(file())]);
		await reports(onChange, () => put(file(), new SessionText().toString()));
	});
});
