import { describe, expect, it } from "vitest";
import { type Happening, timelineOf } from "../timeline/log.test-support.ts";
import { ENGLISH } from "../words/en.ts";
import { requestInContext, requestLine, restOfRequest } from "./shorten-request.ts";

const lineOf = (user: string, columns = 80): string => {
	const [turn] = timelineOf([{ user }]).turns;
	return turn ? requestLine(turn, columns) : "";
};
/** The last of these requests, with what it answers. */
const asked = (...happenings: Happening[]): string => {
	const { turns } = timelineOf(happenings);
	const last = turns.at(-1);
	return last ? requestInContext(last, turns, 80, ENGLISH) : "";
};

it("a first sentence without a subject of its own is quoted only together with the next one", () => {
	const said =
		"actually, can you revert that? i want to move those files to their final location. propose where";
	expect(lineOf(said)).toBe("Can you revert that? i want to move those files to their final location.");
	const longer = said.replace("those files", "those seven files of ours");
	expect(lineOf(longer)).toBe(
		"I want to move those seven files of ours to their final location. propose where",
	);
});

describe("a request in one line", () => {
	it.each([
		[
			"its lines apart",
			"sort the tools\ntools -> core\ntui -> modes",
			"Sort the tools; tools -> core; tui -> modes",
		],
		[
			"its list behind what leads to it",
			"I want to\n- copy the tools\n- keep the tests",
			"I want to: copy the tools; keep the tests",
		],
		["a wrapped line whole", `${"word ".repeat(13)}that\ngoes on`, `${"word ".repeat(13)}that goes on`],
		["no frame of a table", "│ a tool for the model │ a custom tool │", "A tool for the model a custom tool"],
	])("has %s", (_, request, line) => {
		expect(lineOf(request, 100).toLowerCase()).toBe(line.toLowerCase());
	});

	it("begins with the first sentence that says something", () => {
		const request = "Not what I wanted. I wanted a list of the hooks in the docs, each with an example.";
		expect(lineOf(request, 64)).toBe("I wanted a list of the hooks in the docs, each with an example.");
		expect(lineOf("Let's go on with main.ts. Read it whole and split it into modules.", 40)).toBe(
			"Let's go on with main.ts.",
		);
	});

	it("takes the first name of a list for no interjection", () => {
		expect(lineOf("orca, cmux, superset: compare them by speed and price, please", 52)).toMatch(
			/^Orca, cmux/,
		);
		expect(lineOf("ok, compare all of them by speed and by price, please, now", 52)).toMatch(/^Compare all/);
	});

	it("puts text that occurs earlier in the log after the user's own words", () => {
		const doc = "`hookTimeout`: Timeout in ms for hooks that do not ask";
		const read: Happening = { tool: "read", args: { path: "hooks.md" }, out: `# Hooks\n${doc}\n` };
		expect(
			asked({ user: "read the docs" }, read, { says: "Read." }, { user: `${doc}\n\nso what is this?` }),
		).toBe("So what is this? — hookTimeout: Timeout in ms for hooks that do not ask");
	});
});

describe("a short answer", () => {
	it.each([
		[
			"a question",
			"There are two ways. Shall I keep the flag?",
			"yes (replying to “Shall I keep the flag?”)",
		],
		[
			"an offer",
			"It is the lock.\n\nIf you want, I can patch it.",
			"yes (replying to “If you want, I can patch it.”)",
		],
		[
			"the reply",
			"The branch is in place.\n\nThe port can begin there now.",
			"yes (replying to “The port can begin there now.”)",
		],
	])("is quoted with its reply: %s", (_, says, line) => {
		expect(asked({ user: "look at the flag" }, { says }, { user: "yes" })).toBe(line);
	});

	it.each(["move config.ts up", "open the skills first so that I can review", "really?"])(
		"is none: %s",
		(user) => {
			expect(asked({ user: "look" }, { says: "Shall I keep the flag?" }, { user })).not.toContain("(to:");
		},
	);
});

it("the rest of a request is what its headline does not tell, cut where it is long", () => {
	const [turn] = timelineOf([
		{
			user: "Make the lexer accept commas. Also keep all the comments. And then print every one of them again, too.",
		},
	]).turns;
	const rest = (columns: number): string =>
		turn ? restOfRequest(turn, [], "Make the lexer accept commas", columns) : "";
	expect(rest(160)).toBe("Also keep all the comments. And then print every one of them again, too.");
	expect(rest(28)).toBe("Also keep all the comments.");
});
