import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHost, testModel, testSandbox } from "./host/in-test.ts";
import { PROJECT_ROOT } from "./host/launch.ts";
import { runHost } from "./host/run-host.ts";
import { yesterdaySession } from "./host/yesterday-session.ts";

const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));

describe("the package", () => {
	test("lists extensions that exist, and host packages only as optional peers of any version", () => {
		for (const path of manifest.pi.extensions) expect(existsSync(join(PROJECT_ROOT, path))).toBe(true);
		for (const [name, range] of Object.entries(manifest.peerDependencies)) {
			expect([name, range]).toEqual([name, "*"]);
			expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
		}
		expect(Object.keys(manifest.dependencies)).toEqual([
			"@hono/node-server",
			"citty",
			"hono",
			"jiti",
			"jsonc-parser",
			"string-width",
			"typebox",
			"uqr",
		]);
		expect(manifest.keywords).toContain("pi-package");
	});

	test("`pi install ./` brings it, and the next start has it", async () => {
		const model = await testModel();
		const sandbox = testSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
		const install = await runHost(["install", PROJECT_ROOT], { model, sandbox, extensions: [] });
		expect(install.code).toBe(0);
		const host = await testHost({ model, sandbox, extensions: [], args: ["-c"], rows: 50 });
		await host.screen.waitFor(/◆ resume/);
	});

	test("the lock file names no registry host", () => {
		expect(readFileSync(join(PROJECT_ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
	});
});
