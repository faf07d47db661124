import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { say } from "../host/answer.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { resumeHost } from "./resume-host.ts";

/** Systems clean their temp folder while a tab stays open for days, and remove the compiled sources of the host's loader. */
test("code is still loaded on demand after the temp folder was cleaned", async () => {
	const host = await resumeHost({
		extensions: [PROJECT_ROOT],
		args: ["-c"],
		sessions: [yesterdaySession],
		script: (model) =>
			model.always("recap", say("<recap>Fixing src/parse-date.js for invalid days.</recap>")),
	});
	await host.screen.waitFor(/▤ session card/);
	// By now, everything that is loaded after the first paint is loaded.
	host.submit("/recap status");
	await host.screen.waitFor(/recap: on/);
	rmSync(join(host.sandbox.temp, "jiti"), { recursive: true });
	host.submit("/recap show");
	await host.screen.waitFor(/✦ recap/);
	host.submit("/sessions");
	await host.screen.waitFor(/^ Sessions/m);
	host.key("escape");
	await host.screen.waitFor((text) => !/^ Sessions/m.test(text), { what: "the board to close" });
	host.submit("/rename --auto nonsense");
	await host.screen.waitFor(/rename: --auto takes no name/);
	expect(host.screen.scrollback()).not.toContain("ENOENT");
});
