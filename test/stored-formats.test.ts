import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Shell } from "../bin/shell.test-support.ts";
import { loadSettings } from "../session-core/pi/load-settings.ts";
import { createBudget } from "../session-core/pi/model/budget.ts";
import { NO_CATALOG } from "../session-core/pi/model/model.test-support.ts";
import { cachePath } from "../session-core/sessions/cache.ts";
import { readRaw } from "../session-core/sessions/live/liveness.mjs";
import { readPlace } from "../session-core/sessions/live/terminal-place.ts";
import { readMarks } from "../session-core/sessions/marks.ts";

/**
 * An agent folder written by the version of 2026-11-22. It contains two sessions of one project, the second of which is open. Paths and
 * machine ids are replaced.
 */
const STORED = fileURLToPath(new URL("stored", import.meta.url));
const NOW = Date.parse("2026-11-23T14:00:00Z");

let shell: Shell;
let sessions: string;

beforeAll(() => {
	const root = mkdtempSync(join(tmpdir(), "stored-"));
	afterAll(() => rmSync(root, { recursive: true, force: true }));
	shell = new Shell(root);
	cpSync(STORED, shell.agentDir, { recursive: true });
	sessions = join(shell.agentDir, "sessions/--home-lena-login--");
	// The cache's name contains a hash of the folder's path.
	const index = join(shell.agentDir, "session-suite/index");
	const [cache = ""] = readdirSync(index).filter((name) => name.endsWith(".index"));
	cpSync(join(index, cache), cachePath(shell.agentDir, sessions));
	for (const lease of leases()) utimesSync(lease, NOW / 1000, NOW / 1000);
});

const leases = () =>
	readdirSync(join(shell.agentDir, "session-suite/live"))
		.filter((name) => name.endsWith(".json"))
		.map((name) => join(shell.agentDir, "session-suite/live", name));

test("the list shows titles and their sources, the open session's state, and its current record", async () => {
	const { out, err } = await shell.run(["list", "--all", "--json"], { now: () => NOW });
	expect(err).toBe("");
	expect(JSON.parse(out).sessions).toMatchObject([
		{
			title: "Login redirect after token expiry",
			title_source: "auto",
			state: "waiting",
			cwd: "/home/lena/login",
			model: "scripted/scripted-large",
			next: "Shall I add a regression test?",
			recap: {
				fresh: true,
				headline: "The login page redirects forever after the token expires, find out why",
				outcome: "waiting",
				next_actions: ["Shall I add a regression test?"],
			},
		},
		{ title: "Rate limit of the API", title_source: "manual", state: "closed" },
	]);
});

test("the model's recap and the record are shown", async () => {
	const { out } = await shell.run(["show", "login redirect"], { now: () => NOW });
	expect(out).toMatch(/Fixing the redirect[\s\S]*Shall I add a regression test\?[\s\S]*src\/login\.js/);
});

test("a lease is read with its process, state and terminal", () => {
	const [lease] = leases().map((path) => readRaw(path)?.lease);
	expect(lease).toMatchObject({ state: "waiting", host: "laptop", cwd: "/home/lena/login" });
	expect(readPlace(lease?.terminal)).toEqual({ tty: "/dev/pts/3" });
});

test("the cost of that day counts toward the limit", () => {
	const { agentDir } = shell;
	const budget = createBudget({
		agentDir,
		session: "s",
		feature: "recap",
		limit: () => 1,
		now: () => NOW,
		log: () => undefined,
		catalog: NO_CATALOG,
		ui: { notify: () => undefined },
		sayOnce: () => undefined,
	});
	expect(budget.spentToday("all").cost).toBeCloseTo(0.00343325, 8);
});

test("the settings, with recaps switched off, and the pins are kept", () => {
	const { settings, problems } = loadSettings({ agentDir: shell.agentDir, cwd: shell.cwd });
	expect([settings.recap.enabled, problems]).toEqual([false, []]);
	expect([...readMarks(shell.agentDir).pinned]).toEqual([basename(readdirSync(sessions).sort()[0] ?? "")]);
});

test("a listing replaces a cache of another version", () => {
	const cache = readFileSync(cachePath(shell.agentDir, sessions), "utf8");
	expect(cache).toContain("Rate limit of the API");
	expect(cache).not.toContain('"generation"');
});
