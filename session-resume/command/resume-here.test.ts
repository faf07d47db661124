import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../session-core/log/entry.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { RECAP_ENTRY } from "../../session-core/recap/record.ts";
import type { Waiting } from "../../session-core/sessions/resume-prompt.ts";
import { continuationOf, takeRequestedText } from "./resume-from.ts";
import { folderQuestion, restoreModel } from "./resume-here.ts";

test("a question about the folder is asked only if the folder differs from pi's or is gone", () => {
	const root = folder();
	const [own, other, link] = [join(root, "own"), join(root, "other"), join(root, "link")];
	mkdirSync(own);
	mkdirSync(other);
	symlinkSync(own, link, "junction");
	expect(folderQuestion(own, own)).toBeUndefined();
	expect(folderQuestion(link, own)).toBeUndefined();
	expect(folderQuestion(undefined, own)).toBeUndefined();
	expect(folderQuestion(own, other)).toMatch(/belongs to .*own, but pi is running in .*other/);
	rmSync(own, { recursive: true });
	expect(folderQuestion(own, other)).toMatch(/folder, .*own, no longer exists\. Continue in .*other\?/);
	expect(folderQuestion(own, own)).toMatch(/no longer exists\. Continue anyway/);
});

test.each([
	["unknown here", "unknown", /is not available\. The session will use the model p\/large/],
	["without credentials", "no_credentials", /no credentials .* will use the model p\/large/],
] as const)(
	"the session's own model is reported if it is %s, unless the host reports it",
	async (_, outcome, text) => {
		const models = { activeModel: () => ({ provider: "p", id: "large" }), switchModel: async () => outcome };
		const own = { provider: "p", id: "small" };
		const restored = (hostSaysIt: boolean) => restoreModel(own, models, hostSaysIt);
		expect(await restored(false)).toMatchObject({ kind: "warning", text: expect.stringMatching(text) });
		expect(await restored(true)).toBeUndefined();
	},
);

const folder = useTemporaryFolder();
const at = (parentSession: string | undefined, entries: Entry[] = []) => ({
	source: { getEntries: () => entries },
	origin: { timestamp: undefined, parentSession },
});
const continued = (order: Waiting, host = at(undefined)) => continuationOf(order, host);

test("a record that is requested by its id provides its own next step, not that of a newer record", async () => {
	const records = [
		recapOf({ id: "r-1", next_actions: ["First"] }),
		recapOf({ id: "r-2", next_actions: [] }),
		recapOf({ id: "r-3" }),
	].map((data, index) => ({ type: "custom", id: `e${index}`, customType: RECAP_ENTRY, data }));
	const from = (id: string) => continued({ type: "record", value: id }, at(undefined, records));
	expect(await from("r-1")).toMatchObject({ prompt: "First" });
	expect(await from("r-2")).toMatchObject({ prompt: "" });
	expect(await from("gone")).toMatchObject({ prompt: undefined });
});

test.each([
	["next", { prompt: undefined }],
	["text:Fix it", { prompt: "Fix it" }],
	["other", undefined],
	[undefined, undefined],
])("%s is taken once", async (value, continuation) => {
	const env = value === undefined ? {} : { PI_SESSION_SUITE_RESUME: value };
	const order = takeRequestedText(env);
	expect(order && (await continued(order))).toEqual(continuation);
	expect(env).toEqual({});
});

test("a prompt that is too long for the environment is read from the parent, in full", async () => {
	const long = `${"Fix the parser, all of it.\n".repeat(20_000)}The end.`;
	const parent = put(join(folder(), "parent.jsonl"), new SessionText({ id: "p" }).user(long).toString());
	const order = takeRequestedText({ PI_SESSION_SUITE_RESUME: "entry:e0000000" });
	if (order === undefined) throw new Error("no order");
	expect(await continued(order, at(parent))).toEqual({ prompt: long });
	const gone = { refused: "resume: the prompt that you wanted to return to is no longer in the session." };
	expect(await continued(order)).toEqual(gone);
	expect(await continued(order, at(join(folder(), "gone.jsonl")))).toEqual(gone);
	expect(await continued({ type: "entry", value: "none" }, at(parent))).toEqual(gone);
});

test("a session of another agent that cannot be handed over is refused with the reason", async () => {
	const path = join(folder(), "gone.jsonl");
	const refused = await continued({ type: "handover", value: `c-1:${path}` });
	expect(refused).toEqual({
		refused: `resume: the session cannot be continued, because ${path} cannot be read.`,
	});
});
