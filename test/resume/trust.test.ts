import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isHostSince, PROJECT_ROOT, yesterdaySession } from "../host/index.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

/** Older hosts load a project's packages without asking. */
const ASKS = isHostSince("0.87.0");

/** The question of a host with its default settings in a project whose settings list the suite as a package. */
async function asking() {
	const host = await resumeHost({
		extensions: [],
		// No file of the suite exists yet.
		isFirstStart: true,
		args: ["-c"],
		sessions: [yesterdaySession],
		files: { ".pi/settings.json": JSON.stringify({ packages: [PROJECT_ROOT] }) },
		// In fullscreen mode the host asks for focus reports itself.
		settings: { defaultProjectTrust: "ask", tuiMode: "regular" },
		waitFor: "none",
	});
	await host.screen.waitFor(/Trust project folder\?/);
	return host;
}

describe.runIf(ASKS)(
	"installed for one project, on a host that asks before it loads what a project names",
	() => {
		test("no: pi starts without the suite, and the session is unchanged", async () => {
			const host = await asking();
			host.key("escape");
			await host.waitForPrompt();
			host.submit("/recap");
			expect((await host.model.waitForCall("agent")).user).toBe("/recap");
			expect((await host.quit()).code).toBe(0);
			expect(host.focusSwitches().at(-1)).toBeUndefined();
			expect(recordsIn(host.entries())).toEqual([]);
			expect(existsSync(join(host.sandbox.agentDir, "session-suite"))).toBe(false);
		});

		test("yes: the suite is loaded and shows the card", async () => {
			const host = await asking();
			await host.key("enter", /▤ session card/);
		});
	},
);
