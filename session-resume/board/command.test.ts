import { expect, test } from "vitest";
import { completeCommand, helpText, parseCommand } from "./command.ts";

test.each([
	["", { type: "board", scope: "project", query: "" }],
	["  date   parser ", { type: "board", scope: "project", query: "date parser" }],
	["--all", { type: "board", scope: "all", query: "" }],
	["--all 날짜", { type: "board", scope: "all", query: "날짜" }],
	["foo --all", { type: "board", scope: "all", query: "foo" }],
	["date --ALL parser", { type: "board", scope: "all", query: "date parser" }],
	["--fork 0195a1b2", { type: "fork", wanted: "0195a1b2" }],
	["Fix the lexer --fork", { type: "fork", wanted: "Fix the lexer" }],
	["--fork", { type: "fork", wanted: "" }],
	["--help", { type: "help" }],
	["--al", { type: "unknown", word: "--al" }],
	["-- --all 3", { type: "board", scope: "project", query: "--all 3" }],
])("/sessions %s", (args, action) => {
	expect(parseCommand(args)).toEqual(action);
});

test("options are completed until they are whole; words are not", () => {
	expect(completeCommand("--a")?.map(({ value }) => value)).toEqual(["--all"]);
	expect(completeCommand("-")?.map(({ value }) => value)).toEqual(["--all", "--fork ", "-- ", "--help"]);
	expect(completeCommand("--all")).toBeNull();
	expect(completeCommand("")).toBeNull();
	expect(completeCommand("pars")).toBeNull();
});

test("the help names every option", () => {
	for (const option of ["--all", "--fork"]) expect(helpText()).toContain(option);
});
