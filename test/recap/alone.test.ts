import { test } from "vitest";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { recapHost } from "./recap-host.ts";

test("the extension loads by its own path, without the rest of the package", async () => {
	const host = await recapHost({ args: ["-c"], sessions: [yesterdaySession], rows: 50 });
	await host.screen.waitFor(/✦ recap/);
});
