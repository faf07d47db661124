import { win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFolder } from "./folders.ts";

describe("the sessions of a project", () => {
	it("are in one folder, which is named by the host's rule", () =>
		expect(projectFolder("/s", "/code/my app")).toBe("/s/--code-my app--"));

	it.each([
		["C:\\code\\app", "--C--code-app--"],
		["c:\\Users\\Ann Lee\\app", "--c--Users-Ann Lee-app--"],
		["\\\\server\\share\\app", "---server-share-app--"],
	])("on Windows, in %s, do, too", (cwd, name) => {
		const folder = win32.basename(projectFolder("C:\\pi\\sessions", cwd).replaceAll("/", "\\"));
		expect(folder).toBe(name);
		expect(folder).not.toMatch(/[<>:"|?*]/);
	});
});
