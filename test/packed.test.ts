import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { say } from "./host/answer.ts";
import { testHost } from "./host/in-test.ts";
import { PROJECT_ROOT } from "./host/launch.ts";
import { yesterdaySession } from "./host/yesterday-session.ts";

const NAMES = ["session-resume", "session-recap", "session-title"];

const packed = (name: string) => join(PROJECT_ROOT, `dist/${name}.js`);

beforeAll(() => {
	execFileSync(process.execPath, [join(PROJECT_ROOT, "scripts/pack.mjs"), ...NAMES], { cwd: PROJECT_ROOT });
});

test("one packed file works alone, with the parser of comments inside", async () => {
	const host = await testHost({
		extensions: [packed("session-recap")],
		args: ["-c"],
		sessions: [yesterdaySession],
		suiteSettings: "{ /* mine */ }",
		rows: 50,
		script: (model) => model.always("recap", say("<recap>Fixing src/parse-date.js.</recap>")),
	});
	const text = await host.screen.waitFor(/Fixing src\/parse-date\.js\./);
	expect(text).not.toContain("jsonc-parser");
});

test("each packed into one file, the extensions load and work together as they do from source", async () => {
	const host = await testHost({
		extensions: NAMES.map(packed),
		args: ["-c"],
		sessions: [yesterdaySession],
		rows: 50,
		script: (model) => model.always("recap", say("<recap>Fixing src/parse-date.js.</recap>")),
	});
	await host.screen.waitFor(/◆ resume[\s\S]*Fixing src\/parse-date\.js\./);
	host.submit("/rename packed name");
	await host.screen.waitFor(/✎ packed name/);
	expect(host.extensionErrors()).toEqual([]);
});
