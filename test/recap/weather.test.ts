import { expect, test } from "vitest";
import { Gate, held, paused, say, testOnce, until, yesterdaySession } from "../host/index.ts";
import { recapHost, recapText } from "./recap-host.ts";

const PAST = { args: ["-c"], sessions: [yesterdaySession], rows: 50 };
const HOSTILE =
	"\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\\x9b31m\u202eRTL\u2066\ud83d";

test("while the answer arrives, complete sentences are shown as soon as they are checked", async () => {
	const [early, broken, unfinished] = [new Gate(), new Gate(), new Gate()];
	const rest = "<topic>Strict date parser</topic><done>invalid days are refused</done>";
	const host = await recapHost({ ...PAST, args: ["-c", "--recap-disable"] });
	host.model.queue(
		"recap",
		paused(
			"<recap>Invalid days are refused. Edited EARLY.ts. It is committed and pushed.</recap>",
			early,
			rest,
		),
		paused("<recap>Days beyond the month are refused now.</recap>", broken),
		paused("<recap>No invalid day is accepted any more.</recap>", unfinished),
	);
	host.submit("/recap");
	await until(() => recapText(host).includes("Invalid days are refused."), "the sentences");
	expect(host.screen.text()).toMatch(/asking the model/);
	early.open();
	await host.screen.waitFor(/Invalid days are refused\.\s+src\/parse-date\.js/);
	expect(host.raw).not.toMatch(/EARLY|committed and pushed/);
	// The note remains if a later answer breaks off.
	await host.submit("/recap --force", /Days beyond the month/);
	broken.open();
	await until(() => recapText(host).includes("Invalid days are refused."), "the note again");
	// The sentences remain if the user cancels the request.
	await host.submit("/recap --force", /No invalid day/);
	await host.key("escape", /recap: the request was canceled/);
	await host.submit("/recap status", /last +written by scripted\//);
	// A long or hostile answer is clipped plain text.
	const long = "Then more of the same. ".repeat(220);
	host.model.queue("recap", say(`<recap>Fixing the date parser ${HOSTILE} it. ${long}</recap>`));
	await host.submit("/recap --force", /Fixing .*it\. Then more/);
	expect(host.raw).not.toMatch(/\x1b\]52;|evil\.example\x1b|\u202e|\u2066|\ufffd/);
	expect(recapText(host).split("Then more of the same.").length).toBeLessThan(20);
	expect(host.model.calls("recap")).toHaveLength(4);
});

test("if the model has no key, the offline text is shown, and /recap says what to do", async () => {
	const host = await recapHost({ ...PAST, models: "no-key" });
	await host.screen.waitFor(/✦ recap/);
	await host.submit("/recap", /no working credentials|no model is available/);
	expect(host.model.requests).toEqual([]);
});

testOnce("--no-session writes nothing, and /recap reports if there is nothing yet", async () => {
	const host = await recapHost({ args: ["--no-session", "--recap-away-seconds", "0.2"] });
	const gate = new Gate();
	host.model.queue("agent", held(gate, say("word ".repeat(40))));
	host.model.always("recap", say("<recap>Forty words were asked for and written.</recap>"));
	await host.submit("/recap clear", /nothing to clear/);
	await host.submit("/recap", /nothing to recap yet/);
	expect(host.model.requests).toEqual([]);
	host.submit("say forty words");
	await host.model.waitForCall("agent");
	await host.submit("/recap", /agent is still working/);
	expect(host.model.calls("recap")).toEqual([]);
	gate.open();
	await host.screen.waitFor(/word word/);
	await host.attached();
	host.focusOut();
	await until(() => host.model.calls("recap")[0]?.state === "answered", "the draft");
	host.focusIn();
	await host.screen.waitFor(/Forty words were asked for/);
	expect(host.sessionFile()).toBeUndefined();
});
