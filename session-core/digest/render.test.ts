import { describe, expect, it } from "vitest";
import { digestOf, type Happening } from "./log.test-support.ts";
import { RENDER_BOUND, renderDigest } from "./render.ts";

const ASK: Happening = { user: "Make the parser accept trailing commas please" };
const EDIT: Happening = { tool: "edit", args: { path: "src/parser.ts" }, diff: "+ 1 a" };
const long = (word: string, count: number): string =>
	Array.from({ length: count }, (_, index) => `${word} ${index}`).join("\n");

describe("renderDigest", () => {
	it("says what decides truthfulness in words", () => {
		const text = renderDigest(
			digestOf([
				ASK,
				EDIT,
				{ bash: "npm test", out: "1 failed", fails: true },
				{ says: "I pushed it. Done." },
			]),
		);
		expect(text).toContain("State: the agent finished its last run");
		expect(text).toContain("Checks after the last edit: FAILED (npm test)");
		expect(text).toContain("Claimed in the last reply, but not shown by the log:\n- I pushed it.");
		expect(text).toContain("- src/parser.ts (edited, +1 −0)");
	});

	it("tells a proposal from work: nothing was changed while every call only looked", () => {
		const look: Happening = { bash: "grep -rn comma src", out: "src/parser.ts:3" };
		const proposal: Happening = { says: "I would skip a comma before the bracket. Shall I?" };
		const state = "State: the agent waits for the user's answer";
		expect(renderDigest(digestOf([ASK, look, proposal]))).toContain(
			`${state}; nothing was changed for the task yet`,
		);
		expect(renderDigest(digestOf([ASK, look, EDIT, proposal]))).toContain(`${state}\n`);
	});

	it("names the task among the prompts by its place only", () => {
		const text = renderDigest(digestOf([ASK, EDIT, { says: "Done." }, { user: "and in objects, too" }]));
		expect(text).toContain("- (the task)\n- and in objects, too");
		expect(text.match(/Make the parser accept/g)).toHaveLength(1);
	});

	it("never grows beyond its bound, and keeps the reply's end, failures and checks", () => {
		const happenings: Happening[] = [];
		for (let index = 0; index < 40; index++) {
			happenings.push(
				{ user: `${long("please", 200)} number ${index}` },
				{ tool: "write", args: { path: `src/${"deep/".repeat(30)}${index}.ts`, content: "x" } },
			);
			happenings.push({ bash: `npm test -- ${long("arg", 60)}`, out: long("out", 500), fails: true });
			happenings.push({ says: `${long("A sentence of the reply", 400)}\nThe end ${index}: should I go on?` });
		}
		const text = renderDigest(digestOf(happenings));
		expect(text.length).toBeLessThanOrEqual(RENDER_BOUND);
		expect(text).toContain("The end 39: should I go on?");
		expect(text).toContain("Checks after the last edit: FAILED");
		expect(text).toMatch(/Failures:\n- npm test/);
	});

	it("carries no secrets and no controls", () => {
		const text = renderDigest(
			digestOf([{ user: `use sk-ant-api03-${"A".repeat(40)} here\u001b[31m and go` }, { says: "ok\u0007" }]),
		);
		expect(text).not.toMatch(/sk-ant-api03|[\u0007\u001b]/);
	});

	it("is nothing but the state for an empty session", () => {
		expect(renderDigest(digestOf([]))).toBe(
			"State: the agent finished its last run\n\nChecks after the last edit: none were run",
		);
	});
});
