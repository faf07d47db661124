import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { findSessions } from "./find-sessions.ts";
import { matchSessions } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

const agentDir = useTemporaryFolder();

const NAMES = {
	"0195cccc-3333": "Fix the parser",
	"0196aaaa-1111": "Port the theme",
	"0196bbbb-2222": "Fix the lexer",
};

function find(wanted: string) {
	const folderOf = (project: string) => join(agentDir(), "sessions", project);
	const place = (project: string, id: string, name: string) =>
		put(join(folderOf(project), `${id}.jsonl`), new SessionText({ id }).user("go").name(name).toString());
	for (const [id, name] of Object.entries(NAMES)) place("--app--", id, name);
	place("--other--", "0197dddd-4444", "Write the docs");
	return findSessions({ agentDir: agentDir(), folder: folderOf("--app--") }, wanted);
}

describe("the session that is meant", () => {
	test.each([
		["0195", ["Fix the parser"]],
		["019", []],
		["0196", ["Fix the lexer", "Port the theme"]],
		["0196AAAA-1111", ["Port the theme"]],
		["fix the lexer", ["Fix the lexer"]],
		["Fix the", ["Fix the lexer", "Fix the parser"]],
		["nothing like it", []],
	])("%j: by its id, the beginning of that from four characters on, or its title", async (wanted, names) => {
		const { found } = await find(wanted);
		expect(found.map(({ name }) => name).sort()).toEqual(names);
	});

	test("is looked for in this project first, then in all", async () => {
		expect((await find("fix the parser")).isHere).toBe(true);
		expect(await find("docs")).toMatchObject({ isHere: false, found: [{ name: "Write the docs" }] });
	});

	test("may be named by its file", async () => {
		const path = join(agentDir(), "sessions", "--app--", "0196aaaa-1111.jsonl");
		expect((await find(path)).found).toMatchObject([{ name: "Port the theme" }]);
	});
});

test("the whole title is preferred to its beginning, and that to a part of it", () => {
	const row = (id: string, name: string): Pick<SessionSummary, "id" | "name" | "firstPrompt" | "path"> => ({
		id,
		path: `/sessions/${id}.jsonl`,
		name,
		firstPrompt: undefined,
	});
	const rows = [
		row("aaaa1111", "parse"),
		row("bbbb2222", "parse dates"),
		row("cccc3333", "reparse"),
		row("dddd4444", "Café"),
	];
	const names = (wanted: string) => matchSessions(rows, wanted).map(({ name }) => name);
	expect(names("Parse")).toEqual(["parse"]);
	expect(names("parse d")).toEqual(["parse dates"]);
	expect(names("repar")).toEqual(["reparse"]);
	expect(names("bbbb")).toEqual(["parse dates"]);
	for (const wanted of ["cafe\u0301", "CAFÉ", "cafe"]) expect(names(wanted)).toEqual(["Café"]);
	expect(names("zzz")).toEqual([]);
});
