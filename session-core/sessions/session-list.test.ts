import { expect, test } from "vitest";
import { FOREIGN, PI } from "../log/format.ts";
import {
	filterProblem,
	foldOf,
	inUsualOrder,
	isInState,
	LISTED_AGENTS,
	LISTED_STATES,
} from "./session-list.mjs";
import { lookOf } from "./session-looks.mjs";

const error = { outcome: "error" as const };

test.each([
	["waiting", {}, "◆", ["waiting", "live"]],
	["failed", { ending: error }, "✗", ["failed", "live"]],
	["finished", {}, "■", ["finished", "live"]],
	["working", {}, "●", ["working", "live"]],
	["idle", {}, "○", ["idle", "live"]],
	["idle", { ending: error }, "○", ["failed", "idle", "live"]],
	["closed", {}, " ", ["closed"]],
	["closed", { waits: true }, "◇", ["waiting", "closed"]],
	["closed", { ending: error }, "✗", ["failed", "closed"]],
	["closed", { waits: true, ending: error }, "◇", ["waiting", "failed", "closed"]],
] as const)("a session that is %s (%o) is marked %s and is listed as %j", (state, more, glyph, names) => {
	const session = { state, waits: false, ending: undefined, ...more };
	expect(lookOf(session).glyph).toBe(glyph);
	expect(LISTED_STATES.filter((name) => isInState(session, name))).toEqual(names);
});

test.each([
	["session", "closed", false, false, undefined],
	["session", "closed", false, true, "archived"],
	["session", "idle", true, true, undefined],
	["fork", "closed", false, false, undefined],
	["headless", "closed", false, false, "background"],
	["headless", "working", false, false, "background"],
	["headless", "working", true, false, undefined],
	["child", "closed", false, true, "archived"],
])("kind %s, %s, interactive %s, archived %s: the fold is %s", (kind, state, interactive, archived, fold) => {
	expect(foldOf({ kind, state, interactive }, archived)).toBe(fold);
});

test("waiting sessions come first, the longest wait before the others, followed by urgency, age and path", () => {
	const rows = [
		{ path: "b", state: "closed", modified: 5 },
		{ path: "a", state: "closed", modified: 5 },
		{ path: "c", state: "closed", modified: 9 },
		{ path: "working", state: "working", modified: 1 },
		{ path: "asked late", state: "waiting", modified: 9, waitingSince: 9 },
		{ path: "asked early", state: "waiting", modified: 3, waitingSince: 3 },
	] as const;
	const sorted = rows.toSorted((one, other) =>
		inUsualOrder({ waitingSince: undefined, ...one }, { waitingSince: undefined, ...other }),
	);
	expect(sorted.map(({ path }) => path)).toEqual(["asked early", "asked late", "working", "c", "a", "b"]);
});

test("a filter recognizes every agent's name", () =>
	expect(LISTED_AGENTS).toEqual([PI, ...FOREIGN].map(({ name }) => name)));

test.each([
	["is:foo", 'There is no state "foo". States: waiting, failed, finished, working, idle, closed, live.'],
	["IS:Waitng parser", 'There is no state "Waitng".'],
	["is:wait parser", undefined],
	["agent:foo", 'There is no agent "foo". Agents: pi, claude-code, codex, qwen-code.'],
	["agent: agent:Cod parser", undefined],
	["is: this:foo", undefined],
])("the filter %j has the hint %j", (query, hint) => {
	if (hint === undefined) expect(filterProblem(query)).toBeUndefined();
	else expect(filterProblem(query)).toContain(hint);
});
