import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { sessionDirOf } from "./world.ts";

const folder = useTemporaryFolder();

test("the folder of all sessions is found as pi finds it: its variable, the project's settings, the user's", async () => {
	const place = { env: {}, agentDir: join(folder(), "agent"), cwd: join(folder(), "project") };
	expect(await sessionDirOf(place)).toBeUndefined();
	put(join(place.agentDir, "settings.json"), JSON.stringify({ sessionDir: "/all" }));
	expect(await sessionDirOf(place)).toBe("/all");
	put(join(place.cwd, ".pi", "settings.json"), JSON.stringify({ sessionDir: "mine" }));
	expect(await sessionDirOf(place)).toBe(join(place.cwd, "mine"));
	expect(await sessionDirOf({ ...place, env: { PI_CODING_AGENT_SESSION_DIR: "/named" } })).toBe("/named");
	put(join(place.cwd, ".pi", "settings.json"), "{ torn");
	expect(await sessionDirOf(place)).toBe("/all");
});

test("if a project's settings are a symlink to an endless file, they are ignored and one message says so", async () => {
	const place = { env: {}, agentDir: join(folder(), "agent"), cwd: join(folder(), "project") };
	const file = join(place.cwd, ".pi", "settings.json");
	mkdirSync(dirname(file), { recursive: true });
	symlinkSync("/proc/self/pagemap", file);
	const told: string[] = [];
	expect(await sessionDirOf(place, (line) => told.push(line))).toBeUndefined();
	expect(told).toEqual([`${file} is a symlink, so it is ignored`]);
});
