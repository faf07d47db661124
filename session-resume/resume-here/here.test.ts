import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { beginningOf, isQuestion, resumePrompt } from "../../session-core/resume-plan/prompt.ts";
import { ownWords } from "../../session-core/session/own-words.ts";
import { folderQuestion } from "./folder-question.ts";
import { restoreModel } from "./restore-model.ts";

describe("the prompt to go on with", () => {
	test("asks for the step, and brings the context that it needs", () => {
		expect(resumePrompt(recapOf(), "Add a test for 2026-02-30")).toBe(
			[
				"Go on: Add a test for 2026-02-30",
				"",
				"<context>",
				"Task: Reject days that do not exist",
				"State: you were waiting for my answer; last run: npm test → 12 passed, then edited",
				"See: src/parse-date.js, a1b2c3d Fix the time zone",
				"</context>",
			].join("\n"),
		);
	});

	test("quotes a question and leaves the answer to the user", () => {
		const prompt = resumePrompt(recapOf(), "Should it throw a RangeError instead?");
		expect(prompt).toMatch(/^<context>/);
		expect(prompt).toMatch(/\n> Should it throw a RangeError instead\?\n\n$/);
	});

	test("begins with what the record says of resuming, else with its first step", () => {
		expect(beginningOf(recapOf({ resume_hint: { seed_instruction: "Begin with the docs" } }))).toBe(
			"Begin with the docs",
		);
		expect(beginningOf(recapOf({ resume_hint: { seed_instruction: " " } }))).toBe(recapOf().next_actions[0]);
		expect(beginningOf(recapOf())).toBe(recapOf().next_actions[0]);
	});

	test("goes on with the task where no step is known", () => {
		const bare = recapOf({ outcome: "done", evidence: [], artifacts: [] });
		expect(resumePrompt(bare, undefined)).toBe("Go on: Reject days that do not exist");
	});

	test("is, without its context, the user's own words for later recaps", () => {
		expect(ownWords(resumePrompt(recapOf(), "Add a test")).text).toBe("Go on: Add a test");
	});

	test.each([
		["Should it throw?", true],
		["RangeError 를 던질까요？", true],
		['Did you mean "main"?)', true],
		["Add a test", false],
		["Ask whether it should throw? Then do it", false],
	])("%s is a question: %s", (action, expected) => expect(isQuestion(action)).toBe(expected));
});

describe("the folder", () => {
	test("is no question where the session is at home, and one where it is not", () => {
		const root = mkdtempSync(join(tmpdir(), "folder-"));
		const [own, other, link] = [join(root, "own"), join(root, "other"), join(root, "link")];
		mkdirSync(own);
		mkdirSync(other);
		symlinkSync(own, link, "junction");
		expect(folderQuestion(own, own)).toBeUndefined();
		expect(folderQuestion(link, own)).toBeUndefined();
		expect(folderQuestion(undefined, own)).toBeUndefined();
		expect(folderQuestion(own, other)).toMatch(/belongs to .*own, and pi works in .*other now/);
		rmSync(own, { recursive: true });
		expect(folderQuestion(own, other)).toMatch(/folder is gone: .*own\. Go on in .*other\?/);
		expect(folderQuestion(own, own)).toMatch(/folder is gone/);
		rmSync(root, { recursive: true });
	});
});

describe("the session's own model", () => {
	const large = { provider: "p", id: "large" } as ExtensionContext["model"]; // only its name is read
	const small = { provider: "p", id: "small" };

	async function restore(own: typeof small | undefined, { known = true, hasKey = true } = {}) {
		const chosen: unknown[] = [];
		const restored = await restoreModel(
			own,
			{
				setModel: async (model) => {
					chosen.push(model);
					return hasKey;
				},
			},
			{
				model: large,
				// Only the look-up by name is used.
				modelRegistry: {
					find: () => (known ? small : undefined),
				} as unknown as ExtensionContext["modelRegistry"],
			},
		);
		return { restored, chosen };
	}

	test("is restored where pi runs on another one, and said", async () => {
		const { restored, chosen } = await restore(small);
		expect(chosen).toEqual([small]);
		expect(restored).toEqual({ kind: "info", text: expect.stringContaining("p/small") });
	});

	test("is left alone where it is the active one, or not known", async () => {
		expect(await restore({ provider: "p", id: "large" })).toEqual({ restored: undefined, chosen: [] });
		expect(await restore(undefined)).toEqual({ restored: undefined, chosen: [] });
	});

	test.each([
		["unknown here", { known: false }, /not known here; going on with p\/large/],
		["without credentials", { hasKey: false }, /no credentials here; going on with p\/large/],
	])("is missed aloud where it is %s", async (_, registry, text) => {
		const { restored } = await restore(small, registry);
		expect(restored).toMatchObject({ kind: "warning", text: expect.stringMatching(text) });
	});
});
