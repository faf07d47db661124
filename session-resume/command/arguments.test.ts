import { describe, expect, test } from "vitest";
import { parseCard, parseFrom, parseHere, parseToday } from "./arguments.ts";

describe("/recap-card", () => {
	test.each([
		["", { type: "write", force: false, llm: false }],
		["--LLM  --force", { type: "write", force: true, llm: true }],
		[" show ", { type: "show" }],
		["--help", { type: "help" }],
		["edit --force", { type: "unknown", word: "edit --force" }],
		["today --all", { type: "refused", why: expect.stringContaining("/today") }],
		["frobnicate", { type: "unknown", word: "frobnicate" }],
	])("%j", (args, action) => expect(parseCard(args)).toEqual(action));
});

describe("/today", () => {
	test.each([
		["", { type: "show", all: false }],
		["--all", { type: "show", all: true }],
		["copy", { type: "copy", all: false }],
		["--all copy", { type: "copy", all: true }],
		["help", { type: "help" }],
		["tomorrow", { type: "unknown", word: "tomorrow" }],
	])("%j", (args, action) => expect(parseToday(args)).toEqual(action));
});

describe("/resume-here", () => {
	const go = { type: "go", step: undefined, send: false, branch: undefined, always: false, fresh: undefined };
	test.each([
		["", go],
		["2", { ...go, step: 2 }],
		["--branch --always", { ...go, branch: true, always: true }],
		["--always --no-branch 2", { ...go, step: 2, branch: false, always: true }],
		["--send 3 --branch", { ...go, step: 3, send: true, branch: true }],
		["--fresh --send", { ...go, fresh: "", send: true }],
		["--fresh 2", { ...go, fresh: "", step: 2 }],
		["--fresh add the docs", { ...go, fresh: "add the docs" }],
		["help", { type: "help" }],
		["0", { type: "unknown", word: "0" }],
		["1 2", { type: "unknown", word: "1 2" }],
		["--sned", { type: "unknown", word: "--sned" }],
	])("%j", (args, action) => expect(parseHere(args)).toEqual(action));

	test.each([
		["--always", /--always needs --branch or --no-branch/],
		["--branch --no-branch", /Choose one of them/],
		["--fresh --branch", /nothing to fork/],
	])("%j is known and explained, not unknown", (args, why) =>
		expect(parseHere(args)).toEqual({ type: "refused", why: expect.stringMatching(why) }),
	);
});

describe("/resume-from", () => {
	const go = { type: "go", session: "", at: undefined, branch: false };
	test.each([
		["Fix the parser", { ...go, session: "Fix the parser" }],
		["0195a1b2 --branch", { ...go, session: "0195a1b2", branch: true }],
		["--at a1b2 Fix it", { ...go, session: "Fix it", at: "a1b2" }],
		["--at a1b2", { ...go, at: "a1b2" }],
		["--branch", { ...go, branch: true }],
		["-- --force as a title", { ...go, session: "--force as a title" }],
		["", { type: "refused", why: expect.stringMatching(/^which session/) }],
		["Fix it --BRANCH", { ...go, session: "Fix it", branch: true }],
		["Fix it --at", { type: "refused", why: expect.stringMatching(/^which session/) }],
		["--help", { type: "help" }],
		["x --send", { type: "unknown", word: "--send" }],
	])("%j", (args, action) => expect(parseFrom(args)).toEqual(action));
});
