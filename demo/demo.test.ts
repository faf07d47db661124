import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHost } from "../test/host/in-test.ts";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { runHost } from "../test/host/run-host.ts";

const RUNNER = join(PROJECT_ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
const DEMO = join(PROJECT_ROOT, "demo", "main.ts");

test("without a terminal, the demo prints its screens and exits with 0", async () => {
	const run = await runHost([DEMO], { cli: RUNNER, extensions: [] });
	expect(run.stderr).toBe("");
	expect(run.code).toBe(0);
	expect(run.stdout).toMatch(/without a model call\n[\s\S]*▤ session card/);
	expect(run.stdout).toContain("You are making parseDate");
	expect(run.stdout).toMatch(/You return[\s\S]*✦ recap[\s\S]*node --test passed/);
	expect(run.stdout).toMatch(/✎ .*Reject dates that do not exist/);
	expect(run.stdout).toContain("2 calls");
	expect(run.stdout).toMatch(/sends nothing[\s\S]*> Should it throw a RangeError/);
	expect(run.stdout).toMatch(/the board of all sessions[\s\S]*◆ Retry queue[\s\S]*Reject dates/);
}, 50_000);

test("in a terminal, the demo runs the host in it and removes its files", async () => {
	const demo = await testHost({ cli: RUNNER, extensions: [], args: [DEMO], waitFor: "none" });
	await demo.screen.waitFor(/Press Enter to start/);
	demo.key("enter");
	await demo.screen.waitFor(/▤ session card\s[\s\S]*You are making parseDate/);
	demo.submit("/quit");
	expect((await demo.exit).code).toBe(0);
	expect(demo.screen.text()).toContain("The demo's files have been removed.");
	expect(readdirSync(demo.sandbox.temp).filter((name) => name.startsWith("pi-suite-"))).toEqual([]);
});
