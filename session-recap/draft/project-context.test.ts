import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { projectContext } from "./ask.ts";

const folder = useTemporaryFolder();
const contextOf = (instructions: string) => {
	put(join(folder(), "project", "AGENTS.md"), instructions);
	return projectContext(join(folder(), "project"), join(folder(), "agent"));
};

test("sends the first 2,000 characters of a project's instructions, without splitting a character", async () => {
	expect(await contextOf("Use tabs.\n")).toBe("Use tabs.");
	expect(await contextOf("Use tabs. ".repeat(300))).toBe("Use tabs. ".repeat(200));
	const torn = await contextOf(`${"x".repeat(1_999)}🎉 and more`);
	expect(torn?.isWellFormed()).toBe(true);
});
