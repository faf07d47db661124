import { describe, expect, test } from "vitest";
import { parseFrom } from "./resume-from.ts";
import { parseHere } from "./resume-here.ts";

const refused = (why: string) => ({ type: "refused", why: expect.stringContaining(why) });

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
		["0", refused('"0" is not the number of a step')],
		["1 2", refused('"1 2" is not the number of a step')],
	])("%j", (args, action) => expect(parseHere(args)).toEqual(action));

	test.each([
		["--always", "--always needs --branch or --no-branch"],
		["--branch --no-branch", "Choose one of them"],
		["--fresh --branch", "nothing to fork"],
	])("%j is known and explained, not unknown", (args, why) => expect(parseHere(args)).toEqual(refused(why)));
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
		["", refused("specify a session")],
		["Fix it --at", refused("specify a session")],
		["--help", { type: "help" }],
		["x --send", refused("/resume-from -- x --send")],
	])("%j", (args, action) => expect(parseFrom(args)).toEqual(action));
});
