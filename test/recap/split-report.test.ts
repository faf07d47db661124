import { expect, test } from "vitest";
import { hang, type TerminalHost, until } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

async function working(): Promise<TerminalHost> {
	const host = await recapHost({ settings: { tuiMode: "regular" } });
	host.model.always("agent", hang());
	host.submit("work");
	await host.model.waitForCall("agent");
	await host.attached();
	return host;
}

/**
 * Types two focus reports, each in two pieces. Returns false if this took so long that the first piece
 * of a report may have counted as Escape.
 */
async function typedInPieces(host: TerminalHost): Promise<boolean> {
	for (const rest of ["[O", "[I"]) {
		const since = performance.now();
		host.type("\x1b");
		await until(() => performance.now() - since >= 30, "the second piece to be due", { everyMs: 5 });
		host.type(rest);
		if (performance.now() - since > 70) return false;
	}
	return true;
}

test("a focus report in two pieces neither ends the run nor is typed, and Escape still ends it", async () => {
	let host = await working();
	while (!(await typedInPieces(host))) host = await working();
	await host.type("draft", /draft/);
	expect(host.screen.text()).not.toMatch(/\[[OI]|aborted/i);
	await host.type("\x1b", /aborted/i);
});
