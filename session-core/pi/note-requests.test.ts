import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { projectInstructions } from "./note-requests.ts";

const folder = useTemporaryFolder();
const contextOf = (instructions: string) => {
	put(join(folder(), "project", "AGENTS.md"), instructions);
	return projectInstructions(join(folder(), "project"), join(folder(), "agent"));
};

test("sends the first 2,000 characters of a project's instructions, without splitting a character", () => {
	expect(contextOf("Use tabs.\n")).toBe("Use tabs.");
	expect(contextOf("Use tabs. ".repeat(300))).toBe("Use tabs. ".repeat(200));
	expect(contextOf(`${"x".repeat(1_999)}🎉 and more`)?.isWellFormed()).toBe(true);
});
