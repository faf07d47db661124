import { expect, test } from "vitest";
import { hang } from "../host/answer.ts";
import { until } from "../host/until.ts";
import { attached } from "./attached.ts";
import { recapHost } from "./recap-host.ts";

test("a focus report in two pieces neither ends the run nor is typed, and Escape still ends it", async () => {
	const host = await recapHost({ settings: { tuiMode: "regular" } });
	host.model.always("agent", hang());
	host.submit("work");
	await host.model.waitForCall("agent");
	await attached(host);
	for (const rest of ["[O", "[I"]) {
		const since = Date.now();
		host.type("\x1b");
		await until(() => Date.now() - since >= 30, { what: "the second piece to be due", everyMs: 5 });
		host.type(rest);
	}
	host.type("draft");
	await host.screen.waitFor(/draft/);
	expect(host.screen.text()).not.toMatch(/\[[OI]|aborted/i);
	host.type("\x1b");
	await host.screen.waitFor(/aborted/i);
});
