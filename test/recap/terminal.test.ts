import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hang, isHostSince, say, until } from "../host/index.ts";
import { SUSPENDED } from "../host/job-control.ts";
import { recapHost } from "./recap-host.ts";

const CRASH = `export default (pi) => pi.registerCommand("crash", {
	handler: async () => { setTimeout(() => { throw new Error("boom"); }, 0); },
});`;

describe("focus reports are on only while pi owns the terminal", () => {
	test("off after a crash", async () => {
		const host = await recapHost({ files: { ".pi/extensions/crash.ts": CRASH } });
		await host.attached();
		host.submit("/crash");
		await host.exit;
		expect(host.focusSwitches().at(-1)).toBe("l");
	});

	test.each([
		"Ctrl+Z",
		// Older hosts stop without restoring the terminal.
		...(isHostSince("1.6.0") ? ["kill -TSTP"] : []),
	])("off while suspended by %s, then on, which is a return, and off after SIGHUP", async (how) => {
		const host = await recapHost({ args: ["--recap-away-seconds", "0.2"], jobControl: "shell" });
		host.model.queue("agent", say("word ".repeat(40)));
		host.model.always("recap", hang());
		await host.submit("say forty words", /word word/);
		await host.attached();
		if (how === "Ctrl+Z") host.key("ctrl+z");
		else host.signal("SIGTSTP");
		await host.screen.waitFor((text) => text.includes(SUSPENDED), "the shell");
		expect(host.focusSwitches().at(-1)).toBe("l");
		const since = Date.now();
		await until(() => Date.now() - since > 300, "the absence to be long enough");
		host.key("enter");
		await until(() => host.focusSwitches().at(-1) === "h", "focus reports");
		await host.screen.waitFor(/✦ recap/);
		host.signal("SIGHUP");
		await host.exit;
		expect(host.focusSwitches().at(-1)).toBe("l");
	});

	test("off in the external editor, on again afterwards, and off after Ctrl+D", async () => {
		const host = await recapHost({
			files: { "editor.sh": '#!/bin/sh\nprintf "from the editor" > "$1"\n' },
			env: { EDITOR: "./editor.sh" },
		});
		chmodSync(join(host.sandbox.cwd, "editor.sh"), 0o755);
		await host.attached();
		await host.key("ctrl+g", /from the editor/);
		// In fullscreen mode, the host switches focus reports, too.
		expect(host.focusSwitches().replace(/(.)\1+/g, "$1")).toBe("hlh");
		host.key("ctrl+u");
		await host.quit();
		expect(host.focusSwitches().at(-1)).toBe("l");
	});
});
