import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";
import { say } from "../host/answer.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { recapHost } from "./recap-host.ts";

test("packed into one file, the extension works the same", async () => {
	execFileSync(process.execPath, [join(PROJECT_ROOT, "scripts/pack.mjs"), "session-recap"], {
		cwd: PROJECT_ROOT,
	});
	const packed = join(PROJECT_ROOT, "dist/session-recap.js");
	const host = await recapHost({
		extensions: [packed],
		args: ["-c"],
		sessions: [yesterdaySession],
		suiteSettings: "{ /* mine */ }",
		rows: 50,
		script: (model) => model.always("recap", say("<recap>Fixing src/parse-date.js.</recap>")),
	});
	await host.screen.waitFor(/Fixing src\/parse-date\.js\./);
});

test("one extension alone loads by its own path", async () => {
	const host = await recapHost({
		extensions: [join(PROJECT_ROOT, "session-recap/index.ts")],
		args: ["-c"],
		sessions: [yesterdaySession],
		rows: 50,
	});
	await host.screen.waitFor(/✦ recap/);
});
