import { expect, test } from "vitest";
import { noteOf, type SessionView, toldApart } from "./view.ts";

const step = (text: string) => ({ kind: "step" as const, text });

const row = (fields: Partial<SessionView>): SessionView =>
	({ title: "Port the theme", state: "closed", waits: false, ...fields }) as SessionView; // No other fields are read.

test.each<[string, Partial<SessionView>, string | undefined]>([
	["its question", { waits: true, next: step("Blue?"), ending: { outcome: "waiting" } }, "next Blue?"],
	["the next step of an unseen run", { state: "finished", next: step("Add a lock") }, "next Add a lock"],
	["that a dialog waits", { state: "waiting", next: step("Add a lock") }, "state waiting for you"],
	["that it has finished", { state: "finished" }, "state finished"],
	["why it failed", { ending: { outcome: "error", reason: "529 Busy" } }, "state Failed: 529 Busy"],
	["the next step", { next: step("Remove the old adapter") }, "next Remove the old adapter"],
	["how it ended", { next: step("Port the theme to X"), ending: { outcome: "aborted" } }, "state Aborted"],
	["what it is doing", { state: "working" }, "state working"],
	["nothing if its work is done", {}, undefined],
])("a row says %s", (_, fields, text) => {
	const note = noteOf(row(fields));
	expect(note && `${note.kind} ${note.text}`).toBe(text);
});

test.each<[string, "live" | "all", Partial<SessionView>[], string[]]>([
	["their folders", "all", [{ project: "~/app" }, { project: "~/lib" }], ["(app)", "(lib)"]],
	["their prompts", "live", [{ state: "idle" }, { state: "idle", firstPrompt: "A" }], ["(Port it)", "(A)"]],
	["their ids", "all", [{ id: "0195-aaaaaa" }, { id: "0195-bbbbbb" }], ["(aaaaaa)", "(bbbbbb)"]],
	["nothing in a list if one is closed", "live", [{ state: "idle", id: "a" }, { id: "b" }], ["", ""]],
])("equal titles are told apart by %s", (_, which, fields, marks) => {
	const views = fields.map((one) => row({ project: "~/app", firstPrompt: "Port it", id: "a", ...one }));
	const titles = toldApart(views, which).map(({ title }) => title);
	expect(titles).toEqual(marks.map((mark) => `Port the theme ${mark}`.trim()));
});
