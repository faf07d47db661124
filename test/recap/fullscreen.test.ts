import { describe, expect, test } from "vitest";
import { isHostSince, say, type TerminalHost, until, useTool } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

const FAST = ["--recap-away-seconds", "0.4", "--recap-focus-min-seconds", "0.05"];
/** Older hosts have no fullscreen mode, and paint only into the terminal's own scrollback. */
const HAS_FULLSCREEN = isHostSince("0.87.0");
/** SGR mouse reports: the pointer moves, the wheel turns, and a button is pressed and released. */
const MOUSE = "\x1b[<35;11;5M\x1b[<64;11;5M\x1b[<65;11;5M\x1b[<0;3;3M\x1b[<0;3;3m";

async function comesBack(host: TerminalHost, what: string): Promise<void> {
	host.model.queue("agent", useTool("bash", { command: "echo built" }), say(`Built ${what}. Deploy it?`));
	host.model.queue("recap", say(`<recap>Built ${what}; the deployment waits for a word.</recap>`));
	const drafts = host.model.calls("recap").length;
	await host.submit(`build ${what}`, new RegExp(`Built ${what}. Deploy it`));
	host.focusOut();
	await until(() => host.model.calls("recap")[drafts]?.state === "answered", "the draft");
	host.focusIn();
	// Typing delays a recap; mouse events do not.
	const recap = new RegExp(`✦ recap[^]*Built ${what}; the deployment waits`);
	const moves = () => {
		host.type(MOUSE);
		return recap.test(host.screen.text());
	};
	await until(moves, "the recap", { everyMs: 100, detail: () => host.screen.picture() });
	expect(host.screen.text()).not.toMatch(/\[[IO<]/);
}

const hasMouse = (host: TerminalHost) => host.screen.modes().mouseTrackingMode !== "none";

const PROBE = "¤";

async function chooseMode(host: TerminalHost, mode: "regular" | "fullscreen"): Promise<void> {
	await host.submit("/settings", /Type to search/);
	await host.type("tui mode", /→ TUI mode/);
	host.key("enter");
	await until(() => hasMouse(host) === (mode === "fullscreen"), `${mode} mode`);
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
	await until(isAccepted, "the settings to close and the editor to accept keys", { everyMs: 600 });
	host.key("ctrl+u");
	await host.screen.waitUntilGone(PROBE);
}

describe.runIf(HAS_FULLSCREEN)("in the host's fullscreen mode, which uses focus reports itself", () => {
	test("a return is noticed, mouse events are not typing, and focus reports last until pi ends, across sessions", async () => {
		const host = await recapHost({ args: [...FAST, "--tui-mode", "fullscreen"] });
		await host.attached();
		await comesBack(host, "one");
		const written = host.raw.length;
		await host.submit("/new", /New session started/);
		await until(() => host.raw.slice(written).includes("\x1b[?1004h"), "the new session's switch");
		expect(host.raw.slice(written)).not.toContain("\x1b[?1004l");
		await comesBack(host, "two");
		expect((await host.quit()).code).toBe(0);
		expect(host.focusSwitches().at(-1)).toBe("l");
		expect(hasMouse(host)).toBe(false);
	});

	test("switching the mode in either direction keeps focus reports on and noticed", async () => {
		const host = await recapHost({ args: FAST, rows: 40 });
		await host.attached();
		await chooseMode(host, "fullscreen");
		await comesBack(host, "one");
		await chooseMode(host, "regular");
		expect(host.screen.modes().sendFocusMode).toBe(true);
		await comesBack(host, "two");
		await host.quit();
		expect(host.focusSwitches().at(-1)).toBe("l");
	});
});
