import { describe, expect, test } from "vitest";
import { recapOf } from "./record.test-support.ts";
import type { SessionRecord } from "./record.ts";
import { currentRecord, refusal } from "./records.ts";

const heuristic = recapOf();
const edited = recapOf({ generator: { type: "user_edited" } });
const llm = recapOf({ generator: { type: "llm", provider: "p", model: "m" } });
const requested = recapOf({ requested: true });

describe("the current record is", () => {
	const at = (created_at: number, record: SessionRecord) => ({ ...record, created_at });
	const noteAt = (created_at: number) => ({ ...llm, id: "", created_at });
	const inherited = { ...at(2, edited), subject_id: "s0" };
	const outdated = { last_message_id: "m0" };
	test.each<[string, SessionRecord | undefined, SessionRecord[], "stored" | number | undefined]>([
		["missing, if nothing is stored", undefined, [], undefined],
		["the stored record, if there is no note", heuristic, [], "stored"],
		["the note, if nothing is stored", undefined, [noteAt(1)], 0],
		["the user's edit, even if a note is newer", at(1, edited), [noteAt(2)], "stored"],
		["a requested record, if it is newer than the note", at(2, requested), [noteAt(1)], "stored"],
		["a note, if it is newer than a requested record", at(1, requested), [noteAt(2)], 0],
		["a model's record, if it is newer than the note", at(2, llm), [noteAt(1)], "stored"],
		["a note, if it is newer than a model's record", at(1, llm), [noteAt(2)], 0],
		["a note, even if an automatic record is newer", at(2, heuristic), [noteAt(1)], 0],
		["the newer of two notes", heuristic, [noteAt(1), noteAt(2)], 1],
		["not an outdated edit", { ...edited, ...outdated }, [noteAt(1)], 0],
		["not an outdated note", heuristic, [{ ...noteAt(1), ...outdated }], "stored"],
		["not an edit that has been replaced in the file", requested, [edited], "stored"],
		["a fork's own note rather than the original session's edit", inherited, [noteAt(1)], 0],
		["the original session's record, if a fork has no own note", inherited, [], "stored"],
	])("%s", (_, stored, notes, expected) => {
		const found = currentRecord({ id: "s1", stamp: "m1", stored }, notes);
		expect(found).toBe(typeof expected === "number" ? notes[expected] : expected && stored);
	});
});

type State = Parameters<typeof refusal>[0];
type Wish = Parameters<typeof refusal>[1];
const STATE: State = { stamp: "m1", hasTask: true, messages: 8, isInherited: false, existing: undefined };

test.each<[string, Partial<State>, Partial<Wish>, ReturnType<typeof refusal>]>([
	["a session of eight messages ends", {}, {}, undefined],
	["a session of seven messages ends", { messages: 7 }, {}, "short"],
	["a session ends and the setting is 0", {}, { minMessages: 0 }, "off"],
	["nothing was said", { stamp: undefined }, {}, "nothing"],
	["nothing was requested", { hasTask: false }, {}, "nothing"],
	["a fork has no messages of its own", { isInherited: true }, {}, "inherited"],
	["the state has a record", { existing: heuristic }, {}, "exists"],
	["a person edited the record", { existing: edited }, {}, "edited"],
	["a short headless run ends", { messages: 2 }, { cause: "job", minMessages: 0 }, undefined],
	["a short session is idle", { messages: 2 }, { cause: "idle", minMessages: 0 }, undefined],
	["an idle session has a record", { existing: heuristic }, { cause: "idle" }, "exists"],
	["the user requests one for a short session", { messages: 1 }, { cause: "typed" }, undefined],
	["the user requests one in a fork without messages", { isInherited: true }, { cause: "typed" }, undefined],
	["the user requests a second one", { existing: heuristic }, { cause: "typed" }, "exists"],
	["the user forces a second one", { existing: llm }, { cause: "typed", replaces: "all" }, undefined],
	[
		"a model's is requested after editing",
		{ existing: edited },
		{ cause: "typed", replaces: "unedited" },
		"edited",
	],
	["the user forces one after editing", { existing: edited }, { cause: "typed", replaces: "all" }, undefined],
	["a model's is requested", { existing: heuristic }, { cause: "typed", replaces: "offline" }, undefined],
	[
		"settings request a model's second one",
		{ existing: llm },
		{ cause: "typed", replaces: "offline" },
		"exists",
	],
	[
		"the user requests a model's second one",
		{ existing: llm },
		{ cause: "typed", replaces: "unedited" },
		undefined,
	],
])("whether a record is made if %s", (_, state, wish, reason) =>
	expect(refusal({ ...STATE, ...state }, { cause: "end", minMessages: 8, ...wish })).toBe(reason),
);
