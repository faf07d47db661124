import { expect, test } from "vitest";
import { session } from "../host/fixtures.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { resumeHost } from "./resume-host.ts";

const OTHER = session({
	id: "0195a1b2-c3d4-7000-8000-00000000000a",
	startedAt: new Date("2026-01-02T10:00:00Z"),
})
	.user("Port the theme to the new API")
	.edit("src/theme.ts", "a", "b")
	.assistant("Ported it.\n\n- [ ] Port the colors")
	.name("Port the theme")
	.build();

const LETTERS = "abcdefghijklmnopqrstuvwxyz".repeat(2);

/** Types a key every few milliseconds, without waiting for the session to be replaced. */
async function typeOn(host: TerminalHost): Promise<void> {
	for (const letter of LETTERS) {
		host.type(letter);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** The host itself loses text that is typed while it forks, because it then sets the editor's text. */
test("text typed while a command replaces the session is kept after the prompt to continue with", async () => {
	const host = await resumeHost({ args: ["-c"], sessions: [OTHER, yesterdaySession] });
	await host.screen.waitFor(/▤ session card/);
	host.submit("/resume-here --branch");
	await typeOn(host);
	await host.screen.waitFor(new RegExp(`> Should it throw a RangeError[^]*^${LETTERS}$`, "m"));
	host.key("ctrl+c");
	await host.screen.waitFor((text) => !text.includes(LETTERS), { what: "the editor to be empty" });
	host.submit("/resume-from port the theme");
	await typeOn(host);
	await host.screen.waitFor(new RegExp(`^Port the colors[^]*^${LETTERS}$`, "m"));
	expect(host.extensionErrors()).toEqual([]);
}, 60_000);
