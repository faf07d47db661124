import { describe, expect, test } from "vitest";
import { say, useTool } from "../host/answer.ts";
import { isHostSince } from "../host/launch.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { attached } from "./attached.ts";
import { recapHost } from "./recap-host.ts";

const FAST = ["--recap-away-seconds", "0.4", "--recap-focus-min-seconds", "0.05"];
/** Older hosts have no fullscreen mode, and paint only into the terminal's own scrollback. */
const HAS_FULLSCREEN = isHostSince("0.87.0");
/** SGR mouse reports: the pointer moves, the wheel turns, and a button is pressed and released. */
const MOUSE = "\x1b[<35;11;5M\x1b[<64;11;5M\x1b[<65;11;5M\x1b[<0;3;3M\x1b[<0;3;3m";

/** The agent does something worth a recap, and the user returns to it with the mouse. */
async function comesBack(host: TerminalHost, what: string): Promise<void> {
	host.model.queue("agent", useTool("bash", { command: "echo built" }), say(`Built ${what}. Deploy it?`));
	host.model.queue("recap", say(`<recap>Built ${what}; the deployment waits for a word.</recap>`));
	const drafts = host.model.calls("recap").length;
	host.submit(`build ${what}`);
	await host.screen.waitFor(new RegExp(`Built ${what}. Deploy it`));
	host.focusOut();
	await until(() => host.model.calls("recap")[drafts]?.state === "answered", { what: "the draft" });
	host.focusIn();
	// Typing delays a recap; mouse events do not.
	const recap = new RegExp(`✦ recap[^]*Built ${what}; the deployment waits`);
	const moves = () => {
		host.type(MOUSE);
		return recap.test(host.screen.text());
	};
	await until(moves, { what: "the recap", everyMs: 100, detail: () => host.screen.picture() });
	expect(host.screen.text()).not.toMatch(/\[[IO<]/);
}

/** Whether the host's own mouse reports are on. */
const hasMouse = (host: TerminalHost) => host.screen.modes().mouseTrackingMode !== "none";

/** A character that occurs nowhere else on the screen. */
const PROBE = "¤";

async function chooseMode(host: TerminalHost, mode: "regular" | "fullscreen"): Promise<void> {
	host.submit("/settings");
	await host.screen.waitFor(/Type to search/);
	host.type("tui mode");
	await host.screen.waitFor(/→ TUI mode/);
	host.key("enter");
	await until(() => hasMouse(host) === (mode === "fullscreen"), { what: `${mode} mode` });
	// Keys that arrive while the host rebuilds its screen may be lost, so Escape is repeated until the
	// editor shows a character.
	const isAccepted = () => {
		const text = host.screen.text();
		if (text.includes("Esc to cancel")) host.key("escape");
		else if (text.includes(PROBE)) return true;
		else host.type(PROBE);
		return false;
	};
	// Two Escapes within half a second would open the session's tree.
	await until(isAccepted, { what: "the settings to close and the editor to accept keys", everyMs: 600 });
	host.key("ctrl+u");
	await host.screen.waitFor((text) => !text.includes(PROBE), { what: "an empty editor" });
}

describe.runIf(HAS_FULLSCREEN)("in the host's fullscreen mode, which uses focus reports itself", () => {
	test("a return is noticed, mouse events are not typing, and focus reports last until pi ends, across sessions", async () => {
		const host = await recapHost({ args: [...FAST, "--tui-mode", "fullscreen"] });
		await attached(host);
		await comesBack(host, "one");
		const written = host.raw.length;
		host.submit("/new");
		await host.screen.waitFor(/New session started/);
		await until(() => host.raw.slice(written).includes("\x1b[?1004h"), { what: "the new session's switch" });
		expect(host.raw.slice(written)).not.toContain("\x1b[?1004l");
		await comesBack(host, "two");
		host.key("ctrl+d");
		expect((await host.exit).code).toBe(0);
		expect(host.focusSwitches().at(-1)).toBe("l");
		expect(hasMouse(host)).toBe(false);
	});

	test("switching the mode in either direction keeps focus reports on and noticed", async () => {
		const host = await recapHost({ args: FAST, rows: 40 });
		await attached(host);
		await chooseMode(host, "fullscreen");
		await comesBack(host, "one");
		await chooseMode(host, "regular");
		expect(host.screen.modes().sendFocusMode).toBe(true);
		await comesBack(host, "two");
		host.key("ctrl+d");
		await host.exit;
		expect(host.focusSwitches().at(-1)).toBe("l");
	});
});
